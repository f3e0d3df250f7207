"""When to look: steps that increase, and log-spaced ones."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from featlearn._check import InputError
from featlearn.training import Recording, log_spaced


@given(total=st.integers(0, 10**7), count=st.integers(2, 300))
def test_log_spaced_steps_run_from_the_first_to_the_last_in_growing_strides(total, count):
    steps = log_spaced(total, count)
    assert steps[0] == 0
    assert steps[-1] == total
    assert len(steps) <= count
    strides = [b - a for a, b in itertools.pairwise(steps)]
    assert all(stride >= 1 for stride in strides)
    # Whole steps make a stride one shorter than the last at most.
    assert all(b >= a - 1 for a, b in itertools.pairwise(strides))


REFUSED = {
    "Recording(steps): expected at least one step, increasing from 0 or more, got ().": (),
    "Recording(steps): expected at least one step, increasing from 0 or more, got (0, 2, 2).": (
        0,
        2,
        2,
    ),
    "Recording(steps): expected at least one step, increasing from 0 or more, got (-1, 2).": (
        -1,
        2,
    ),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_steps_out_of_order_are_refused_in_words(sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        Recording(measurements=(), steps=REFUSED[sentence])

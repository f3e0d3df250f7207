"""When something first happened."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featlearn.measurements import first_step


@given(holds=arrays(bool, st.tuples(st.integers(1, 5), st.integers(1, 8))))
def test_the_first_step_is_that_of_a_plain_loop_and_nan_if_there_is_none(holds):
    steps = np.cumsum(np.arange(holds.shape[1]) + 1)
    expected = [
        next((float(t) for t, yes in zip(steps, row, strict=True) if yes), np.nan) for row in holds
    ]
    np.testing.assert_array_equal(first_step(holds, steps), expected)

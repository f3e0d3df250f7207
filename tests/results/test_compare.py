"""Two results beside each other."""

import re
from typing import Any

import pytest
import scipy.stats

from featlearn._check import InputError
from featlearn.experiments.run import run
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.results.compare import compare, find_result, welch

TINY: dict[str, Any] = {"d": 5, "width": 4, "steps": 3, "records": 2, "test": 20}


def test_the_interval_is_that_of_welch(rng):
    a, b = rng.normal(0, 1, 7), rng.normal(2, 3, 12)
    ours = welch("x", a.tolist(), b.tolist())
    reference = scipy.stats.ttest_ind(b, a, equal_var=False).confidence_interval(0.95)
    assert ours.ci == pytest.approx((reference.low, reference.high))
    assert ours.difference == pytest.approx(b.mean() - a.mean())


def test_a_seed_that_never_reached_an_event_does_not_count():
    ours = welch("x", [1.0, None, 3.0], [4.0])
    assert (ours.a, ours.b, ours.difference, ours.ci) == (2.0, 4.0, 2.0, None)
    assert welch("x", [None], [1.0]).difference is None


def test_only_differing_fields_are_listed_and_all_shared_quantities(tmp_path):
    first = run(XOR, seeds=2, out=tmp_path, **TINY)
    second = run(XOR, seeds=3, out=tmp_path, **{**TINY, "eta": 0.5})
    assert first.path is not None
    assert second.path is not None
    found = compare(first.path, second.path)
    assert found.fields == {"eta": (0.2, 0.5)}
    assert [each.quantity for each in found.differences] == list(first.summary)
    loss = next(each for each in found.differences if each.quantity == "test_loss")
    means = [result.summary["test_loss"].mean for result in (first, second)]
    assert means[0] is not None
    assert means[1] is not None
    gap = means[1] - means[0]
    assert loss.difference == pytest.approx(gap)
    assert find_result(first.hash[:6], tmp_path) == first.path


def test_a_result_that_is_not_there_is_told_in_one_sentence(tmp_path):
    message = (
        "compare abc: expected the folder of a result, or the beginning of one hash in the store, "
        f"got none. `featlearn store list` shows what is in {tmp_path}."
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        find_result("abc", tmp_path)

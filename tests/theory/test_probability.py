"""Claims with high probability, and claims about every algorithm."""

import math

import pytest

from featlearn._check import InputError
from featlearn.theory import Verdict, every_algorithm, high_probability


@pytest.mark.parametrize(
    ("successes", "trials", "at_least", "verdict"),
    [
        (72, 72, 0.95, Verdict.HOLDS),
        (71, 71, 0.95, Verdict.UNDECIDED),
        (20, 20, 0.95, Verdict.UNDECIDED),
        (10, 20, 0.95, Verdict.FAILS),
        (1, 1, 0.9, Verdict.UNDECIDED),
        (0, 1, 0.9, Verdict.UNDECIDED),
        (0, 1, 0.99, Verdict.UNDECIDED),
        (0, 1, 0.999, Verdict.FAILS),
        (5, 5, 1.0, Verdict.UNDECIDED),
        (4, 5, 1.0, Verdict.FAILS),
        (3, 5, 0.0, Verdict.VACUOUS),
        (3, 5, -1.0, Verdict.VACUOUS),
    ],
)
def test_a_probability_is_judged_by_its_interval(successes, trials, at_least, verdict):
    assert high_probability("event", successes, trials, at_least).verdict is verdict


@pytest.mark.parametrize("at_least", [0.02, 0.5, 0.9, 0.95, 0.99, 0.999])
def test_the_number_of_seeds_that_would_decide_does_and_one_fewer_does_not(at_least):
    told = high_probability("event", 0, 1, at_least).reason
    if at_least == 0.02:
        enough = 1
    elif "decide" in told:
        enough = int(told.split("never fails, ")[1].split()[0])
    else:
        assert told == "seen in 0 of 1 seeds"  # already contradicted
        return
    assert high_probability("event", enough, enough, at_least).verdict is Verdict.HOLDS
    if enough > 1:
        fewer = high_probability("event", enough - 1, enough - 1, at_least)
        assert fewer.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_impossible_counts_are_refused(successes, trials):
    with pytest.raises(InputError) as told:
        high_probability("event", successes, trials, 0.9)
    assert str(told.value) == (
        "probability event: expected 0 <= successes <= trials and a trial at least, "
        f"got {successes} of {trials}."
    )


@pytest.mark.parametrize(
    ("measured", "stderr", "verdict", "reason"),
    [
        (0.4, 0.01, Verdict.FAILS, "contradicted by SGD"),
        (0.475, 0.01, Verdict.UNDECIDED, "not contradicted by SGD"),
        (0.9, 0.01, Verdict.UNDECIDED, "not contradicted by SGD"),
        (0.4, None, Verdict.UNDECIDED, "not contradicted by SGD"),
        (math.nan, 0.1, Verdict.UNDECIDED, "not contradicted by SGD"),
    ],
)
def test_a_claim_about_every_algorithm_is_never_confirmed(measured, stderr, verdict, reason):
    part = every_algorithm("loss", measured, stderr, 0.5, "SGD")
    assert (part.verdict, part.reason) == (verdict, reason)


def test_a_probability_above_one_is_refuted_and_one_that_is_no_number_undecided():
    above = high_probability("event", 3, 3, 1.5).part
    assert (above.verdict, above.p_value) == (Verdict.FAILS, 0.0)
    assert above.reason == "no share is above 1; seen in 3 of 3 seeds"
    lost = high_probability("event", 3, 3, math.nan).part
    assert (lost.verdict, lost.p_value) == (Verdict.UNDECIDED, None)
    assert high_probability("event", 59, 59, 1.0).part.verdict is Verdict.UNDECIDED

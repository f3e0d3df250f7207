"""Bounds with their constants given: one-sided Student-t over seeds at 0.999."""

import math

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.theory import Verdict, bound

CLOSE = np.array([1.0, 1.1, 0.9, 1.05, 0.95])


@pytest.mark.parametrize(
    ("values", "limit", "side", "verdict"),
    [
        (CLOSE, 2.0, "<=", Verdict.HOLDS),
        (CLOSE, 0.5, "<=", Verdict.FAILS),
        (CLOSE, 1.01, "<=", Verdict.UNDECIDED),
        (CLOSE, 0.5, ">=", Verdict.HOLDS),
        (CLOSE, 2.0, ">=", Verdict.FAILS),
        (CLOSE, 0.99, ">=", Verdict.UNDECIDED),
        (np.array([1.0]), 2.0, "<=", Verdict.UNDECIDED),
        (np.array([1.0]), 0.5, "<=", Verdict.UNDECIDED),
        (np.array([1.0, 1.0]), 1.0, "<=", Verdict.HOLDS),
        (np.array([1.0, math.nan]), 2.0, "<=", Verdict.FAILS),
        (np.array([1.0, math.inf]), 2.0, "<=", Verdict.FAILS),
    ],
)
def test_a_bound_is_judged_by_its_mean(values, limit, side, verdict):
    assert bound("x", values, limit, side=side).verdict is verdict


@pytest.mark.parametrize(
    ("values", "limit", "side", "verdict", "shown"),
    [
        (CLOSE, 1.2, "<=", Verdict.HOLDS, 1.1),
        (CLOSE, 1.08, "<=", Verdict.FAILS, 1.1),
        (CLOSE, 0.8, ">=", Verdict.HOLDS, 0.9),
        (CLOSE, 0.92, ">=", Verdict.FAILS, 0.9),
        (np.array([3.0]), 1.0, "<=", Verdict.FAILS, 3.0),
        (np.array([0.5]), 1.0, "<=", Verdict.HOLDS, 0.5),
    ],
)
def test_a_claim_about_every_instance_falls_with_one_counterexample(
    values, limit, side, verdict, shown
):
    part = bound("x", values, limit, side=side, every=True)
    assert (part.verdict, part.measured) == (verdict, shown)


def test_a_bound_that_nothing_could_violate_is_vacuous():
    part = bound("accuracy", CLOSE, 2.0, vacuous=True)
    assert part.verdict is Verdict.VACUOUS
    assert part.reason == "no outcome could violate the bound here"


def test_a_bound_over_no_seed_is_refused():
    with pytest.raises(InputError) as told:
        bound("x", np.zeros(0), 1.0)
    assert str(told.value) == "bound x: expected at least one seed, got none."


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [2, 5, 20])
def test_a_mean_exactly_at_its_bound_is_decided_once_in_a_thousand_each_way(seeds, rng):
    # Of 2000, 2 each way; 11 or more has probability 8e-6. At level 0.99 there would be 20.
    samples = rng.normal(0.0, 1.0, (2000, seeds))
    judged = [bound("x", row, 0.0).verdict for row in samples]
    assert judged.count(Verdict.HOLDS) < 11
    assert judged.count(Verdict.FAILS) < 11

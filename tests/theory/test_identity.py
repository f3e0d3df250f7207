"""Identities: what is within the error bar, what is beyond it, and what cannot be told."""

import math

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.theory import Verdict, identity, mean_identity, same_mean, sampled_identity

HOLDS, FAILS, UNDECIDED = Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("measured", "predicted", "scale", "verdict"),
    [
        (1.0, 1.0, 0.0, HOLDS),
        (1.0 + 0.9e-6, 1.0, 0.0, HOLDS),
        (1.0 + 1.1e-6, 1.0, 0.0, FAILS),
        (-1.0, 1.0, 0.0, FAILS),
        (0.0, 0.0, 0.0, HOLDS),
        (1e-9, 0.0, 1.0, HOLDS),
        (1e-5, 0.0, 1.0, FAILS),
        (math.nan, 1.0, 0.0, FAILS),
        (1.0, math.nan, 0.0, FAILS),
        (math.inf, 1.0, 0.0, FAILS),
    ],
)
def test_an_exact_identity_is_as_good_as_its_deviation(measured, predicted, scale, verdict):
    assert identity("x", measured, predicted, tolerance=1e-6, scale=scale).verdict is verdict


def test_one_bad_case_among_many_decides_and_is_the_one_shown():
    measured = np.ones(50)
    measured[31] = 1.5
    part = identity("x", measured, np.ones(50), tolerance=1e-6)
    assert (part.verdict, part.measured, part.predicted) == (FAILS, 1.5, 1.0)
    assert part.reason == "largest relative deviation 0.5 in 50 cases, allowed 1e-06"


def test_an_identity_of_no_case_is_refused():
    with pytest.raises(InputError) as told:
        identity("x", np.zeros(0), np.zeros(0), tolerance=1.0)
    assert str(told.value) == "identity x: expected at least one case, got none."


@pytest.mark.parametrize(
    ("mean", "stderr", "verdict"),
    [
        (1.0, 0.001, HOLDS),
        (1.0083, 0.001, HOLDS),  # 1.645 standard errors below 1.01
        (1.0084, 0.001, UNDECIDED),
        (1.0130, 0.001, UNDECIDED),
        (1.0131, 0.001, FAILS),  # 3.09 above it
        (1.0, 0.1, UNDECIDED),
        (1.31, 0.1, UNDECIDED),
        (1.33, 0.1, FAILS),
        (1.0, 0.0, HOLDS),
        (1.0 + 1e-9, 0.0, HOLDS),
        (1.0101, 0.0, FAILS),
        (1.0, math.nan, UNDECIDED),
        (7.0, math.nan, UNDECIDED),
        (math.nan, 0.1, FAILS),
        (math.nan, math.nan, FAILS),
    ],
)
def test_a_sampled_identity_is_judged_by_its_interval_against_delta(mean, stderr, verdict):
    assert sampled_identity("x", mean, stderr, 1.0, resolve=0.01).verdict is verdict


def test_many_cases_share_the_level():
    off = np.array([1.0133] + 99 * [1.0])
    alone = sampled_identity("x", off[0], 0.001, 1.0, resolve=0.01)
    among = sampled_identity("x", off, 0.001, 1.0, resolve=0.01)
    assert (alone.verdict, among.verdict) == (FAILS, UNDECIDED)


def test_a_case_without_error_bar_hides_no_failure_in_another():
    mean, stderr = np.array([1.0, 2.0]), np.array([math.nan, 0.001])
    part = sampled_identity("x", mean, stderr, 1.0, resolve=0.1)
    assert (part.verdict, part.measured, part.stderr) == (FAILS, 2.0, 0.001)


@pytest.mark.parametrize("seeds", [2, 3, 5, 20])
def test_a_true_mean_is_seldom_contradicted_however_few_the_seeds(seeds, rng):
    # 1500 repetitions at a false-alarm rate of at most 0.002: 13 or more has probability 2e-5.
    # A normal quantile would give 230 with two seeds.
    samples = rng.normal(3.0, 1.0, (1500, seeds))
    judged = [mean_identity("x", row, 3.0, resolve=1e-9).verdict for row in samples]
    assert judged.count(FAILS) < 13


def test_a_mean_that_is_off_by_what_must_be_resolved_is_found(rng):
    # Twenty seeds, standard error 0.0022: an offset of delta and 9 of them, where 3.6 decide.
    off = [
        mean_identity("x", rng.normal(1.03, 0.01, 20), 1.0, resolve=0.01).verdict for _ in range(50)
    ]
    assert off.count(HOLDS) == 0
    assert off.count(FAILS) >= 47


def test_one_seed_decides_nothing():
    alone = mean_identity("x", np.array([9.0]), 1.0, resolve=0.5)
    assert (alone.verdict, alone.stderr, alone.ci) == (UNDECIDED, None, None)
    assert alone.reason == "one seed has no error bar"
    pair = same_mean("x", np.array([1.0]), np.array([5.0, 5.1]), resolve=0.5)
    assert (pair.verdict, pair.reason) == (UNDECIDED, "one seed has no error bar")


@pytest.mark.parametrize(
    ("shift", "verdict"), [(0.0, HOLDS), (0.5, FAILS)], ids=["equal", "shifted"]
)
def test_two_samples_have_the_same_mean_or_not(shift, verdict, rng):
    # Standard error of the difference 0.05 sqrt(2/40) = 0.011; the shift is 45 of them.
    first, second = rng.normal(2.0, 0.05, 40), rng.normal(2.0 + shift, 0.05, 40)
    assert same_mean("x", first, second, resolve=0.05).verdict is verdict


def test_the_interval_shown_covers_as_often_as_it_says(rng):
    # 95 % of 1500 is 1425 with deviation 8; a Gaussian 1.96 with five seeds would give 1320.
    covered = 0
    for row in rng.normal(0.0, 1.0, (1500, 5)):
        ci = mean_identity("x", row, 0.0, resolve=0.1, scale=1.0).ci
        assert ci is not None
        low, high = ci
        covered += low <= 0.0 <= high
    assert abs(covered - 1425) < 42


def test_a_stated_scale_replaces_a_prediction_of_zero():
    assert sampled_identity("x", 0.0, 0.001, 0.0, resolve=0.1).verdict is UNDECIDED
    assert sampled_identity("x", 0.0, 0.001, 0.0, resolve=0.1, scale=1.0).verdict is HOLDS


def test_a_deviation_from_0_without_a_scale_is_told_in_its_own_unit():
    part = mean_identity("x", np.array([0.1, -0.1, 0.0]), 0.0, resolve=0.1).part
    assert part.verdict is Verdict.UNDECIDED
    assert part.reason.startswith(
        "0 ± 0.058, where 0 is predicted and no scale is given; not known"
    )

"""Bounds with their constants given: one-sided Student-t over seeds at 0.999."""

import math

import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr

from featlearn._check import InputError
from featlearn.theory import Verdict, bound, hidden_constant, identity

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


@pytest.mark.parametrize(
    "values", [[1.0, 1.1], (1, 2), jnp.array([1.0, 1.1]), xr.DataArray([1.0, 1.1]), [True, False]]
)
def test_lists_and_other_arrays_are_judged_as_numpy_arrays_are(values):
    mine, numpys = bound("x", values, 2.0), bound("x", np.array(values, float), 2.0)
    assert mine.part.measured == pytest.approx(numpys.part.measured, rel=1e-6)
    assert mine.part.stderr == pytest.approx(numpys.part.stderr, rel=1e-6)
    assert type(mine.arguments["values"]) is np.ndarray


def test_a_claim_keeps_its_numbers_when_the_array_changes_later():
    values = np.array([1.0, 1.0])
    claim = bound("x", values, 2.0)
    values[:] = 9
    assert claim.arguments["values"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("values", "got"),
    [
        (1.0, "1.0"),
        (None, "None"),
        ("abc", "'abc'"),
        ([0.1, "a"], "[0.1, 'a']"),
        ([[0.1, 0.2], [0.3]], "[[0.1, 0.2], [0.3]]"),
        (np.ones((1, 2)), "an array of shape (1, 2)"),
    ],
)
def test_what_is_no_number_per_seed_is_refused(values, got):
    with pytest.raises(InputError) as told:
        bound("x", values, 1.0)
    assert str(told.value) == f"bound(values): expected an array over seeds, got {got}."


def test_an_identity_takes_one_number_or_one_per_case():
    ones = [1.0, 1.0]
    judged = identity("x", 1.0, ones, tolerance=1e-9)  # type: ignore[arg-type]
    assert judged.part.verdict is Verdict.HOLDS
    with pytest.raises(InputError, match="expected a number or an array over cases, got 'one'"):
        identity("x", "one", 1.0, tolerance=1e-9)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected an array over sizes and seeds, got an array of"):
        hidden_constant("x", [1.0, 2.0], [1.0, 2.0], [1.0, 2.0])  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", [1, 3])
def test_arrays_whose_sizes_do_not_fit_are_refused(rows):
    with pytest.raises(InputError) as told:
        hidden_constant("x", np.array([1.0, 10.0]), np.ones((rows, 2)), np.ones(2))
    sentence = f"hidden_constant(values): expected 2 sizes, as in sizes, got {rows}."
    assert str(told.value) == sentence


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

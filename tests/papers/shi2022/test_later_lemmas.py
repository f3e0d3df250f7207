"""Lemmas 24 and 25 and theorem 29, each with slips that its check must notice."""

import itertools
from typing import Any

import numpy as np
import pytest

from featlearn.papers.shi2022.later import Sizes, later_steps
from featlearn.papers.shi2022.statements import lemma_24, lemma_25, theorem_29
from featlearn.theory.check import check

SHORT: dict[str, Any] = {"dictionary": 6, "width": 20, "steps": 12}


def verdicts(statement, seeds=1, **changes):
    return check(statement, seeds=seeds, **changes).verdicts


def test_the_first_layer_stays_within_the_proof_and_loses_by_its_decay():
    assert verdicts(lemma_24.STATEMENT, **SHORT) == {
        "printed": "OPEN",
        "proof": "HOLDS",
        "run": "HOLDS",
    }
    # A decay of half the size is a lost factor 2 in (265).
    assert verdicts(lemma_24.statement(decay=0.5), **SHORT)["run"] == "FAILS"
    control = verdicts(lemma_24.STATEMENT.negative_control(), **SHORT)
    assert (control["proof"], control["run"]) == ("FAILS", "FAILS")


def test_the_second_step_leaves_nothing_of_the_start():
    run = later_steps(Sizes(**SHORT), 0.02, 0.01, seed=0)
    m = 10
    # Twins start with the same w and opposite a: after two replaced layers their a are small.
    assert np.abs(run.a[0]).max() < 1 / (3 * m**2)
    assert run.moved_w[0].max() == run.moved_b[0].max() == 0
    assert np.abs(run.a[-1]).max() > np.abs(run.a[0]).max()


def test_a_readout_moves_no_more_than_its_neurons():
    assert verdicts(lemma_25.STATEMENT, **SHORT) == {"printed": "OPEN", "proof": "HOLDS"}


@pytest.mark.slow
def test_a_quarter_of_the_bound_of_lemma_25_is_too_little():
    assert verdicts(lemma_25.STATEMENT.negative_control())["proof"] == "FAILS"
    quarter = lemma_25.statement(lambda moves: 0.25 * lemma_25.of_the_lemma(moves))
    assert verdicts(quarter)["proof"] == "FAILS"


def test_parities_are_out_of_reach_and_the_mean_over_sets_is_attained():
    small: dict[str, Any] = {"features": 16, "dictionary": 16, "k": 1}
    found = check(theorem_29.STATEMENT, seeds=1, **small)
    assert found.verdicts == {"printed": "HOLDS", "run": "HOLDS"}
    attained = next(part for part in found.parts if "mean over A, coordinates" in part.name)
    assert attained.measured == pytest.approx(1, abs=1e-12)
    off = theorem_29.statement(on_average=lambda N, sets: 0.999 * theorem_29.mean_gain(N, sets))
    assert verdicts(off, **small)["run"] == "FAILS"
    control = verdicts(theorem_29.STATEMENT.negative_control(), **small)
    assert control == {"printed": "FAILS", "run": "FAILS"}


def test_theorem_29_is_out_of_scope_for_even_sets():
    assert set(verdicts(theorem_29.STATEMENT, features=4, dictionary=32, k=2).values()) == {
        "OUT_OF_SCOPE"
    }


def test_correlations_of_waves_are_sums_over_all_points(rng):
    w, b = rng.normal(size=(3, 6)), rng.normal(size=3)
    z = np.array(list(itertools.product([-1.0, 1.0], repeat=6)))
    for k in (1, 2, 3):
        found = theorem_29.of_waves(w, b, k)
        for A, row in zip(itertools.combinations(range(6), k), found, strict=True):
            direct = (np.prod(z[:, list(A)], axis=1)[:, None] * np.cos(z @ w.T + b)).mean(axis=0)
            np.testing.assert_allclose(row, direct, atol=1e-14)

"""Statements of hidden progress with their planted errors; closed forms against enumeration."""

from typing import Any

import numpy as np
import pytest

import featlearn as fl
from featlearn.distributions.target import corners
from featlearn.papers.barak2022 import PAPER
from featlearn.papers.barak2022.gaps import fourier_gap, majority_coefficient
from featlearn.papers.barak2022.parity import PARITY
from featlearn.papers.barak2022.polynet import block_edge, flat_share, time_of_error
from featlearn.papers.barak2022.statements import (
    fourier_gap as gap_statement,
)
from featlearn.papers.barak2022.statements import (
    hidden_progress,
    no_early_success,
    theorem_4,
    theorem_5,
    theorem_6,
)
from featlearn.papers.barak2022.texts import TEXTS
from featlearn.papers.barak2022.trials import solve_times
from featlearn.theory.check import check

OPEN = {"printed": "OPEN", "run": "HOLDS"}
QUICK: dict[str, Any] = {
    "fourier-gap": (gap_statement, {"listed": 9}, {"printed": "HOLDS", "run": "HOLDS"}),
    "theorem-4": (theorem_4, {"d": (21,), "k": (2,)}, OPEN),
    "theorem-5": (theorem_5, {"d": 8, "k": 3, "features": 20}, {"printed": "HOLDS"}),
    "theorem-6": (theorem_6, {"block": (101, 1001, 10001)}, OPEN),
}


@pytest.mark.parametrize("name", QUICK)
def test_a_statement_has_its_verdicts_and_its_control_does_not_hold(name):
    module, sizes, expected = QUICK[name]
    assert check(module.STATEMENT, seeds=4, **sizes).verdicts == expected
    broken = check(module.STATEMENT.negative_control(), seeds=4, **sizes).verdicts
    assert "FAILS" in broken.values()
    assert "HOLDS" not in broken.values()


SLIPS: dict[str, Any] = {
    "a power of the gap": (gap_statement, {"listed": 9}, {"power": 0.5003}, {"power": 0.50001}),
    "a bound of edges": (
        theorem_5,
        {"d": 8, "k": 3, "features": 20},
        {"share": 1 - 1e-6},
        {"share": 1 - 1e-10},
    ),
    "a power of the time": (
        theorem_6,
        {"block": (101, 1001, 10001)},
        {"power": 0.51},
        {"power": 0.501},
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_small_slip_fails_and_one_below_the_tolerance_passes(name):
    module, sizes, slip, below = SLIPS[name]
    assert "FAILS" in check(module.statement(**slip), seeds=4, **sizes).verdicts.values()
    assert "FAILS" not in check(module.statement(**below), seeds=4, **sizes).verdicts.values()


def test_theorem_4_says_which_constants_its_sizes_would_need():
    found = check(theorem_4.STATEMENT, seeds=2, d=(21,), k=(2,))
    assert "c_n <=" in found.readings[0].reason
    even = {each.name: each.met() for each in theorem_4.hypotheses(theorem_4.Sizes(k=(3, 4)))}
    assert not even["k even"]


@pytest.mark.slow
def test_no_run_is_early_but_those_of_a_search_are():
    small: dict[str, Any] = {"trials": 500}
    assert check(no_early_success.statement(), seeds=1, **small).verdicts == OPEN
    search = check(no_early_success.STATEMENT.negative_control(), seeds=1, **small)
    assert search.verdicts["run"] == "FAILS"
    assert check(no_early_success.statement(early=0.6), seeds=1, **small).verdicts["run"] == "FAILS"


@pytest.mark.slow
def test_progress_is_seen_before_the_accuracy_moves():
    small: dict[str, Any] = {"d": 20, "steps": 3000}
    found = check(hidden_progress.statement(), seeds=8, **small)
    assert found.verdicts == OPEN
    growth = found.parts[0]
    assert growth.measured is not None
    assert growth.predicted is not None
    more = growth.measured + growth.strength.detectable * growth.predicted
    assert (
        check(hidden_progress.statement(factor=more), seeds=8, **small).verdicts["run"] == "FAILS"
    )
    coins = check(hidden_progress.STATEMENT.negative_control(), seeds=8, **small)
    assert coins.verdicts["run"] == "FAILS"


def test_every_statement_has_its_text_and_a_control():
    assert set(TEXTS) == set(PAPER.statements)
    for name, text in TEXTS.items():
        statement = PAPER.statement(name)
        assert statement.text is text
        assert all(used in TEXTS for used in text.uses)
        assert statement.control


@pytest.mark.parametrize("n", [3, 7, 11])
def test_majority_is_that_of_the_cube(n):
    x = corners(n)
    majority = np.sign(x.sum(axis=1))
    for j in range(n + 1):
        mean = np.mean(majority * np.prod(x[:, :j], axis=1))
        assert majority_coefficient(n, j) == pytest.approx(mean, abs=1e-14)
    assert fourier_gap(n, 2) >= 0


def test_the_edge_of_a_block_is_that_of_its_signs():
    n, x = 7, corners(6)
    s = np.abs(x.sum(axis=1))
    for v in (2.0, 4.0, 6.0):
        edge = np.mean(s < v) + np.mean(s == v) / 2
        assert block_edge(v, n) == pytest.approx(edge)
    assert block_edge(7.0, n) == 1.0
    assert time_of_error(0.0, 101, 3) > time_of_error(0.49, 101, 3) > 0
    assert 0 < flat_share(101, 4) < 1


def test_a_trial_is_a_run_of_the_experiment():
    """Easy enough that every run solves it, and the same times again for the same seed."""
    fields: dict[str, Any] = {"d": 4, "k": 1, "width": 8, "eta": 0.3, "batch": 16}
    times = solve_times(**fields, steps=200, every=10, trials=20)
    assert np.isfinite(times).all()
    np.testing.assert_array_equal(times, solve_times(**fields, steps=200, every=10, trials=20))
    result = fl.run(PARITY, seeds=2, **fields, steps=200, test=200)
    assert np.isfinite(np.array(result.summary["solved_at"].values, float)).all()


def test_noise_is_in_the_training_labels_alone():
    experiment = PARITY.config.__class__(d=8, k=2, flips=0.3).experiment()
    held_out: Any = experiment.recording.measurements[1]
    assert (experiment.law.flips, held_out.law.flips) == (0.3, 0.0)

"""Every statement at a small size with its verdict, and with a planted error that must not hold."""

import math
from typing import Any

import numpy as np
import pytest

from featlearn.papers.abbe2022.flows import first_below, time_to_learn
from featlearn.papers.abbe2022.statements import (
    flow_limit,
    growth,
    leap_time,
    linear_floor,
    merged_staircase,
    necessary,
    tied,
)
from featlearn.papers.abbe2022.targets import CLASSES, TARGETS, predicted
from featlearn.theory import Verdict
from featlearn.theory.check import check

QUICK: dict[str, Any] = {
    "merged-staircase": (merged_staircase.statement, {"families": 10}, {"greatest": True}),
    "growth": (growth.statement, {}, {"base": 3.0}),
    "growth-constant": (growth.statement, {}, {"factor": 1.01}),
    "tied": (tied.statement, {"last": 100.0}, {"floor": 1.5}),
    "linear-floor": (linear_floor.statement, {"d": 8}, {"share": 0.5}),
}


@pytest.mark.parametrize("name", QUICK)
def test_a_statement_holds_and_its_planted_error_fails(name):
    make, sizes, error = QUICK[name]
    assert check(make(), seeds=3, **sizes).verdict is Verdict.HOLDS
    assert check(make(**error), seeds=3, **sizes).verdict is Verdict.FAILS


@pytest.mark.slow
@pytest.mark.parametrize("error", [{"weight": 2.0}, {"power": 2.0}])
def test_what_no_staircase_reaches_escapes_linearly_in_log_eps(error):
    small: dict[str, Any] = {"eps": (1e-2, 1e-3, 1e-4)}
    assert check(necessary.statement(), seeds=3, **small).verdict is Verdict.HOLDS
    assert check(necessary.statement(**error), seeds=3, **small).verdict is Verdict.FAILS


@pytest.mark.slow
@pytest.mark.parametrize("error", [{"per_leap": 1.0}, {"log_power": 2.0}])
def test_times_tell_leaps_apart(error):
    fewer: dict[str, Any] = {"logarithmic": ("x1 + x1*x2*x3",)}
    assert check(leap_time.statement(), seeds=6, **fewer).verdict is Verdict.HOLDS
    assert check(leap_time.statement(**error), seeds=6, **fewer).verdict is Verdict.FAILS


@pytest.mark.slow
def test_sgd_stays_near_the_flow_and_no_nearer_than_that():
    """All sizes together tell at 12 seeds; each alone takes the 24 of the statement."""
    assert check(flow_limit.statement(), seeds=12).parts[-1].verdict is Verdict.HOLDS
    assert check(flow_limit.statement(power=4.0), seeds=12).parts[-1].verdict is Verdict.FAILS


def test_the_twelve_targets_have_all_three_classes():
    assert len(TARGETS) == 12
    assert {predicted(target) for target in TARGETS.values()} == set(CLASSES)


def test_times_are_found_between_looks():
    assert time_to_learn("x1", 100.0, 0, neurons=8) < time_to_learn("x1*x2", 100.0, 0, neurons=8)
    times = np.array([0.0, 1.0, 2.0])
    assert first_below(times, np.array([1.0, 0.8, 0.4]), 0.6) == pytest.approx(1.5)
    assert math.isnan(first_below(times, np.array([1.0, 0.8, 0.7]), 0.6))

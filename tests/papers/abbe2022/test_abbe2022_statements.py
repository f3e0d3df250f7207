"""Every statement at a small size with its verdicts, its control, and slips that must fail."""

import math
from typing import Any

import numpy as np
import pytest

from featlearn.papers.abbe2022 import PAPER
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
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import Verdict
from featlearn.theory.check import check

QUICK: dict[str, Any] = {
    "merged-staircase": (merged_staircase, {"families": 10}, {"printed": None, "run": "HOLDS"}),
    "growth": (growth, {}, {"printed": "OPEN", "run": "HOLDS"}),
    "tied": (tied, {"last": 100.0}, {"printed": "HOLDS"}),
    "linear-floor": (linear_floor, {"d": 8}, {"printed": "OPEN", "run": "HOLDS"}),
}


@pytest.mark.parametrize("name", QUICK)
def test_a_statement_has_its_verdicts_and_its_control_does_not_hold(name):
    module, sizes, expected = QUICK[name]
    assert check(module.STATEMENT, seeds=3, **sizes).verdicts == expected
    broken = check(module.STATEMENT.negative_control(), seeds=3, **sizes).verdicts
    assert "FAILS" in broken.values()
    assert "HOLDS" not in broken.values()


SLIPS: dict[str, Any] = {
    "an exponent of u_3 of 4.02": (growth.statement, {}, {"base": 2.005}, {"base": 2.0001}),
    "a leading term": (growth.statement, {}, {"factor": 1.002}, {"factor": 1.0003}),
    "a floor of the tie": (tied.statement, {"last": 100.0}, {"floor": 1.001}, {"floor": 1 + 1e-13}),
    "a share": (linear_floor.statement, {"d": 8}, {"share": 1 - 1e-6}, {"share": 1 - 1e-10}),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_small_slip_fails_and_one_below_the_tolerance_passes(name):
    make, sizes, slip, below = SLIPS[name]
    assert "FAILS" in check(make(**slip), seeds=3, **sizes).verdicts.values()
    assert "FAILS" not in check(make(**below), seeds=3, **sizes).verdicts.values()


@pytest.mark.slow
@pytest.mark.parametrize("error", [{"weight": 1.1}, {"power": 1.5}])
def test_what_no_staircase_reaches_escapes_linearly_in_log_eps(error):
    small: dict[str, Any] = {"eps": (1e-2, 1e-3, 1e-4)}
    found = check(necessary.statement(), seeds=3, **small).verdicts
    assert found == {"printed": "HOLDS", "run": "HOLDS"}
    assert check(necessary.statement(**error), seeds=3, **small).verdicts["run"] == "FAILS"


@pytest.mark.slow
@pytest.mark.parametrize("error", [{"per_leap": 0.65}, {"log_power": 1.5}])
def test_times_tell_leaps_apart(error):
    fewer: dict[str, Any] = {"logarithmic": ("x1 + x1*x2*x3",)}
    found = check(leap_time.statement(), seeds=6, **fewer).verdicts
    assert found == {"printed": "OPEN", "run": "HOLDS"}
    assert check(leap_time.statement(**error), seeds=6, **fewer).verdicts["run"] == "FAILS"


@pytest.mark.slow
def test_sgd_stays_near_the_flow_and_no_nearer_than_that():
    """All sizes together tell at 12 seeds; each alone takes the 24 of the statement."""
    assert check(flow_limit.statement(), seeds=12).parts[-1].verdict is Verdict.HOLDS
    assert check(flow_limit.statement(power=4.0), seeds=12).parts[-1].verdict is Verdict.FAILS


def test_every_statement_has_its_text_and_what_holds_a_control():
    assert set(TEXTS) == set(PAPER.statements)
    for name, text in TEXTS.items():
        statement = PAPER.statement(name)
        assert statement.text is text
        assert all(used in TEXTS for used in text.uses)
        assert statement.control


def test_the_twelve_targets_have_all_three_classes():
    assert len(TARGETS) == 12
    assert {predicted(target) for target in TARGETS.values()} == set(CLASSES)


def test_times_are_found_between_looks():
    assert time_to_learn("x1", 100.0, 0, neurons=8) < time_to_learn("x1*x2", 100.0, 0, neurons=8)
    times = np.array([0.0, 1.0, 2.0])
    assert first_below(times, np.array([1.0, 0.8, 0.4]), 0.6) == pytest.approx(1.5)
    assert math.isnan(first_below(times, np.array([1.0, 0.8, 0.7]), 0.6))

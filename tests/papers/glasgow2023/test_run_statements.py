"""Statements about training: judged on short runs, each with a planted error that fails."""

from typing import Any

import numpy as np
import pytest

from featlearn.papers.glasgow2023.statements import (
    definition_4_2,
    lemma_4_1,
    lemma_4_4,
    proposition_f_1,
    remark_4_3,
    theorem_3_1,
)
from featlearn.theory import Verdict
from featlearn.theory.check import check

RUN: dict[str, Any] = {"d": 16, "width": 40, "steps": 100}
ONE: dict[str, Any] = {"d": 16, "width": 40, "steps": 80}
TWO: dict[str, Any] = {"d": 16, "width": 40, "eta": 0.1, "steps": 200}
SIZES: dict[str, Any] = {"d": (12, 48), "width": 32, "steps": 110}
FLOOR: dict[str, Any] = {"d": (32,), "width": 16, "test": 200, "steps": 10}


def failed(judged):
    return {part.name for part in judged.parts if part.verdict is Verdict.FAILS}


@pytest.mark.parametrize(
    ("module", "sizes", "factor"),
    [
        (definition_4_2, RUN, "times 4.1e-05"),
        (lemma_4_1, {**ONE, "log_power": 2.0}, "times too large"),
        (lemma_4_4, TWO, "eta = 0.1 is 1.4e+12 times 6.9e-14"),
    ],
)
def test_with_the_constants_of_the_paper_a_run_is_out_of_scope_and_says_by_how_much(
    module, sizes, factor
):
    judged = check(module.STATEMENT, seeds=3, **sizes)
    assert judged.verdict is Verdict.OUT_OF_SCOPE
    assert factor in judged.reason
    assert not failed(judged)


def test_with_constants_that_it_satisfies_the_run_is_judged():
    assert check(definition_4_2.STATEMENT, seeds=3, constants="run", **RUN).verdict is None
    assert check(lemma_4_4.STATEMENT, seeds=6, constants="run", **TWO).verdict is Verdict.HOLDS
    judged = check(lemma_4_1.STATEMENT, seeds=11, log_power=0.0, **ONE)
    assert judged.verdict in (Verdict.HOLDS, Verdict.UNDECIDED), str(judged)
    assert judged.parts[0].verdict is Verdict.HOLDS


def test_planted_errors_in_the_phases_fail():
    judged = check(definition_4_2.statement(longest=0.5), seeds=3, constants="run", **RUN)
    assert failed(judged) == {"largest |a|/||w||"}
    judged = check(lemma_4_1.statement(share=0.3), seeds=3, log_power=0.0, **ONE)
    assert judged.verdict is Verdict.FAILS
    judged = check(lemma_4_4.statement(rate=1.0), seeds=3, constants="run", **TWO)
    assert judged.verdict is Verdict.FAILS


def test_the_theorem_holds_and_with_other_powers_it_fails():
    judged = check(theorem_3_1.STATEMENT, seeds=5, **SIZES)
    assert judged.verdict in (Verdict.HOLDS, Verdict.UNDECIDED), str(judged)
    cheap = check(theorem_3_1.statement(d_power=-1.0), seeds=5, **SIZES)
    assert "samples m t* eta" in failed(cheap)
    outside = check(theorem_3_1.STATEMENT, seeds=2, eta=0.9, **SIZES)
    assert outside.verdict is Verdict.OUT_OF_SCOPE


def test_the_second_layer_keeps_the_mass_outside_the_heavy_set_small():
    judged = check(remark_4_3.STATEMENT, seeds=3, **TWO)
    assert judged.verdict in (Verdict.HOLDS, Verdict.UNDECIDED), str(judged)
    ratios = {name: constant.value for name, constant in judged.constants.items()}
    assert ratios["mass ratio, both layers"] < ratios["mass ratio, first layer only"]
    planted = check(remark_4_3.statement(rate=1.0), seeds=3, **TWO)
    assert planted.verdict is Verdict.FAILS


def test_the_floor_is_never_confirmed_and_can_be_contradicted():
    judged = check(proposition_f_1.STATEMENT, seeds=4, **FLOOR)
    assert judged.verdict is Verdict.UNDECIDED
    assert all("not contradicted" in part.reason for part in judged.parts)
    assert check(proposition_f_1.statement(0.9), seeds=4, **FLOOR).verdict is Verdict.FAILS


def test_the_floor_allows_d_over_log_squared_samples():
    assert [proposition_f_1.allowed(d) for d in (64, 256, 1024)] == [3, 8, 21]
    assert np.isclose(proposition_f_1.FLOOR, 0.03)

"""Statements by name and verdict, each with a planted error that must fail."""

import json
from dataclasses import replace

import numpy as np
import pytest

from featlearn.papers.shi2022 import PAPER
from featlearn.papers.shi2022.first_step import first_step
from featlearn.papers.shi2022.statements import (
    corollary_3,
    lemma_5,
    lemma_6,
    lemma_18,
    lemma_20,
    lemma_21,
    lemma_22,
    lemma_23,
    theorem_2,
    theorem_4,
)
from featlearn.theory import Verdict
from featlearn.theory.check import check

FEW = {"dictionary": (20, 60), "neurons": 2, "seeds": 4}
SECOND = {"m": (10, 300), "dictionary": 20, "neurons": 2, "seeds": 4}


def judged(statement, seeds=2, **changes):
    return check(statement, seeds=seeds, **changes)


def verdict(statement, seeds=2, **changes):
    return judged(statement, seeds, **changes).verdict


def test_lemma_5_holds_for_every_subset_and_a_bent_tent_does_not():
    sizes = {"k": 3, "parity_to": 4, "background": 3}
    assert verdict(lemma_5.STATEMENT, seeds=1, **sizes) is Verdict.HOLDS
    bent = lemma_5.statement(lambda law: lemma_5.good_network(law, tent=(1.0, -1.9, 1.0)))
    assert verdict(bent, seeds=1, **sizes) is Verdict.FAILS


@pytest.mark.slow
def test_lemma_5_holds_for_all_64_subsets_and_for_parity_to_15():
    assert verdict(lemma_5.STATEMENT, seeds=1) is Verdict.HOLDS


def test_lemma_6_holds_and_fails_for_components_that_grow():
    assert verdict(lemma_6.STATEMENT, **FEW) is Verdict.HOLDS
    # Components that grow with D: far beyond what four seeds and two sizes leave open.
    planted = lemma_6.statement(lambda steps: steps.one.T + steps.law.dictionary**3)
    assert verdict(planted, **FEW) is Verdict.FAILS


def test_lemma_18_holds_and_fails_with_another_smoothing():
    sizes = {"dictionary": 6, "k": 3, "width": 4}
    assert verdict(lemma_18.STATEMENT, **sizes) is Verdict.HOLDS
    planted = lemma_18.statement(lambda q, b, law, r: first_step(q, b, law, 1.01 * r))
    assert verdict(planted, **sizes) is Verdict.FAILS


def test_lemma_20_holds_and_fails_for_components_that_do_not_shrink():
    assert verdict(lemma_20.STATEMENT, **SECOND) is Verdict.HOLDS
    # In proportion to |a|, as the bound is, so that all neurons miss it alike; but not to eta1.
    planted = lemma_20.statement(lambda steps: steps.two.T + 1e-3 * np.abs(steps.a)[:, None])
    assert verdict(planted, **SECOND) is Verdict.FAILS


def test_lemma_21_holds_and_fails_for_biases_that_move():
    assert verdict(lemma_21.STATEMENT, **SECOND) is Verdict.HOLDS
    planted = lemma_21.statement(lambda steps: 1e-3 * np.abs(steps.a))
    assert verdict(planted, **SECOND) is Verdict.FAILS


def test_lemma_22_holds_and_fails_for_a_second_layer_that_stays_large():
    assert verdict(lemma_22.STATEMENT, **SECOND) is Verdict.HOLDS
    planted = lemma_22.statement(lambda steps: np.full(len(steps.a), 1e-3))
    assert verdict(planted, **SECOND) is Verdict.FAILS


def test_lemma_23_holds_and_fails_at_the_start():
    sizes = {"width": 60, "dictionary": 12, "k": 3, "samples": 4000, "fitted": 300, "judged": 500}
    assert verdict(lemma_23.STATEMENT, **sizes) is Verdict.HOLDS
    planted = lemma_23.statement(lambda c, s, seed: lemma_23.zero_loss(c, s, seed, step=0))
    assert verdict(planted, **sizes) is Verdict.FAILS


def test_theorem_2_is_not_contradicted_but_a_higher_floor_is():
    sizes = {"features": (10,), "norms": (4.0,), "samples": 1000, "sets": 2}
    judgement = judged(theorem_2.STATEMENT, **sizes)
    assert judgement.verdict is Verdict.UNDECIDED
    assert "not contradicted" in judgement.reason
    planted = theorem_2.statement(lambda p_o, N, B, k, D: 1.5)
    assert verdict(planted, **sizes) is Verdict.FAILS


def test_theorem_2_says_nothing_outside_its_hypotheses():
    sizes = {"features": (5,), "norms": (1.0,), "samples": 200, "sets": 1, "k": 4}
    assert verdict(theorem_2.STATEMENT, **sizes) is Verdict.OUT_OF_SCOPE


@pytest.mark.slow
def test_corollary_3_is_not_contradicted_but_a_higher_floor_is():
    sizes = {"norms": (3.0,), "samples": 100, "sets": 1}
    assert verdict(corollary_3.STATEMENT, **sizes) is Verdict.UNDECIDED
    planted = corollary_3.statement(lambda L, k, D: 1.5)
    assert verdict(planted, **sizes) is Verdict.FAILS


def test_theorem_4_is_a_calculator():
    assert theorem_4.least_queries(100, 5) == pytest.approx(211.1, abs=0.1)
    sizes = {"dictionary": 10, "k": 3, "width": 4, "samples": 1000, "steps": 4}
    judgement = judged(theorem_4.STATEMENT, **sizes)
    assert judgement.verdict is None
    assert judgement.parts[0].measured == pytest.approx(0.5 * 120 ** (1 / 3))


@pytest.mark.parametrize("name", ["theorem-1", "theorem-34"])
def test_the_guarantees_are_out_of_scope_at_any_size_that_runs(name):
    small = {"dictionary": 12, "k": 3, "width": 8, "samples": 1000, "steps": 4}
    statement = PAPER.statement(name)
    judgement = judged(statement, **small)
    assert judgement.verdict is Verdict.OUT_OF_SCOPE
    assert "needed" in judgement.reason


def test_every_statement_and_item_of_the_paper_can_be_imported_and_is_expected():
    expected = PAPER.expected()
    for name, title in PAPER.statements.items():
        statement = PAPER.statement(name)
        assert (statement.id, statement.title) == (f"shi2022.{name}", title)
        assert name in expected["verdicts"]
    for name in PAPER.items:
        assert PAPER.item(name).id == f"shi2022.{name}"
    assert set(PAPER.quick) <= {*PAPER.statements, *PAPER.items}
    assert json.dumps(expected)
    assert replace(PAPER.experiments[0], id="x").id == "x"

"""The statements of Frei et al.: their verdicts, their scope, and planted errors that FAIL.

At sizes that a test can afford: fewer points and inputs with the step size of the checks would
leave the scope, so a smaller setting inside it (C = 4, alpha = 1/4, T = 2) stands in.
"""

import dataclasses
import functools
import importlib
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from featlearn.cli.main import main
from featlearn.distributions import Clusters
from featlearn.papers.frei2022 import PAPER
from featlearn.papers.frei2022.assumptions import (
    assumptions,
    in_scope,
    largest_constants,
    least_constant,
    window,
)
from featlearn.papers.frei2022.setting import HIGH, LOW, PLANE, XorClusters
from featlearn.papers.frei2022.statements.linear_baseline import affine
from featlearn.papers.frei2022.statements.proposition_15 import largest_sum
from featlearn.theory.check import check

SMALL = XorClusters(
    eta=0.25, d=400, samples=400, width=60, noise_norm=0.1, flips=0.06, start_norm=0.01, test=400
)
SEEDS = range(18)
"""0.025^(1/18) = 0.815: eighteen successes decide a probability of 1 - 4 delta = 0.8."""


def module(name):
    return importlib.import_module(f"featlearn.papers.frei2022.statements.{name}")


def judged(statement, config, seeds):
    return check(dataclasses.replace(statement, config=config), seeds=seeds)


@functools.cache
def decided(name, **changes):
    statement = module(name).statement(**changes) if changes else module(name).STATEMENT
    return judged(statement, SMALL, len(SEEDS))


def test_the_small_setting_is_in_scope():
    assert in_scope(SMALL)
    assert least_constant(SMALL) == 4
    assert min(largest_constants(SMALL).values()) > 4


@pytest.mark.parametrize(
    "name",
    [
        "theorem_1",
        "proposition_2",
        "definition_7",
        "condition_9",
        "condition_10",
        "lemma_11",
        "lemma_12",
        "lemma_13",
        "lemma_14",
        "equation_40",
        "lemma_8",
        "proposition_15",
        "linear_baseline",
    ],
)
def test_what_is_claimed_with_probability_four_fifths_or_always_holds(name):
    judgement = decided(name)
    assert judgement.verdict is not None
    assert judgement.verdict.name == "HOLDS", judgement.reason


@pytest.mark.parametrize("name", ["lemma_3", "lemma_4", "lemma_5", "lemma_6"])
def test_what_is_claimed_with_more_needs_more_seeds_and_says_how_many(name):
    judgement = decided(name)
    assert judgement.verdict is not None
    assert judgement.verdict.name == "UNDECIDED"
    assert "seen in 18 of 18 seeds" in judgement.reason
    assert ("36" if name == "lemma_6" else "72") in judgement.reason


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("theorem_1", {"fitted": True}),
        ("theorem_1", {"constant": -1.0}),
        ("proposition_2", {"power": 2.0}),
        ("lemma_3", {"spread": 0.01}),
        ("lemma_3", {"lost": 0.0}),
        ("lemma_4", {"share": 2.0}),
        ("lemma_5", {"C1": 0.2}),
        ("lemma_6", {"C2": 3.0}),
        ("definition_7", {"C1": 0.2}),
        ("lemma_8", {"share": 4.0}),
        ("condition_9", {"first": 0}),
        ("condition_10", {"factor": 0.01}),
        ("lemma_11", {"scale": 1e5}),
        ("lemma_12", {"t": 0}),
        ("lemma_13", {"factor": 0.01}),
        ("lemma_14", {"factor": 0.05}),
        ("equation_40", {"scale": 1e4}),
        ("linear_baseline", {"fit": affine}),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_a_planted_error_fails(name, changes):
    judgement = decided(name, **changes)
    assert judgement.verdict is not None
    assert judgement.verdict.name == "FAILS", judgement.reason


def test_a_wrong_rate_of_complexity_fails():
    judgement = decided("proposition_15", predict=lambda moment, n: 2 * math.sqrt(moment) / n)
    assert judgement.verdict is not None
    assert judgement.verdict.name == "FAILS"


def half_of(clusters: Clusters) -> tuple[float, float]:
    """The error without its second factor: p = 2 Phi(-q)."""
    q = 1 / (clusters.sigma * math.sqrt(2))
    tail = math.erfc(q / math.sqrt(2))
    return tail, clusters.floor


def test_the_closed_error_of_appendix_d_holds_and_without_its_second_factor_fails(monkeypatch):
    appendix = module("appendix_d")
    monkeypatch.setattr(appendix, "SIGMAS", (0.5,))
    right = judged(appendix.STATEMENT, SMALL, 2)
    assert right.verdict is not None
    assert right.verdict.name == "HOLDS", right.reason
    wrong = judged(appendix.statement(predict=half_of), SMALL, 2)
    assert wrong.verdict is not None
    assert wrong.verdict.name == "FAILS"


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"eta": 1.25}, {"A7", "T"}),
        ({"noise_norm": 0.625}, {"A2"}),
        ({"flips": 0.3}, {"A4"}),
        ({"start_norm": 1.0}, {"A6"}),
        ({"d": 100}, {"A1"}),
        ({"width": 20}, {"A5"}),
        ({"samples": 60, "d": 2200}, {"A3"}),
        ({"trained": "both"}, {"network"}),
        ({"eta": 0.1}, {"A1", "A2", "A4", "T"}),
    ],
    ids=lambda value: "+".join(sorted(map(str, value))),
)
def test_each_assumption_is_seen_to_fail(changes, broken):
    found = {each.name for each in assumptions(replace(XorClusters(), **changes)) if not each.holds}
    assert broken <= found


def test_ten_times_the_step_or_the_noise_is_out_of_scope():
    for larger in (replace(SMALL, eta=2.5), replace(SMALL, noise_norm=1.0)):
        judgement = judged(module("theorem_1").STATEMENT, larger, 1)
        assert judgement.verdict is not None
        assert judgement.verdict.name == "OUT_OF_SCOPE"


def test_the_limits_are_those_of_the_text():
    limits = largest_constants(XorClusters())
    assert window(0.125) == (16, 64)
    assert limits["A2"] == pytest.approx(16)
    assert limits["A4"] == pytest.approx(16)
    assert limits["A6"] == pytest.approx(100)
    assert limits["A1"] == pytest.approx(2200 / math.log(20_000) ** 2)
    assert window(0.05) == pytest.approx((100, 400))
    assert largest_constants(PLANE.config)["A2"] == pytest.approx(5)
    assert largest_constants(PLANE.config)["A4"] == pytest.approx(1 / 0.15)


def test_both_figures_are_told_to_be_outside_the_theorem():
    judgement = judged(module("scope").STATEMENT, XorClusters(), 1)
    assert judgement.verdict is None
    places = {part.name: part.reason.split(":")[0] for part in judgement.parts}
    assert places == {
        "this setting": "in scope",
        "a second setting in scope": "in scope",
        "figure 1": "outside the theorem",
        "figure 2, n >> d": "outside the theorem",
        "figure 2, d >> n": "outside the theorem",
    }
    assert not any(in_scope(named.config) for named in (PLANE, LOW, HIGH))


def test_the_largest_sum_is_that_of_a_fine_search(rng):
    for _ in range(5):
        x, signs = rng.normal(size=(30, 2)), np.sign(rng.normal(size=30))
        angle = np.linspace(0, 2 * np.pi, 200_001)
        unit = np.stack([np.cos(angle), np.sin(angle)])
        searched = (np.maximum(x @ unit, 0) * signs[:, None]).sum(0).max()
        exact = largest_sum(x, signs)
        assert searched <= exact + 1e-12
        assert searched == pytest.approx(exact, rel=1e-4)  # borders, 3e-5 apart at most


def test_every_statement_has_an_expected_verdict_and_lists_every_assumption():
    expected = PAPER.expected()["verdicts"]
    assert set(expected) == set(PAPER.statements)
    for name in PAPER.statements:
        statement = PAPER.statement(name)
        assert statement.id == f"frei2022.{name}"
        listed = [each.name for each in statement.assumptions(statement.config)]
        assert listed == ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "T", "network"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--samples 0", "samples: expected at least 1, got 0."),
        ("--flips 0.5", "flips: expected a probability from 0 to below 1/2, got 0.5."),
        ("--d 2 --mu1 1,0 --mu2 0.6,0.8", "mu2: expected a vector orthogonal to mu1, got the"),
        ("--sigma 0.1,0.2", "0.1,0.2"),
        ("--noise cauchy", "cauchy"),
        ("--simulation planar", "simulation: expected 'planar' with d = 2 only, got d = 2200."),
    ],
)
def test_bad_input_ends_with_two_and_a_sentence(flags, message, capsys):
    code = main(["run", "frei2022.clusters", *flags.split(), "--json"])
    out = capsys.readouterr()
    assert code == 2
    assert message in out.out + out.err
    if out.out:
        assert json.loads(out.out)["error"]

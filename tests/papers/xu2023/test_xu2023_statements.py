"""The statements of Xu et al.: their verdicts, thresholds of their proofs, and planted errors.

At n = 60 in 8e8 dimensions with A1 to A6 met at C = 1, forty runs: 36 that all succeed decide a
probability of 9 in 10.
"""

import dataclasses
import functools
import importlib
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from featlearn.papers.xu2023 import PAPER
from featlearn.papers.xu2023.assumptions import (
    EPSILON,
    hypotheses,
    largest_constants,
    least_constants,
    thresholds,
    window,
)
from featlearn.papers.xu2023.counts import count_probability
from featlearn.papers.xu2023.items.missed_clusters import growth, predicted, pull, share
from featlearn.papers.xu2023.orthants import orthant_ratio
from featlearn.papers.xu2023.setting import CLUSTERS, SMALL_STEPS, AssumptionsMet
from featlearn.papers.xu2023.statements.lemma_4_6 import ManyTerms
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.papers.xu2023.watched import OPPOSITE, look_at, watch
from featlearn.theory import Event, Reading, Verdict
from featlearn.theory import judged as event_claim
from featlearn.theory.check import check
from featlearn.theory.hypotheses import window as possible

SMALL = AssumptionsMet(samples=60, width=60, test=200)
SEEDS = range(40)
RUNS = ("theorem_3_1", "lemma_4_1", "corollary_4_2", "lemma_4_3", "lemma_4_4", "lemma_4_7")


def module(name):
    return importlib.import_module(f"featlearn.papers.xu2023.statements.{name}")


def judged(statement, config, seeds):
    return check(dataclasses.replace(statement, config=config), seeds=seeds)


@functools.cache
def decided(name, **changes):
    statement = module(name).statement(**changes) if changes else module(name).STATEMENT
    config = SMALL if name in (*RUNS, "theorem_4_8", "equation_4_3") else statement.config
    return judged(statement, config, len(SEEDS) if name in RUNS else 20)


def verdicts(judgement):
    return {part.name: part.verdict for part in judgement.parts}


def clause(judgement, begins):
    return next(part for part in judgement.parts if part.name.startswith(begins))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("theorem_3_1", ["(i) labels wrong at any time looked at from 1 to sqrt n"]),
        (
            "lemma_4_1",
            ["B1 largest <x - xbar, nu>/|mu|", "B2 largest |<x, x'> - <xbar, xbar'>|/sqrt p"],
        ),
        ("corollary_4_2", ["largest |cos| times C n^2, against 2"]),
        ("lemma_4_3", ["C1 |W(0)|^2/(omega^2 m p)", "P(C2), binomial"]),
    ],
)
def test_what_can_be_had_at_small_n_holds(name, parts):
    found = verdicts(decided(name))
    assert [found[part] for part in parts] == [Verdict.HOLDS] * len(parts)


def test_no_statement_about_runs_is_decided_by_its_print_or_its_proof():
    """Each has a C, and those on good runs are out of scope below n = 10^306."""
    expected = {
        "theorem_3_1": ("OPEN", "OUT_OF_SCOPE"),
        "lemma_4_1": ("OPEN", "OUT_OF_SCOPE"),
        "corollary_4_2": ("OPEN", "OUT_OF_SCOPE"),
        "lemma_4_3": ("OPEN", None),
        "lemma_4_4": ("OPEN", "OUT_OF_SCOPE"),
        "lemma_4_7": ("OUT_OF_SCOPE", "OUT_OF_SCOPE"),
    }
    found = {name: decided(name).verdicts for name in expected}
    assert {n: (v["printed"], v.get("proof")) for n, v in found.items()} == expected


def test_the_corollary_waits_for_one_n_and_C_together():
    """10 sqrt(log n) <= C n^.51 with the C that A1 and A2 leave: n = 558 at C = 1."""
    lemma = module("corollary_4_2").STATEMENT

    def scope(samples, C=1.0):
        config = AssumptionsMet(samples=samples, C=C)
        asked = tuple(each for each in lemma.hypotheses(config))
        low, high = possible(asked, "C")
        return low <= high * (1 + 1e-9)

    assert (scope(557), scope(558), scope(100, C=3.0)) == (False, True, True)


def test_lemma_4_7_holds_from_the_second_step_on_with_the_proofs_numbers():
    assert decided("lemma_4_7").verdicts["run"] == "HOLDS"


@pytest.mark.parametrize("name", ["lemma_a_14", "lemma_a_15", "lemma_a_16", "lemma_a_17"])
def test_the_lemmas_of_probability_hold_as_printed(name):
    assert decided(name).verdicts == {"printed": "HOLDS"}


@pytest.mark.parametrize(
    "name",
    [
        "corollary_4_2",
        "lemma_4_3",
        "lemma_4_6",
        "lemma_4_7",
        "lemma_a_14",
        "lemma_a_15",
        "lemma_a_16",
        "lemma_a_17",
        pytest.param("theorem_3_1", marks=pytest.mark.slow),
        pytest.param("theorem_4_8", marks=pytest.mark.slow),
    ],
)
def test_the_control_does_not_hold_in_any_reading(name):
    broken = module(name).STATEMENT.negative_control()
    config = broken.config
    if isinstance(config, AssumptionsMet):
        config = replace(SMALL, flips=config.flips)
    elif isinstance(config, ManyTerms):
        config = replace(config, terms=100, trials=200)
    found = judged(broken, config, len(SEEDS)).verdicts
    assert "FAILS" in found.values()
    assert "HOLDS" not in found.values()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("corollary_4_2", {"factor": 1.0}),
        ("lemma_4_3", {"length": 0.99}),
        ("lemma_4_3", {"share": 2.1}),
        ("lemma_4_7", {"slope": 1 / 10}),
        ("lemma_4_7", {"first": 1}),  # as printed
        ("lemma_4_7", {"constant": 0.0}),
        ("theorem_4_8", {"constant": 1.0}),
        pytest.param(
            "equation_4_3", {"power": -1.0, "widths": (20, 60, 180)}, marks=pytest.mark.slow
        ),
        pytest.param(  # alpha/4n
            "equation_4_3", {"factor": 2.0, "widths": (20, 60, 180)}, marks=pytest.mark.slow
        ),
        ("lemma_a_14", {"quarter": 0.2500001}),
        ("lemma_a_14", {"upper": 0.49}),
        ("lemma_a_14", {"third": 1.05}),
        ("lemma_a_15", {"factor": 1.03}),
        ("lemma_a_16", {"reach": 0.1}),
        ("lemma_a_17", {"eighth": 6.4}),
        ("lemma_a_17", {"half": 1.97}),
    ],
)
def test_a_planted_error_fails(name, changes):
    assert "FAILS" in decided(name, **changes).verdicts.values()
    same = {key: value for key, value in changes.items() if key == "widths"}
    assert "FAILS" not in decided(name, **same).verdicts.values(), "it would fail anyway"


@pytest.mark.parametrize(
    ("name", "begins", "changes"),
    [
        ("theorem_3_1", "(i) ", {"first": 0}),  # fitted before any step
        ("theorem_3_1", "(ii)", {"chance": 0.25}),  # three clusters of four right after one step
        ("theorem_3_1", "(iii)", {"constant": 1.0}),  # the exponent itself, not a 115 200th of it
        ("lemma_4_1", "B2", {"factor": 1.5}),
    ],
)
def test_a_planted_error_fails_in_its_own_clause(name, begins, changes):
    right, wrong = clause(decided(name), begins), clause(decided(name, **changes), begins)
    assert wrong.verdict is Verdict.FAILS
    assert right.verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("begins", "config", "changes"),
    [
        pytest.param(
            "D1", replace(SMALL, width=480), {"active": 3.0}, marks=pytest.mark.slow
        ),  # D1 needs neurons
        pytest.param(
            "D4", replace(SMALL, samples=500, width=200), {"room": 2.0}, marks=pytest.mark.slow
        ),  # D4 needs aligned ones
    ],
)
def test_a_planted_error_of_lemma_4_4_fails_in_its_own_clause(begins, config, changes):
    lemma = module("lemma_4_4")
    wrong = clause(judged(lemma.statement(**changes), config, 40), begins)
    assert wrong.verdict is Verdict.FAILS
    assert clause(judged(lemma.STATEMENT, config, 40), begins).verdict is Verdict.HOLDS


@pytest.mark.slow
def test_an_event_that_nine_of_ten_samples_notice_fails_and_half_of_what_is_left_passes():
    """Corollary 4.2 with a limit that as many runs break as D90 says."""
    lemma = module("corollary_4_2")
    runs = [lemma.fact(watch(SMALL.setting(), seed)).measured for seed in range(240)]
    p0, trials = 0.9, len(SEEDS)

    def part(sample, limit):
        events = [Event(name="x", measured=each, limit=limit) for each in sample]
        return event_claim("x", events, p0).part

    D90 = part(runs[:trials], 2.0).strength.detectable
    limit = float(np.quantile(runs, p0 * (1 - D90)))
    rng = np.random.default_rng(7)
    draws = [part(rng.choice(runs[trials:], trials, replace=False), limit) for _ in range(20)]
    assert [each.verdict for each in draws].count(Verdict.FAILS) >= 16
    here = part(runs[:trials], 2.0)
    assert here.verdict is Verdict.HOLDS
    assert part(runs[:trials], (max(runs[:trials]) + 2.0) / 2).verdict is Verdict.HOLDS


def test_a_share_of_b_that_nine_of_ten_samples_notice_fails_and_half_of_what_is_left_passes():
    lemma = module("lemma_4_6")
    few = ManyTerms(terms=100, trials=200)

    def part(share, first_seed=0):
        statement = dataclasses.replace(lemma.statement(share), config=few)
        return check(statement, seeds=10, first_seed=first_seed).parts[0]

    here = part(0.5)
    assert here.verdict is Verdict.HOLDS
    mean, sd = lemma.LAWS["uniform"]
    scale = math.sqrt((sd**2 / 2 + mean**2 / 4) / few.terms) / mean  # of z, per share of b
    fails = [
        part(0.5 + here.strength.detectable * scale, 100 + 10 * draw).verdict for draw in range(20)
    ]
    assert fails.count(Verdict.FAILS) >= 16
    left = 0.1 - float(here.strength.excluded.split()[-1])
    assert part(0.5 + left / 2 * scale).verdict is Verdict.HOLDS


def test_the_proof_of_the_theorem_is_out_of_scope_and_says_from_where_on():
    found = decided("theorem_3_1")
    proof = next(read for read in found.readings if read.reading is Reading.PROOF)
    assert proof.verdict is Verdict.OUT_OF_SCOPE
    assert "n^(10 eps) >= 800" in proof.reason
    missed = {each.name: each.factor for each in proof.assumptions if not each.holds}
    assert missed["log10 n, margin"] == pytest.approx(1161.2 / math.log10(60), rel=1e-3)
    assert missed["A2: p >= C n^2 |mu|^2"] == pytest.approx(150, rel=1e-3)


def test_the_three_clauses_are_judged_at_once():
    found = decided("theorem_3_1")
    parts = {part.name[:5]: part.measured for part in found.parts}
    assert found.parts[0].name == "all at once"
    assert parts["all a"] <= min(parts["(i) l"], parts["(ii) "], parts["(iii)"])


def test_lemma_4_6_fails_as_printed_and_holds_corrected():
    assert decided("lemma_4_6").verdicts == {"printed": "FAILS", "corrected": "HOLDS"}
    statement = module("lemma_4_6").STATEMENT
    shared = judged(statement, ManyTerms(shared=True), 10)
    assert shared.verdicts == {"printed": "FAILS", "corrected": "FAILS"}


def test_counts_fail_with_any_probability_and_say_from_where_on_they_are_possible():
    found = decided("lemma_4_1")
    assert found.verdicts["run"] == "FAILS"
    assert "10^306" in found.reason


def test_there_is_no_good_run():
    config = replace(SMALL, samples=40)
    found = judged(module("definition_4_5").STATEMENT, config, 3)
    assert found.verdict is None
    assert (found.parts[0].measured, found.parts[0].predicted) == (0, 0)


def test_outside_the_assumptions_nothing_is_tested():
    figure = hypotheses(CLUSTERS.config)
    assert [each.name[:2] for each in figure if not each.met(1.0)] == ["A1", "A2", "A5"]
    met = AssumptionsMet(C=150, samples=90).setting()
    assert all(each.met(150.0) for each in hypotheses(met))
    assert possible(hypotheses(met), "C")[1] == pytest.approx(150, rel=1e-6)


def test_the_figures_miss_the_assumptions_by_the_factors_that_the_page_says():
    left, right = (largest_constants(each.config) for each in (CLUSTERS, SMALL_STEPS))
    assert 1 / left["A1"] == pytest.approx(2.4, rel=0.01)
    assert 1 / left["A2"] == pytest.approx(1250)
    assert 1 / left["A5"] == pytest.approx(2.02e5, rel=0.01)
    assert 1 / right["A5"] == pytest.approx(2.02e9, rel=0.01)


def test_thresholds_of_the_proofs():
    found = {name: each.log10_n for name, each in thresholds().items()}
    assert found["margin"] == pytest.approx(400 * math.log10(800))
    assert found["aligned"] == pytest.approx(400 * math.log10(4))
    assert found["most aligned"] == pytest.approx(200)
    assert found["counts, probability"] == pytest.approx(4000 * math.log10(8))
    assert 10 ** found["window"] == pytest.approx(27_600, rel=0.001)
    u = found["counts"] * math.log(10) * EPSILON
    assert 2 * math.sqrt(u) == pytest.approx(math.exp(-u))
    # All grow as epsilon falls: the largest epsilon is the most favourable.
    smaller = {name: each.log10_n for name, each in thresholds(EPSILON / 2).items()}
    assert all(smaller[name] >= found[name] for name in found if name != "one step, proof")
    assert least_constants()["A.26"] == pytest.approx(360)
    low, high = window(AssumptionsMet(samples=500).setting(), 150)
    assert low > high


def by_hand(n, eta, epsilon):
    """P(B3, B4) by listing every way to place and flip n points."""
    total = 0.0
    outcomes = list(itertools.product(range(4), (False, True)))
    for points in itertools.product(outcomes, repeat=n):
        points_in, flipped = np.zeros(4), np.zeros(4)
        weight = 1.0
        for cluster, flip in points:
            points_in[cluster] += 1
            flipped[cluster] += flip
            weight *= (eta if flip else 1 - eta) / 4
        root = math.sqrt(epsilon * n * math.log(n))
        near = np.abs(points_in - n / 4) <= root
        few = np.abs(flipped - eta * points_in) <= math.sqrt(eta) * root
        apart = np.abs(points_in - points_in[OPPOSITE]) >= n ** (0.5 - epsilon)
        uneven = np.abs(flipped - flipped[OPPOSITE]) >= eta * n ** (0.5 - epsilon)
        total += weight * bool((near & few & apart & uneven).all())
    return total


@pytest.mark.parametrize(("eta", "epsilon"), [(0.3, 0.4), (0.2, 0.8), (0.4, 1.2)])
def test_counts_are_those_of_listing_all_samples(eta, epsilon):
    assert count_probability(4, eta, epsilon) == pytest.approx(by_hand(4, eta, epsilon), abs=1e-12)


def test_counts_are_those_of_many_samples(rng):
    n, eta, epsilon, trials = 200, 0.05, 0.2, 100_000
    sizes = rng.multinomial(n, [0.25] * 4, size=trials)
    F = rng.binomial(sizes, eta)
    root = math.sqrt(epsilon * n * math.log(n))
    kept = np.abs(sizes - n / 4) <= root
    kept &= np.abs(F - eta * sizes) <= math.sqrt(eta) * root
    kept &= np.abs(sizes - sizes[:, OPPOSITE]) >= n ** (0.5 - epsilon)
    kept &= np.abs(F - F[:, OPPOSITE]) >= eta * n ** (0.5 - epsilon)
    exact = count_probability(n, eta, epsilon)
    error = math.sqrt(exact * (1 - exact) / trials)
    assert abs(kept.all(axis=1).mean() - exact) < 5 * error


def test_orthants_of_three_are_known():
    rho = 0.2
    exact = 8 * (1 / 8 + 3 * math.asin(rho) / (4 * math.pi))
    assert orthant_ratio(3, 3, rho) == pytest.approx(exact, rel=1e-10)
    assert sum(math.comb(5, k) * orthant_ratio(5, k, rho) for k in range(6)) == pytest.approx(32)


@pytest.mark.slow
def test_a_cluster_whose_flips_outweigh_its_neurons_is_missed():
    runs = [watch(SMALL.setting(), seed) for seed in SEEDS]
    missed = np.array([run.missed[-1] for run in runs])
    claim = np.array([predicted(run) for run in runs])
    # Seen: 22 of 23 predicted clusters missed, and 18 of the 137 others.
    assert claim.sum() > 10
    assert missed[claim].mean() > 0.6
    assert missed[~claim].mean() < 0.25
    for run in runs[:3]:
        s = share(run)
        assert np.all((s + s[OPPOSITE] <= 1 + 1e-12) & (s >= 0))
        assert np.array_equal(predicted(run), growth(run) < pull(run))


def test_times_looked_at_begin_with_every_step():
    assert look_at(1) == (0, 1)
    assert look_at(2000)[:5] == (0, 1, 2, 3, 4)
    assert look_at(2000)[-1] == 2000


def test_every_statement_has_its_text_and_what_holds_a_control():
    assert set(TEXTS) == set(PAPER.statements)
    for name, text in TEXTS.items():
        statement = PAPER.statement(name)
        assert statement.text is text
        assert all(used in TEXTS for used in text.uses)
        named = {h.constant for h in statement.hypotheses(statement.config) if h.constant}
        assert named <= {each.symbol for each in text.constants}
        recorded = PAPER.expected()["verdicts"][name] or {}
        assert statement.control or "HOLDS" not in recorded.values()


def test_titles_are_told_once():
    for name, title in PAPER.statements.items():
        assert PAPER.statement(name).title == title
    for name, title in PAPER.items.items():
        assert PAPER.item(name).title == title

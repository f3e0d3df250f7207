"""Every statement of Daniely & Malach at small sizes, and a planted error that FAILS."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from featlearn.papers.daniely2020.neurons import central_trinomial, draw
from featlearn.papers.daniely2020.separator import (
    imitating,
    levels,
    printed_weights,
    psi,
    right_weights,
)
from featlearn.papers.daniely2020.statements import (
    initialisation,
    lemma_3,
    lemma_4,
    lemma_5,
    lemma_6,
    lemma_7,
    lemma_8,
    lemma_9,
    lemma_10,
    lemma_12,
    lemma_13,
    lemma_14,
    theorem_1,
    theorem_2,
    theorem_11,
)
from featlearn.reproduction.catalogue import papers
from featlearn.theory import Verdict
from featlearn.theory.check import check

DRIFT: dict[str, Any] = {
    "d": 31,
    "width": 20,
    "steps": 30,
    "batch": 100,
    "eta": (0.3,),
    "lam": (0.01,),
}
SMALL: dict[str, dict[str, Any]] = {
    "lemma-3": {"d": (101,), "k": (3, 7), "neurons": 500},
    "lemma-4": {"d": (101,), "k": (3,), "neurons": 500},
    "lemma-5": {"d": (7,), "k": (3,), "neurons": 50},
    "lemma-6": {"d": (10_000,), "k": (3,), "neurons": 20},
    "lemma-7": {"k": (7,), "neurons": 1000},
    "lemma-8": {"k": (3, 7), "eps": (0.1,)},
    "lemma-9": {"neurons": 100},
    "lemma-10": {"d": 10_001},
    "lemma-12": {"d": (101,), "k": (3,), "neurons": 300},
    "lemma-13": DRIFT,
    "lemma-14": DRIFT,
    "theorem-1": {"N": (8, 48, 64)},
    "theorem-2": {"width": 20, "steps": 10, "batch": 100},
    "theorem-11": {"width": 20, "steps": 60, "eta": (0.01,)},
    "initialisation": {"d": 51, "k": 3, "width": 20, "batch": 1000},
}


SEEDS = {"lemma-7": 3, "lemma-9": 8}
"""Where two are too few for a verdict."""


def verdict_of(statement):
    name = statement.id.removeprefix("daniely2020.")
    return check(statement, seeds=SEEDS.get(name, 2), **SMALL[name])


@pytest.mark.parametrize(
    ("module", "verdict"),
    [
        (lemma_3, "HOLDS"),
        (lemma_4, "HOLDS"),
        (lemma_5, "HOLDS"),
        (lemma_6, "HOLDS"),
        (lemma_7, "HOLDS"),
        (lemma_8, "HOLDS"),
        (lemma_9, "HOLDS"),
        (lemma_12, "HOLDS"),
        (lemma_13, "HOLDS"),
        (lemma_14, "HOLDS"),
        (theorem_1, "UNDECIDED"),
        (theorem_2, "OUT_OF_SCOPE"),
        (theorem_11, "HOLDS"),
        (initialisation, "FAILS"),
    ],
    ids=lambda value: getattr(value, "__name__", value).rsplit(".")[-1],
)
def test_the_statement_comes_out_as_recorded_at_small_sizes(module, verdict):
    judgement = verdict_of(module.STATEMENT)
    assert judgement.verdict is Verdict[verdict], str(judgement)


def no_comparator(terms):
    """The regret without the term of the comparator's norm."""
    return terms.loss + terms.start + terms.gradients


PLANTED = {
    "lemma-3": lambda: lemma_3.statement(lambda d, k: lemma_3.size(d, k) / 1000),
    "lemma-4": lambda: lemma_4.statement(lambda d, k, C: lemma_4.limit(d, k, C) / 1e5),
    "lemma-5": lambda: lemma_5.statement(lambda k: np.eye(3, k, dtype=int)),
    "lemma-6": lambda: lemma_6.statement(lambda k, J: lemma_6.from_the_proof(k, J) / 20),
    "lemma-7": lambda: lemma_7.statement(lambda k: 10 * lemma_7.least_share(k)),
    "lemma-8": lambda: lemma_8.statement(lambda k, eps: 1.01 * lemma_8.least(k, eps)),
    "lemma-9": lambda: lemma_9.statement(lambda k, eps: 1000 * lemma_9.least(k, eps)),
    "lemma-12": lambda: lemma_12.statement({"a tenth": lambda n: lemma_12.printed(n) / 10}),
    "lemma-13": lambda: lemma_13.statement(
        {p: lambda *at, f=f: f(*at) / 1000 for p, f in lemma_13.LIMITS.items()}
    ),
    "lemma-14": lambda: lemma_14.statement(lambda *at: lemma_14.allowed(*at) / 1e5),
    "theorem-1": lambda: theorem_1.statement(lambda k: 1000.0),
    "theorem-11": lambda: theorem_11.statement(no_comparator),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_error_fails(name):
    judgement = verdict_of(PLANTED[name]())
    assert judgement.verdict is Verdict.FAILS, str(judgement)


def test_only_the_printed_start_fails():
    mirrored = initialisation.statement(lambda: {"mirrored": "mirrored"})
    assert verdict_of(mirrored).verdict is Verdict.HOLDS


def test_the_separator_has_margin_one_and_the_printed_one_has_not():
    neurons = draw(10_001, 7, 100_000, seed=0)
    balanced = neurons.where(neurons.balanced)
    built = lemma_10.separator(balanced)
    assert built.missing == 0
    assert built.margin >= 1
    assert built.features.max() <= 1
    assert lemma_10.separator(balanced, printed_weights).margin < 0


@pytest.mark.parametrize("k", [1, 3, 5, 7, 9, 11, 13])
def test_the_right_weights_make_the_label_and_are_unique(k):
    table = np.stack([psi(int(r), levels(k).astype(float)) for r in levels(k)], axis=1)
    label = (-1.0) ** ((k - levels(k)) // 2)
    np.testing.assert_allclose(table @ right_weights(k), label, atol=1e-12)
    np.testing.assert_allclose(np.linalg.solve(table, label), right_weights(k), atol=1e-9)
    if k == 3:
        np.testing.assert_allclose(label * (table @ printed_weights(k)), [4, -3, -3, 4])


def test_the_interval_of_imitating_neurons_is_that_of_trying(rng):
    k, r, tolerance = 3, -1, 0.2
    slope, z = rng.normal(size=(1, 8)), levels(7)[:8].astype(float) % 4
    ends = imitating(slope, z, r, b=1 / 24, tolerance=tolerance, largest=2.0)
    start, stop = (float(end[0]) for end in ends)
    a = np.linspace(-2, 2, 4001)
    feature = abs(r) * 24 * np.clip(1 / 24 + a[:, None] * slope, 0, 6)
    fits = np.abs(feature - psi(r, z)).max(axis=1) <= tolerance
    inside = (a >= start) & (a <= stop) & (stop > start)
    assert (fits != inside).sum() <= 2  # the two ends may fall between grid points
    assert k == 3


def test_the_share_of_balanced_neurons_is_the_central_trinomial():
    drawn = draw(1001, 5, 20_000, seed=1)
    share = central_trinomial(5) / 3**5
    # Five standard errors are 0.0145; 1/sqrt(k), the order of the bound, would be 0.45.
    assert abs(drawn.balanced.mean() - share) < 5 * math.sqrt(share * (1 - share) / 20_000)


def test_every_statement_and_item_is_recorded_and_found():
    paper = papers()["daniely2020"]
    assert set(paper.expected()["verdicts"]) == set(paper.statements)
    for name, title in paper.statements.items():
        statement = paper.statement(name)
        assert (statement.id, statement.title) == (f"daniely2020.{name}", title)
        assert dataclasses.is_dataclass(statement.config)
        assert set(statement.references) <= set(paper.references())
    for name, title in paper.items.items():
        assert (paper.item(name).id, paper.item(name).title) == (f"daniely2020.{name}", title)

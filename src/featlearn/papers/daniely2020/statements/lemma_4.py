r"""Lemma 4: lemma 3 for all irrelevant coordinates and the bias at once.

    d, k odd; on D1, with probability at least 1 - 1/C over w, for all j not in A:
    |E[u_j y s'(w.x + b)]| <= C (d-1) / sqrt C(d-1, k)     and     |E[y s'(w.x + b)]| <= the same.

A union bound over d - 1 events; in truth all coordinates of a neuron share one number up to sign,
so that the factor d - 1 is slack. Daniely & Malach (2020), section 4.1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.neurons import draw
from featlearn.papers.daniely2020.statements.lemma_3 import size
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Statement, high_probability


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked; every neuron is a trial."""

    d: tuple[int, ...] = (101, 1001, 1_000_001)
    """Input dimensions, odd."""
    k: tuple[int, ...] = (3, 5, 7)
    """Numbers of relevant bits, one for each d."""
    neurons: int = 10_000
    """Neurons drawn a seed."""
    C: tuple[float, ...] = (1.0001, 2.0, 37.0)
    """Values of the constant; 14 sqrt 7 = 37 is what lemma 7 uses."""

    def __post_init__(self) -> None:
        require(len(self.d) == len(self.k), "k", f"{len(self.d)} values, one for each d", self.k)
        require(all(k % 2 for k in self.k), "k", "odd numbers", self.k)
        require(min(self.d) > max(self.k), "d", f"more than k = {max(self.k)}", self.d)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)
        require(min(self.C) > 0, "C", "positive numbers", self.C)


def limit(d: int, k: int, C: float) -> float:
    """C (d-1) / sqrt C(d-1, k)."""
    return C * (d - 1) * size(d, k)


def statement(
    predict: Callable[[int, int, float], float] = limit, half: str = "uniform"
) -> Statement[Sizes]:
    """The lemma; another `predict` is another limit, and another `half` another distribution."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for d, k in zip(sizes.d, sizes.k, strict=True):
            drawn = [draw(d, k, sizes.neurons, seed).over(half) for seed in lab.seeds]
            largest = np.concatenate(
                [np.maximum(np.abs(f.irrelevant), np.abs(f.bias)) for f in drawn]
            )
            for C in sizes.C:
                held = int(np.sum(largest <= predict(d, k, C)))
                name = f"share of neurons within C = {C:g}, d={d}, k={k}"
                at_least = max(0.0, 1 - 1 / C)
                parts.append(high_probability(name, held, len(largest), at_least, of="neurons"))
        return parts

    def hypotheses(sizes: Sizes) -> list[Hypothesis]:
        return [Hypothesis.condition("d odd", all(d % 2 for d in sizes.d), f"d = {sizes.d}")]

    return Statement(
        id="daniely2020.lemma-4",
        title="On the uniform half no irrelevant coordinate gets a gradient, nor the bias",
        kind=Kind.HIGH_PROBABILITY,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-4"],
        control=Control("the leaky half instead", lambda: statement(half="leaky")),
        seeds=5,
        place="Lemma 4, section 4.1",
        references=("daniely2020",),
    )


STATEMENT = statement()

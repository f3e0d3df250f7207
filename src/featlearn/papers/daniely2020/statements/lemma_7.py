r"""Lemma 7: with probability at least 1/(14 sqrt k) a neuron becomes good in the first step.

    d >= 9 log 7,  7 <= k <= d^(1/4) / (2 sqrt 2).   Good, for every |a| <= d/k:
    |w_j - alpha a/sqrt d| <= C1 on A, with alpha in [1/4, 1],
    |w_j| <= 1512/(d-1) outside A,     |b^(1) - b^(0)| <= 554/sqrt d   (554 > sqrt2 * 7 * 5^2.5).

Slips of the text: it sets alpha = phi(w, b) from "h = 1 on A", but h = 1 holds on D2 only, and the
coefficient is half as large; alpha is measured here, as the mean of E[u_j y s'] over A, and the
proof's step is judged for the reading *proof*: it FAILS, by more the larger d is. It prints w^(0)
for w^(1), and |w_j - alpha a/sqrt d| for |w_j| outside A; as w^(0) has entries 0 and ±1 there, no
constant C2 would do, and the printed claim FAILS. C1 is hidden; the proof gives sqrt 6 (3 + 1/k)
with B = 1, and that is used.

P(sum_A w = 0) is exactly the central trinomial coefficient over 3^k, and such a neuron has exactly
no weight outside A and its old bias (see `neurons`), so that 1512 and 554 could be 0.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.neurons import Neurons, central_trinomial, draw
from featlearn.papers.daniely2020.scope import large_enough
from featlearn.papers.daniely2020.statements.lemma_6 import inner_share
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import (
    Claim,
    Control,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Reading,
    Statement,
    exact_bound,
    hidden_constant,
    high_probability,
    sampled_identity,
)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked; every neuron is a trial."""

    d: int = 1_000_000
    """Input dimension."""
    k: tuple[int, ...] = (7, 9, 11)
    """Numbers of relevant bits."""
    neurons: int = 4000
    """Neurons drawn a seed."""

    def __post_init__(self) -> None:
        require(all(k % 2 for k in self.k), "k", "odd numbers", self.k)
        require(self.d > max(self.k), "d", f"more than k = {max(self.k)}", self.d)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)


def good(neurons: Neurons, half: str = "mixture") -> Bool[np.ndarray, " neurons"]:
    """Which neurons are good after a step on D_A, whatever their second-layer weight."""
    d, k = neurons.d, neurons.k
    found = neurons.mixture if half == "mixture" else neurons.over(half)
    a = d / k
    alpha = found.relevant.mean(axis=1)
    on_A = a / math.sqrt(d) * np.abs(found.relevant - alpha[:, None]).max(axis=1)
    outside = a / math.sqrt(d) * np.abs(found.irrelevant)
    return (
        (alpha >= 0.25)
        & (alpha <= 1)
        & (on_A <= first_constant(k))
        & (outside <= 1512 / (d - 1))
        & (a * np.abs(found.bias) <= 554 / math.sqrt(d))
    )


def first_constant(k: int) -> float:
    """C1 = sqrt 6 (3 + 1/k)."""
    return math.sqrt(6) * (3 + 1 / k)


def by_the_proof(neurons: Neurons) -> float:
    """The least, over balanced neurons, of max_A |w_j - phi a/sqrt d| at a = d/k."""
    phi, found = inner_share(neurons), neurons.mixture
    off = math.sqrt(neurons.d) / neurons.k * np.abs(found.relevant - phi[:, None]).max(axis=1)
    return float(off.min(initial=math.inf))


def as_printed(d: int, k: int, neurons: int, seeds: Sequence[int]) -> Claim:
    """The least C2 with which w^(0) itself is near one number outside A, against d."""
    sizes = np.array([d // 100, d // 10, d])
    needed = np.array(
        [[_least_C2(draw(int(n), k, neurons, seed)) for seed in seeds] for n in sizes]
    )
    name = "as printed: least C2 with max outside A |w^(0) - alpha a/sqrt d| <= C2/(d-1)"
    at = sizes.astype(float)
    return hidden_constant(name, at, needed, np.ones(3), constant="C2 as printed")


def _least_C2(neurons: Neurons) -> float:
    """The least over neurons: weights 0 and ±1 are 1/2 or more from any number."""
    outside = neurons.d - neurons.k
    mixed = (neurons.others > 0) & (neurons.others < outside)
    return float(np.where(mixed, 0.5, 0.0).min() * (neurons.d - 1))


def least_share(k: int) -> float:
    """1/(14 sqrt k)."""
    return 1 / (14 * math.sqrt(k))


def statement(
    predict: Callable[[int], float] = least_share, half: str = "mixture"
) -> Statement[Sizes]:
    """The lemma; another `predict` is another probability, another `half` another distribution."""
    mended = (Reading.CORRECTED, Reading.RUN)

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        parts: list[Claim] = []
        constants = {}
        for k in sizes.k:
            drawn = [draw(sizes.d, k, sizes.neurons, seed) for seed in lab.seeds]
            are = [good(each, half) for each in drawn]
            count = int(sum(each.sum() for each in are))
            trials = len(lab.seeds) * sizes.neurons
            label = f"share of good neurons, k={k}"
            share_good = high_probability(label, count, trials, predict(k), of="neurons")
            parts.append(share_good.under(*mended))
            share = float(np.mean([each.balanced.mean() for each in drawn]))
            exact = central_trinomial(k) / 3**k
            error = math.sqrt(exact * (1 - exact) / trials)
            name = f"P(sum_A w = 0), k={k}"
            parts.append(sampled_identity(name, share, error, exact, resolve=0.2))
            kept = [each.where(each.balanced) for each in drawn]
            step = exact_bound(
                f"the proof's alpha = phi: max over A of |w_j - phi a/sqrt d|, a = d/k, k={k}",
                min(by_the_proof(each) for each in kept),
                first_constant(k),
                why="for the best of the balanced neurons",
            )
            parts.append(step.under(Reading.PROOF))
            balanced = [each.mixture for each in kept]
            left = max(float(np.abs(f.irrelevant).max(initial=0.0)) for f in balanced)
            moved = max(float(np.abs(f.bias).max(initial=0.0)) for f in balanced)
            parts.append(exact_bound(f"balanced neurons: weight outside A, k={k}", left, 0.0))
            parts.append(exact_bound(f"balanced neurons: move of the bias, k={k}", moved, 0.0))
            alphas = np.concatenate([f.relevant.mean(axis=1) for f in balanced])
            constants[f"alpha, smallest, k={k}"] = FittedConstant(value=float(alphas.min()))
            constants[f"alpha, largest, k={k}"] = FittedConstant(value=float(alphas.max()))
        parts.append(as_printed(sizes.d, min(sizes.k), 100, lab.seeds).under(Reading.PRINTED))
        return Evidence(parts=tuple(parts), constants=constants)

    return Statement(
        id="daniely2020.lemma-7",
        title="A neuron becomes good with probability at least 1/(14 sqrt k)",
        kind=Kind.HIGH_PROBABILITY,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-7"],
        control=Control("no leaky half", lambda: statement(half="uniform")),
        seeds=5,
        place="Lemma 7, section 4.1",
        references=("daniely2020",),
    )


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """n >= 9 log 7 and 7 <= k <= n^(1/4) / (2 sqrt 2)."""
    return [
        *large_enough(sizes.d, sizes.k),
        Hypothesis(
            name="k <= d^(1/4) / (2 sqrt 2)",
            value=max(sizes.k),
            side="<=",
            limit=sizes.d**0.25 / (2 * math.sqrt(2)),
        ),
    ]


STATEMENT = statement()

r"""Lemma 9: after the first step a neuron imitates psi_r on all of {±1/sqrt d}^d.

    7 <= k <= c eps^(1/4) d^(1/8),  eps <= k|r|:
    P_{w,a}(|(|r|/b) relu6(w^(1).x + b^(1)) - psi_r(x)| <= 2 eps for all x) >= eps / (112 k^2.5).

psi_r has the plain ReLU here. With the text's ReLU6, psi_r is bounded by 6 and not convex in sum_A
x, as any neuron is that stays below its own ceiling 6 |r|/b: none is near it, at any d and for any
c, and the printed claim FAILS.

c is hidden. With the constants of lemma 7 the proof needs 8 k^2 (C1 k + 1512 + 554)/sqrt d <= eps,
a d of about 10^15 at k = 7; since good neurons have exactly no weight outside A, the mended claim
is met at any d, and the sizes below are checked as they are. For every drawn w the set of a is an
interval, known exactly, so the probability is an average over w alone. Daniely & Malach (2020),
section 4.1.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.neurons import draw
from featlearn.papers.daniely2020.scope import large_enough
from featlearn.papers.daniely2020.separator import imitating, levels, patterns, slopes
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Reading, Statement, bound


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked."""

    d: int = 1_000_000
    """Input dimension."""
    k: int = 7
    """Number of relevant bits."""
    eps: float = 0.0143
    """Tolerance; 1/(10k) is what lemma 10 uses."""
    neurons: int = 400
    """Neurons drawn a seed."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1 and self.k <= 15, "k", "an odd number up to 15", self.k)
        require(self.d > self.k, "d", f"more than k = {self.k}", self.d)
        require(0 < self.eps <= self.k, "eps", f"above 0, up to k = {self.k}", self.eps)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)


def least(k: int, eps: float) -> float:
    """eps / (112 k^2.5)."""
    return eps / (112 * k**2.5)


def shares(
    sizes: Sizes, seed: int, half: str = "mixture", cap: float = math.inf
) -> dict[int, float]:
    """For every r, the probability over a and the drawn w that a neuron imitates psi_r.

    Args:
        sizes: where.
        seed: of the neurons.
        half: the distribution of the first step.
        cap: where psi_r is cut off; 6 as printed.
    """
    d, k = sizes.d, sizes.k
    neurons = draw(d, k, sizes.neurons, seed)
    on_A, outside = slopes(neurons, half)
    both = np.concatenate([on_A - outside[:, None], on_A + outside[:, None]], axis=1)
    z = np.tile(patterns(k).sum(axis=1), 2)
    found = {}
    for r in levels(k):
        start, stop = imitating(
            both, z, int(r), b=neurons.b, tolerance=2 * sizes.eps, largest=d / k, cap=cap
        )
        found[int(r)] = float(np.mean(stop - start) * k / (2 * d))
    return found


def statement(
    predict: Callable[[int, float], float] = least, half: str = "mixture"
) -> Statement[Sizes]:
    """The lemma; another `predict` is another probability, another `half` another distribution."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        found = [shares(sizes, seed, half) for seed in lab.seeds]
        limit = predict(sizes.k, sizes.eps)
        mended = [
            bound(
                f"probability to imitate psi_r, r={r}",
                np.array([each[int(r)] for each in found]),
                limit,
                side=">=",
            ).under(Reading.CORRECTED, Reading.PROOF)
            for r in levels(sizes.k)
        ]
        capped = [shares(sizes, seed, half, cap=6.0)[sizes.k] for seed in lab.seeds]
        printed = bound(
            f"as printed, with ReLU6: probability to imitate psi_r, r={sizes.k}",
            np.array(capped),
            limit,
            side=">=",
        )
        return [*mended, printed.under(Reading.PRINTED)]

    return Statement(
        id="daniely2020.lemma-9",
        title="After the first step a neuron imitates psi_r with probability eps/(112 k^2.5)",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-9"],
        control=Control("no leaky half", lambda: statement(half="uniform")),
        seeds=8,
        place="Lemma 9, section 4.1",
        references=("daniely2020",),
    )


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """k >= 7, d >= 9 log 7, k <= c eps^(1/4) d^(1/8), and what the proof makes of the last."""
    constants = math.sqrt(6) * (3 * sizes.k + 1) + 1512 + 554
    return [
        *large_enough(sizes.d, sizes.k),
        Hypothesis(
            name="k <= c eps^(1/4) d^(1/8)",
            value=sizes.k,
            side="<=",
            limit=sizes.eps**0.25 * sizes.d**0.125,
            constant="c",
        ),
        Hypothesis(
            name="8 k^2 (C1 k + C2 + C3)/sqrt d <= eps",
            value=8 * sizes.k**2 * constants / math.sqrt(sizes.d),
            side="<=",
            limit=sizes.eps,
            note="with the constants of lemma 7",
            readings=(Reading.PROOF,),
        ),
    ]


STATEMENT = statement()

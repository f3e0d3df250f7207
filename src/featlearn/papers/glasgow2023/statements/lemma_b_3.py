r"""Lemma B.3: a sum of random signs is often near 0, also when its weights are moved a little.

    P(|xi.(v + Delta)| <= ||v||/sqrt d) >= c/sqrt d     for well-spread v (Glasgow 2023, B.1)

and every Delta with ||Delta|| <= zeta ||v||, zeta at most a power of 1/C (unreadable in the scan;
the proof needs 1/(5.2 C^5)). The constant printed, c = exp(-100 C^8)/8 with C >= 4, is 0 to any
precision: vacuous. What is judged is that sqrt d times the probability does not fall with d (it
tends to 2 phi(0) = 0.798 for Delta = 0).
Probabilities are exact. Tried for every v, a neuron as drawn: no Delta, a random one, all of it on
one coordinate, along v, and against the smallest coordinates; the least counts.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.rademacher import within
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    Kind,
    Reading,
    Statement,
    exact_bound,
    hidden_constant,
    trend,
)

VECTORS = 3
"""Vectors a seed and dimension."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The vectors that are tried."""

    d: tuple[int, ...] = (64, 128, 256, 640)
    """Input dimensions, at least 48, where the exact law is smooth."""
    zeta: float = 0.05
    """How far v is moved, over its length."""

    def __post_init__(self) -> None:
        require(len(self.d) >= 2 and min(self.d) >= 48, "d", "two dimensions from 48", self.d)
        require(0 <= self.zeta < 1, "zeta", "from 0 to 1", self.zeta)


def moved(
    v: Float[np.ndarray, " inputs"], zeta: float, rng: np.random.Generator
) -> Float[np.ndarray, "tries inputs"]:
    """v + Delta for five Delta of length zeta ||v||."""
    d, size = len(v), zeta * float(np.linalg.norm(v))
    order = np.argsort(np.abs(v))
    few = np.zeros(d)
    few[order[: d // 16]] = np.sign(v[order[: d // 16]])
    one = np.zeros(d)
    one[rng.integers(d)] = 1
    steps = [rng.normal(size=d), one, v, few]
    return np.stack([v, *(v + size * step / np.linalg.norm(step) for step in steps)])


def least_chance(sizes: Sizes, d: int, seed: int, spread: bool = True) -> float:
    """The least P(|xi.(v + Delta)| <= ||v||/sqrt d) over Delta, on average over v.

    Without `spread` the first coordinate of v is sqrt(2 log d) times as long as all the others.
    """
    rng, found = generator(seed, f"lemma-B.3 d={d}"), []
    for _ in range(VECTORS):
        v = rng.normal(size=d)
        v[0] = v[0] if spread else math.sqrt(2 * math.log(d)) * float(np.linalg.norm(v[1:]))
        end = float(np.linalg.norm(v)) / math.sqrt(d)
        rows = moved(v, sizes.zeta, rng)
        found.append(min(float(within(row, end, accuracy=1e-8)) for row in rows))
    return float(np.mean(found))


def statement(power: float = 0.5, spread: bool = True) -> Statement[Sizes]:
    """The lemma; with another `power` of d, or v that are not `spread`, it is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        d = np.array(sizes.d, float)
        chance = np.array(
            [[least_chance(sizes, n, seed, spread) for seed in lab.seeds] for n in sizes.d]
        )
        name = "P(|xi.(v + Delta)| <= ||v||/sqrt d), least over Delta"
        c, shape = "c of lemma B.3", d**-power
        part = hidden_constant(name, d, chance, shape, side=">=", constant=c).under(Reading.RUN)
        least = float((chance * np.sqrt(d)[:, None]).min())
        empty = "at C = 4 the bound is 10^-2846198: whatever zeta is, a chance that is not 0 is "
        empty += "above it for d < 9e6"
        printed = exact_bound("sqrt d P, C = 4", least, 0.0, side=">=", vacuous=empty)
        what = "P(|ξ·(v + Δ)| ≤ ‖v‖/√d)"
        shown = trend(what, "d", d, chance, shape, relation=">=", constant=c)
        return Evidence(
            parts=(part, printed.under(Reading.PRINTED, Reading.PROOF)), trends=(shown,)
        )

    return Statement(
        id="glasgow2023.lemma-B.3",
        title="A sum of random signs is often near 0, also when its weights are moved",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-B.3"],
        control=Control(
            "a first coordinate that is sqrt(2 log d) times as long as all others",
            lambda: statement(spread=False),
        ),
        seeds=4,
        place="Lemma B.3, appendix B.1",
        references=REFERENCES,
    )


STATEMENT = statement()

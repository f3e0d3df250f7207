r"""Theorem B.5 and lemma B.3: sums of random signs against Gaussians (Glasgow 2023, appendix B.1).

    Berry-Esseen:  sup_x |P(u.xi >= x) - P(N >= x/||u||)| <= C_BE ||u||_3^3/||u||^3,   C_BE = 0.56
    lemma B.3:     P(|xi.v| <= ||v||/sqrt d) >= c/sqrt d  for well-spread v

The law of u.xi is exact. C_BE is Shevtsova's, the paper leaves it open. The constant printed in
lemma B.3, exp(-100 C^8)/2, is vacuous; what is judged is that sqrt d times the probability does
not fall below what it is on the smaller d (it tends to 2 phi(0) = 0.798).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from featlearn._check import require
from featlearn.distributions.rademacher import interval_probability, within
from featlearn.papers.glasgow2023.population import REFERENCES, generator
from featlearn.theory import Evidence, Kind, Statement, bound, hidden_constant

POINTS, VECTORS = 41, 10


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The vectors that are tried."""

    d: tuple[int, ...] = (8, 16, 64, 256)
    """Input dimensions."""

    def __post_init__(self) -> None:
        require(len(self.d) >= 2 and min(self.d) >= 4, "d", "two dimensions from 4", self.d)


def berry_esseen(u: np.ndarray) -> float:
    """The largest difference seen, over ||u||_3^3/||u||^3; atoms count whole on one side."""
    size = float(np.linalg.norm(u))
    x = size * np.linspace(0, 3, POINTS)
    if len(u) <= 16:
        x = np.concatenate([x, np.abs(_sums(u)) * (1 + 1e-9), np.abs(_sums(u)) * (1 - 1e-9)])
    above = interval_probability(u, x, np.full(len(x), np.inf))
    return float(np.max(np.abs(above - norm.sf(x / size))) / (np.sum(np.abs(u) ** 3) / size**3))


def _sums(u: np.ndarray, most: int = 200) -> np.ndarray:
    """Some atoms of the law, where the difference is largest."""
    signs = 2.0 * ((np.arange(2 ** len(u))[:, None] >> np.arange(len(u))) & 1) - 1
    return np.unique(np.abs(signs @ u))[:most]


def statement(constant: float = 0.56, power: float = 0.5) -> Statement:
    """The theorem with its constant, and the lemma with its power of d."""

    def evidence(sizes: Sizes, seeds: Sequence[int]) -> Evidence:
        ratios, near = [], []
        for d in sizes.d:
            row = []
            for seed in seeds:
                rng = generator(seed, f"theorem-B.5 d={d}")
                v = rng.normal(size=(VECTORS, d))
                tries = [np.ones(d), *v[:2]] if d <= 16 else v[:2]
                ratios.append((seed, max(berry_esseen(u) for u in tries)))
                chance = [float(within(u, float(np.linalg.norm(u)) / math.sqrt(d))) for u in v]
                row.append(np.mean(chance))
            near.append(row)
        worst = np.array([max(r for s, r in ratios if s == seed) for seed in seeds])
        sides = np.array(sizes.d, float)
        part, fitted = hidden_constant(
            "B.3: P(|xi.v| <= ||v||/sqrt d)", sides, np.array(near), sides**-power, side=">="
        )
        first = bound("B.5: largest difference over ||u||_3^3/||u||^3", worst, constant, every=True)
        return Evidence(parts=(first, part), constants={"c of lemma B.3": fitted})

    return Statement(
        id="glasgow2023.theorem-B.5",
        title="Sums of random signs against Gaussians: Berry-Esseen, and lemma B.3",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        seeds=4,
        place="Theorem B.5 and lemma B.3, appendix B.1",
        references=REFERENCES,
    )


STATEMENT = statement()

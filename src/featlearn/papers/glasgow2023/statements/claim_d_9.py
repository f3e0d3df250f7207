r"""Claim D.9: a long w_perp is rarely out-shouted (Glasgow 2023, appendix D.2).

    ||w_perp|| >= 10 ||w_opp||   =>   X = P(|w_perp.xi| >= sqrt2 ||w_opp||) >= 1/2.

For every vector, and exactly: X is a probability of a Rademacher sum. Tried are random vectors,
sparse ones and the boundary cases, equal coordinates (1, 1, 0, …), where X = 1/2 is attained. With
one half of ||w_perp|| in the place of a tenth it would be false.
"""

import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.rademacher import within
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

VECTORS = 200


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The vectors that are tried."""

    d: int = 14
    """Input dimension."""

    def __post_init__(self) -> None:
        require(4 <= self.d <= 24, "d", "from 4 to 24, where sums are counted", self.d)


def least_chance(d: int, seed: int, ratio: float) -> float:
    """The least X over unit vectors w_perp with ||w_opp|| = 1/ratio."""
    rng, found = generator(seed, "claim-D.9"), []
    for i in range(VECTORS):
        v = rng.normal(size=d - 2)
        v[rng.permutation(d - 2)[: rng.integers(0, d - 3)]] = 0
        if i % 4 == 0:
            v = np.sign(v)
        v = v / np.linalg.norm(v)
        # within counts a tie one half; the claim counts it whole, so look just below it.
        found.append(1 - float(within(v, math.sqrt(2) / ratio * (1 - 1e-9))))
    return min(found)


def statement(ratio: float = 10.0) -> Statement[Sizes]:
    """The claim; a `ratio` of 2 is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Claim:
        values = np.array([least_chance(sizes.d, seed, ratio) for seed in lab.seeds])
        return bound("least X", values, 0.5, side=">=", every=True, instances=VECTORS)

    return Statement(
        id="glasgow2023.claim-D.9",
        title="A long orthogonal part is rarely out-shouted",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["claim-D.9"],
        control=Control("2 in the place of 10", lambda: statement(ratio=2.0)),
        seeds=5,
        place="Claim D.9, appendix D.2",
        references=REFERENCES,
    )


STATEMENT = statement()

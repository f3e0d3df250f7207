r"""Claim F.2: a large set of points has both labels, for a quarter of the coordinates.

For Q in {-1, 1}^d, i = 1 and j drawn from the others, y_j(q) = -q_1 q_j: there is c > 0 with

    |Q| > 2^(d(1 - c))   =>   with probability >= 0.25 over j, no label has more than 0.85 of Q

(Glasgow 2023, F), so that whoever cannot tell the points of Q apart errs on 0.15 of them. The
largest Q that does *not* obey is known exactly. It must have 0.85 agreement with some signs v_j on
more than 3/4 of the j, hence on average over a set P of that size; and of all sets of a given size
the one with the largest average agreement on P holds the points that agree most: a ball in the
coordinates of P, the others and q_1 free. So the largest size is a sum of binomial coefficients,
and c(d) = 1 - log2(size)/d. It tends to 1 - (3/4 h(0.15) + 1/4) = 0.293, h the binary entropy. The
paper needs some c; we claim 1/4.

The second part takes the sets that proposition F.1 applies it to: all q with the same projection on
one random sample point, of more than 2^(d(1 - c)) members.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.statements.lemma_c_5 import cube
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Kind,
    Statement,
    Trend,
    bound,
    exact_bound,
)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Dimensions at which the largest exception is counted, and one whose points are listed."""

    d: tuple[int, ...] = (16, 32, 64, 128, 256, 512, 1024)
    """Input dimensions, from 8 to 1024."""
    listed: int = 14
    """Input dimension of the listed points, at most 16."""

    def __post_init__(self) -> None:
        known = len(self.d) > 0 and min(self.d) >= 8 and max(self.d) <= 1024
        require(known, "d", "dimensions from 8 to 1024", self.d)
        require(4 <= self.listed <= 16, "listed", "from 4 to 16", self.listed)


def largest_exception(d: int, agreement: float = 0.85) -> float:
    """log2 of the largest |Q| with more than `agreement` on more than 3/4 of the j.

    A set of n points has more than that on average over P only if the n that agree most have.

    Example:
        >>> largest_exception(4)  # P is all three j; v itself, with either sign of q_1
        1.0
    """
    n = math.floor(0.75 * (d - 1)) + 1  # more than 3/4 of the d - 1 coordinates j
    size, sum_of = 0, 0  # exact integers
    for wrong in range(n + 1):
        shell = math.comb(n, wrong)
        new = size + shell, sum_of + shell * (n - wrong)
        if new[1] <= agreement * n * new[0]:
            # So many points of this shell as the average allows: each lowers it by the same.
            spare = sum_of - agreement * n * size
            lack = agreement * n - (n - wrong)
            size += max(0, math.ceil(spare / lack) - 1)
            break
        size, sum_of = new
    return math.log2(size) + (d - 1 - n) + 1


def mixed_share(d: int, projection: int, signs: Float[np.ndarray, " inputs"]) -> float:
    """Share of the j for which no label has more than 0.85 of {q: q.x = projection}."""
    q = cube(d)
    Q = q[(q @ signs) == projection]
    positive = np.mean(Q[:, :1] * Q[:, 1:] < 0, axis=0)
    return float(np.mean(np.maximum(positive, 1 - positive) <= 0.85))


def shares(sizes: Sizes, c: float, seed: int) -> list[float]:
    """`mixed_share` of every projection on one random point that is taken often enough."""
    d = sizes.listed
    signs = generator(seed, "claim-F.2").choice([-1.0, 1.0], d)
    often = [k for k in range(d + 1) if math.log2(math.comb(d, k)) > d * (1 - c)]
    return [mixed_share(d, 2 * k - d, signs) for k in often]


def statement(c: float = 0.25) -> Statement[Sizes]:
    """The claim with its c; above 0.3 it is false."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        found = [1 - largest_exception(d) / d for d in sizes.d]
        parts = [exact_bound("least c(d)", min(found), c, side=">=", why="by counting")]
        least = [shares(sizes, c, seed) for seed in lab.seeds]
        if least[0]:
            label = f"d={sizes.listed}: least share of j with both labels, equal projections"
            values = np.array([min(each) for each in least])
            parts.append(bound(label, values, 0.25, side=">=", every=True))
        shown = Trend(
            name="c(d)",
            over="d",
            x=tuple(map(float, sizes.d)),
            measured=tuple(found),
            predicted=(c,) * len(found),
            relation=">=",
        )
        return Evidence(
            parts=tuple(parts),
            constants={"c at the largest d": FittedConstant(value=found[-1])},
            trends=(shown,),
        )

    return Statement(
        id="glasgow2023.claim-F.2",
        title="A large set of points has both labels, for a quarter of the coordinates",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["claim-F.2"],
        control=Control("c = 0.32, above the limit 0.293", lambda: statement(c=0.32)),
        seeds=4,
        place="Claim F.2, appendix F",
        references=REFERENCES,
    )


STATEMENT = statement()

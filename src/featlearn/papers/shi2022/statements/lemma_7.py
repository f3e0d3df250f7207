r"""Lemma 7: three ReLUs make a tent.

    a r(z - s + b) - 2 a r(z - s) + a r(z - s - b) = max(a b - a |z - s|, 0),   r(z) = max(z, 0)

All numbers are multiples of 1/8 below 2^10, of which float64 makes sums and products without
rounding: the two sides must be equal bit by bit, inside the tent, outside and at its three corners.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, identity

Values = Float[np.ndarray, " cases"]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """How many tents are tried; every seed draws others."""

    tents: int = 2000
    """Tents; each is evaluated at three corners, halfway up and down, and at two points outside."""

    def __post_init__(self) -> None:
        require(self.tents >= 1, "tents", "at least 1", self.tents)


def tent(z: Values, s: Values, a: Values, b: Values, middle: float = -2.0) -> Values:
    """The sum of three ReLUs; `middle` is the coefficient of the second over a."""
    return a * (np.maximum(z - s + b, 0) + middle * np.maximum(z - s, 0) + np.maximum(z - s - b, 0))


Tent = Callable[[Values, Values, Values, Values], Values]


def statement(of: Tent = tent) -> Statement[Sizes]:
    """The lemma; another tent is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        found, claimed = [], []
        for seed in lab.seeds:
            rng = generator(seed, "lemma-7")
            s = rng.integers(-64, 65, sizes.tents) / 8
            a, b = (rng.integers(0, 65, sizes.tents) / 4 for _ in range(2))
            for place in (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0):
                z = s + place * b
                found.append(of(z, s, a, b))
                claimed.append(np.where(np.abs(z - s) <= b, a * b - a * np.abs(z - s), 0.0))
        left, right = np.concatenate(found), np.concatenate(claimed)
        return [identity("three ReLUs = the tent", left, right, tolerance=0.0, scale=1.0)]

    return Statement(
        id="shi2022.lemma-7",
        title="Three ReLUs make a tent",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-7"],
        control=Control(
            "the tents are bent: -1.9 in the place of -2",
            lambda: statement(lambda z, s, a, b: tent(z, s, a, b, middle=-1.9)),
        ),
        seeds=1,
        place="Lemma 7, appendix B.1",
        references=("shi2022",),
    )


STATEMENT = statement()

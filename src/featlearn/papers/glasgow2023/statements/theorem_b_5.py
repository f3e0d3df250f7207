r"""Theorem B.5: sums of random signs against Gaussians, Berry-Esseen (Glasgow 2023, appendix B.1).

    sup_x |P(u.xi >= x) - P(N >= x/||u||)| <= C_BE ||u||_3^3/||u||^3,   C_BE = 0.56

The law of u.xi is exact. C_BE is Shevtsova's, the paper leaves it open. Tried are random vectors
and, where atoms can be listed, equal coordinates.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.rademacher import interval_probability
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound, trend

POINTS, VECTORS = 41, 2


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The vectors that are tried."""

    d: tuple[int, ...] = (8, 16, 64, 256)
    """Input dimensions."""

    def __post_init__(self) -> None:
        require(len(self.d) >= 2 and min(self.d) >= 4, "d", "two dimensions from 4", self.d)


def berry_esseen(u: np.ndarray, moment: int = 3) -> float:
    """The largest difference seen, over ||u||_3^3/||u||^3; atoms count whole on one side.

    With `moment` 4 it is over ||u||_4^4/||u||^4, which would do for smooth laws only.
    """
    size = float(np.linalg.norm(u))
    x = size * np.linspace(0, 3, POINTS)
    if len(u) <= 16:
        x = np.concatenate([x, np.abs(_sums(u)) * (1 + 1e-9), np.abs(_sums(u)) * (1 - 1e-9)])
    above = interval_probability(u, x, np.full(len(x), np.inf))
    scale = np.sum(np.abs(u) ** moment) / size**moment
    return float(np.max(np.abs(above - norm.sf(x / size))) / scale)


def _sums(u: np.ndarray, most: int = 200) -> np.ndarray:
    """Some atoms of the law, where the difference is largest."""
    signs = 2.0 * ((np.arange(2 ** len(u))[:, None] >> np.arange(len(u))) & 1) - 1
    return np.unique(np.abs(signs @ u))[:most]


def statement(constant: float = 0.56, moment: int = 3) -> Statement[Sizes]:
    """The theorem with its constant; with another `moment` it is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        rows = []
        for d in sizes.d:
            row = []
            for seed in lab.seeds:
                v = generator(seed, f"theorem-B.5 d={d}").normal(size=(VECTORS, d))
                tries = [np.ones(d), *v] if d <= 16 else v
                row.append(max(berry_esseen(u, moment) for u in tries))
            rows.append(row)
        found = np.array(rows)
        part = bound(
            "largest difference over ||u||_3^3/||u||^3",
            found.max(axis=0),
            constant,
            every=True,
            instances=VECTORS * len(sizes.d),
        )
        limit = [constant] * len(sizes.d)
        name = "largest difference over ‖u‖₃³/‖u‖³"
        return Evidence(parts=(part,), trends=(trend(name, "d", sizes.d, found, limit),))

    return Statement(
        id="glasgow2023.theorem-B.5",
        title="Sums of random signs against Gaussians: Berry-Esseen",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["theorem-B.5"],
        control=Control("||u||_4^4 in the place of ||u||_3^3", lambda: statement(moment=4)),
        seeds=8,
        place="Theorem B.5, appendix B.1",
        references=REFERENCES,
    )


STATEMENT = statement()

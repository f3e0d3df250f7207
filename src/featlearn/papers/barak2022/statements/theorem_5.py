r"""Theorem 5: no small embedding serves all parities.

psi: {±1}^n -> [-1, 1]^D, a linear rule w_S of norm at most R for every set S of k bits. The
expected edge of a rule is E[chi_S <w_S, psi>] <= R |E chi_S psi|, and by Parseval
sum_S |E chi_S psi|^2 <= D, so (our derivation)

    mean over S of edge^2 <= D R^2 / C(n, k):

not all edges are eps or more where D R^2 < eps^2 C(n, k). Checked exactly for random ReLU and
cosine features on the whole cube, each with its best rule for every S.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.target import corners
from featlearn.experiments.lab import Lab
from featlearn.papers.barak2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A cube that can be written down, and an embedding."""

    d: int = 11
    """Input dimension (n)."""
    k: int = 4
    """Bits."""
    features: int = 60
    """Features D."""
    radius: float = 3.0
    """Norm of a rule at most (R)."""

    def __post_init__(self) -> None:
        require(self.d <= 14, "d", "at most 14", self.d)
        require(1 <= self.k <= self.d, "k", "1 to d", self.k)


def mean_square_edge(psi: np.ndarray, d: int, k: int, radius: float) -> float:
    """The mean over all S of the squared edge of the best rule."""
    x = corners(d)
    total = 0.0
    for S in itertools.combinations(range(d), k):
        correlation = psi.T @ np.prod(x[:, list(S)], axis=1) / len(x)
        total += radius**2 * float(correlation @ correlation)
    return total / math.comb(d, k)


def embeddings(d: int, features: int, seed: int) -> dict[str, np.ndarray]:
    """Features in [-1, 1] at every corner: ReLU ones, cosines, and characters, which are tight."""
    rng, x = generator(seed, "embeddings"), corners(d)
    w, b = rng.normal(size=(d, features)), rng.normal(size=features)
    relu = np.maximum(x @ w + b, 0)
    return {"relu": relu / np.abs(relu).max(axis=0), "cosine": np.cos(x @ w + 3 * b)}


def statement(share: float = 1.0) -> Statement[Sizes]:
    """The bound times a share; characters of degree k attain it."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        d, k, D, R = config.d, config.k, config.features, config.radius
        most = share * D * R**2 / math.comb(d, k)
        values: dict[str, list[float]] = {}
        for seed in lab.seeds:
            for name, psi in embeddings(d, D, seed).items():
                values.setdefault(name, []).append(mean_square_edge(psi, d, k, R))
        x = corners(d)
        sets = list(itertools.combinations(range(d), k))[:D]
        chi = np.stack([np.prod(x[:, list(S)], axis=1) for S in sets], axis=1)
        values["characters"] = [mean_square_edge(chi, d, k, R) * D / len(sets)] * len(lab.seeds)
        parts = [
            bound(f"mean squared edge, {name}", np.array(found), most * (1 + 1e-9), every=True)
            for name, found in values.items()
        ]
        return Evidence(parts=tuple(parts))

    return Statement(
        id="barak2022.theorem-5",
        title="No small embedding serves all parities",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["theorem-5"],
        control=Control("a bound 5 % lower", lambda: statement(share=0.95)),
        seeds=60,
        place="Theorem 5",
        references=("barak2022",),
    )


STATEMENT = statement()

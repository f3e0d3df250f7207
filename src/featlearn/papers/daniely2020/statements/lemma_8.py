r"""Lemma 8: a neuron that has found A imitates psi_r with probability at least eps/(8 k^2) over a.

    b = 1/(8k), alpha in [1/4, 1], a uniform on [-d/k, d/k], eps <= k|r|:
    P(|(|r|/b) relu6(alpha a z/d + b) - psi_r(z)| <= eps for all z in [-k, k]) >= eps/(8 k^2).

psi_r has the plain ReLU here. The text's ReLU6 makes psi_r(z) at most 6, which no neuron imitates
once |r| + k > 6 and eps is small: the printed claim FAILS (it says eps <= k r, so it is about r > 0
alone). The probability is exact: an interval of a for every z on a grid that contains the whole
numbers. It does not depend on d. Daniely & Malach (2020), section 4.1.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.separator import imitating, levels
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Reading, Statement, exact_bound

GRID = 64
"""Points of z between two whole numbers."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked; nothing is random."""

    k: tuple[int, ...] = (3, 7, 11)
    """Numbers of relevant bits."""
    alpha: tuple[float, ...] = (0.25, 0.27, 0.5, 1.0)
    """Coefficients of the neuron on A."""
    eps: tuple[float, ...] = (0.01, 0.1, 1.0)
    """Tolerances."""

    def __post_init__(self) -> None:
        require(all(k % 2 for k in self.k), "k", "odd numbers", self.k)
        within = all(0.25 <= alpha <= 1 for alpha in self.alpha)
        require(within, "alpha", "numbers from 1/4 to 1", self.alpha)
        within = all(0 < eps <= min(self.k) for eps in self.eps)
        require(within, "eps", f"numbers above 0, up to k = {min(self.k)}", self.eps)


def probability(
    k: int, alpha: float, r: int, eps: float, *, cap: float = math.inf, bias: float = 1.0
) -> float:
    """P over a, exactly, in units where d = 1.

    Args:
        k: relevant bits.
        alpha: the coefficient on A.
        r: which feature.
        eps: the tolerance.
        cap: where psi_r is cut off.
        bias: what multiplies b = 1/(8k).
    """
    z = np.linspace(-k, k, 2 * k * GRID + 1)
    b = bias / (8 * k)
    start, stop = imitating(alpha * z[None, :], z, r, b=b, tolerance=eps, largest=1 / k, cap=cap)
    return float((stop - start)[0] * k / 2)


def least(k: int, eps: float) -> float:
    """eps/(8 k^2)."""
    return eps / (8 * k**2)


def statement(
    predict: Callable[[int, float], float] = least, bias: float = 1.0
) -> Statement[Sizes]:
    """The lemma; another `predict` is another probability, another `bias` another neuron."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        mended = [
            _smallest(sizes, k, eps, predict(k, eps), bias).under(Reading.CORRECTED)
            for k in sizes.k
            for eps in sizes.eps
        ]
        printed = [
            _smallest(sizes, k, eps, predict(k, eps), bias, cap=6.0).under(Reading.PRINTED)
            for k in sizes.k
            for eps in sizes.eps
        ]
        return [*mended, *printed]

    return Statement(
        id="daniely2020.lemma-8",
        title="A neuron that has found A imitates psi_r with probability eps/(8 k^2)",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-8"],
        control=Control("half the bias", lambda: statement(bias=0.5)),
        seeds=1,
        place="Lemma 8, section 4.1",
        references=("daniely2020",),
    )


def _smallest(
    sizes: Sizes, k: int, eps: float, limit: float, bias: float, cap: float = math.inf
) -> Claim:
    """The smallest probability over r and alpha; with a cap as printed, over r > 0."""
    capped = math.isfinite(cap)
    found = {
        (int(r), alpha): probability(k, alpha, int(r), eps, cap=cap, bias=bias)
        for r in levels(k)
        if r > 0 or not capped
        for alpha in sizes.alpha
    }
    r, alpha = min(found, key=found.__getitem__)
    told = "as printed, with ReLU6: " if capped else ""
    name = f"{told}smallest probability (r={r}, alpha={alpha:g}), k={k}, eps={eps:g}"
    return exact_bound(name, found[r, alpha], limit, side=">=")


STATEMENT = statement()

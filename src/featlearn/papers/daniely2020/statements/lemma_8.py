r"""Lemma 8: a neuron that has found A imitates psi_r with probability at least eps/(8 k^2) over a.

    b = 1/(8k), alpha in [1/4, 1], a uniform on [-d/k, d/k], eps <= k|r|:
    P(|(|r|/b) relu6(alpha a z/d + b) - psi_r(z)| <= eps for all z in [-k, k]) >= eps/(8 k^2).

psi_r has the plain ReLU here. The text's ReLU6 makes psi_r(z) at most 6, which no neuron within
the claim imitates once |r| + k > 6 and eps is small: reported below as "as printed". The
probability is exact: an interval of a for every z on a grid that contains the whole numbers. It
does not depend on d. Daniely & Malach (2020), section 4.1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.separator import imitating, levels, psi
from featlearn.theory import Claim, Kind, Statement, exact_bound, reported

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


def probability(k: int, alpha: float, r: int, eps: float) -> float:
    """P over a, exactly, in units where d = 1."""
    z = np.linspace(-k, k, 2 * k * GRID + 1)
    start, stop = imitating(alpha * z[None, :], z, r, b=1 / (8 * k), tolerance=eps, largest=1 / k)
    return float((stop - start)[0] * k / 2)


def least(k: int, eps: float) -> float:
    """eps/(8 k^2)."""
    return eps / (8 * k**2)


def statement(predict: Callable[[int, float], float] = least) -> Statement:
    """The lemma; another `predict` is another probability."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for k in sizes.k:
            for eps in sizes.eps:
                found = {
                    (r, alpha): probability(k, alpha, int(r), eps)
                    for r in levels(k)
                    for alpha in sizes.alpha
                }
                r, alpha = min(found, key=found.__getitem__)
                name = f"smallest probability (r={r}, alpha={alpha:g}), k={k}, eps={eps:g}"
                parts.append(exact_bound(name, found[r, alpha], predict(k, eps), side=">="))
        return [*parts, *(_printed(k, min(sizes.eps)) for k in sizes.k)]

    return Statement(
        id="daniely2020.lemma-8",
        title="A neuron that has found A imitates psi_r with probability eps/(8 k^2)",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        seeds=1,
        place="Lemma 8, section 4.1",
        references=("daniely2020",),
    )


def _printed(k: int, eps: float) -> Claim:
    """How far the proof's construction (a = a*) is from psi_r with the ReLU6 that is printed."""
    z = levels(k).astype(float)
    off = max(float(np.max(psi(int(r), z) - np.minimum(psi(int(r), z), 6))) for r in levels(k))
    return reported(
        f"as printed, with ReLU6: distance at the a* of the proof, k={k}",
        off,
        eps,
        relation="<=",
        reason="the plain ReLU is meant" if off else "no value exceeds 6 here",
    )


STATEMENT = statement()

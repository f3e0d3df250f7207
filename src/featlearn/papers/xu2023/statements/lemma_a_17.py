r"""Lemma A.17: tails of a Gaussian and of a chi-square (appendix A.6).

    Phi'(t)/t <= P(|X| >= t sigma) <= exp(-t^2/2),   t >= 1
    P(| sum X_k^2/(n sigma^2) - 1 | >= t) <= 2 exp(-n t^2/8),   t in (0, 1)

Computed on a grid of t, the second for n from 1 to 10 000, by logarithms. Where a tail of the
chi-square is too small for the library, which says log P = -inf, Chernoff's bound stands in its
place, which is larger: log P(chi^2/n >= 1 + t) <= -n (t - log(1 + t))/2, and with -t below.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.stats import chi2, norm

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.setting import REFERENCES
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, exact_bound

SIZES = (1, 2, 3, 10, 100, 1000, 10_000)


@dataclass(frozen=True, kw_only=True)
class Tails:
    """A grid of t."""

    points: int = 400
    """How many values of t."""
    largest: float = 30.0
    """The largest t of the Gaussian."""

    def __post_init__(self) -> None:
        require(self.points >= 2, "points", "at least 2", self.points)
        require(self.largest > 1, "largest", "above 1", self.largest)


def log_tails(n: int, t: Float[np.ndarray, " grid"]) -> Float[np.ndarray, " grid"]:
    """log P(|chi^2/n - 1| >= t), or a little more where the library has no number for it."""
    above, below = chi2.logsf(n * (1 + t), n), chi2.logcdf(n * (1 - t), n)
    above = np.where(np.isfinite(above), above, -n * (t - np.log1p(t)) / 2)
    below = np.where(np.isfinite(below), below, -n * (-t - np.log1p(-t)) / 2)
    return np.logaddexp(above, below)


def statement(eighth: float = 8.0, half: float = 2.0) -> Statement[Tails]:
    """The lemma; other numbers are other claims.

    Args:
        eighth: what divides n t^2.
        half: what divides t^2 in the Gaussian's upper bound.
    """

    def evidence(config: Tails, lab: Lab) -> list[Claim]:
        t = np.linspace(1, config.largest, config.points)
        log_tail = np.log(2) + norm.logsf(t)
        low = float((log_tail - (norm.logpdf(t) - np.log(t))).min())
        high = float((log_tail + t**2 / half).max())
        parts = [
            exact_bound("log P(|X| >= t) - log(Phi'(t)/t), least", low, 0.0, side=">="),
            exact_bound("log P(|X| >= t) + t^2/2, largest", high, 0.0),
        ]
        inside = np.linspace(0, 1, config.points + 2)[1:-1]
        for n in SIZES:
            both = log_tails(n, inside)
            gap = float((both - np.log(2) + n * inside**2 / eighth).max())
            parts.append(
                exact_bound(f"log P(|chi^2/n - 1| >= t) + n t^2/8 - log 2, n = {n}", gap, 0.0)
            )
        return parts

    return Statement(
        id="xu2023.lemma-A.17",
        title="Tails of a Gaussian and of a chi-square",
        kind=Kind.BOUND,
        config=Tails(),
        evidence=evidence,
        text=TEXTS["lemma-A.17"],
        control=Control("n t^2/4 in the place of n t^2/8", lambda: statement(eighth=4.0)),
        seeds=1,
        place="Lemma A.17, appendix A.6",
        references=REFERENCES,
    )


STATEMENT = statement()

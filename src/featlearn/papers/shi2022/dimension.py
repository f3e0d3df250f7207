r"""What input dimension a printed cosine speaks of.

    d   inputs      m   independent neurons      c   the largest of m cosines with a fixed direction

Random directions: (1 + cos)/2 has the law Beta((d-1)/2, (d-1)/2), so that E c and its spread follow
from the m-th power of its distribution function. A step with an isotropic rounding residue in
R^d has tan² = kappa d for the angle with its direction. Both give d for a printed cosine.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from featlearn.results.statistics import student

LEVEL = 0.99
_POINTS = 4000


@functools.cache
def largest_cosine(d: float, m: int) -> float:
    """The expected largest cosine of m independent random directions with a fixed one in R^d.

    Example:
        >>> round(largest_cosine(500, 300), 3), round(largest_cosine(2, 1), 3)
        (0.128, -0.0)
    """
    import scipy.stats

    u = (np.arange(_POINTS) + 0.5) / _POINTS
    share = scipy.stats.beta.ppf(u ** (1 / m), (d - 1) / 2, (d - 1) / 2)
    return float(np.mean(2 * share - 1))


def dimension_of_random(cosine: float, m: int) -> float:
    """The d at which the expected largest cosine of m random directions is the given one."""
    import scipy.optimize

    found = scipy.optimize.brentq(
        lambda log_d: largest_cosine(math.exp(log_d), m) - cosine, math.log(3), math.log(1e6)
    )
    return math.exp(float(found))


def squared_tangent(cosine: float) -> float:
    """tan² of the angle that has this cosine."""
    return (1 - cosine**2) / cosine**2


@dataclass(frozen=True, kw_only=True)
class DimensionEstimate:
    """An estimate of d with its interval."""

    d: float
    low: float
    high: float

    def has(self, d: float) -> bool:
        """Whether the interval has this dimension."""
        return self.low <= d <= self.high


def calibrated(raw: Sequence[float], known: Sequence[tuple[float, float]]) -> DimensionEstimate:
    """Correct raw estimates of one d by the tables whose d is known, and give Student's interval.

    Args:
        raw: the estimates of d before calibration.
        known: pairs (raw estimate, true d) of the tables whose d is known; the logarithms of their
            ratios are taken for draws of one normal law.
    """
    errors = np.log([estimate / d for estimate, d in known])
    n = len(errors)
    half = (
        student((1 + LEVEL) / 2, n - 1)
        * float(errors.std(ddof=1))
        * math.sqrt(1 / len(raw) + 1 / n)
    )
    middle = float(np.mean(np.log(raw)) - errors.mean())
    return DimensionEstimate(
        d=math.exp(middle), low=math.exp(middle - half), high=math.exp(middle + half)
    )

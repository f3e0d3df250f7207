r"""How a quantity grows with d: its exponent, and its power of log d between two dimensions.

    n(d)   what is needed at d     local exponent   d log n / d log d     fit   n = d (a + b log d)
    q = [log v_2 - log v_1] / [log log d_2 - log log d_1]        v   a mean over seeds

The interval of q is Welch's, since the two dimensions may differ in number and spread of seeds.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn.results.statistics import standard_error, student, welch
from featlearn.theory.estimates import log_log_slope


@dataclass(frozen=True, kw_only=True)
class GrowthCurve:
    """The samples or steps that are needed at each d: `values` has one row per dimension, one
    column per seed.
    """

    name: str
    d: tuple[int, ...]
    values: Float[np.ndarray, "sizes seeds"]

    @property
    def exponent(self) -> tuple[float, float]:
        """The slope of log n against log d, with its standard error over seeds."""
        return log_log_slope(np.array(self.d, float), self.values)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the exponent; None if there is no standard error."""
        slope, stderr = self.exponent
        if not math.isfinite(stderr):
            return None
        half = student(0.975, self.values.shape[1] - 1) * stderr
        return slope - half, slope + half

    @property
    def local(self) -> tuple[float, float]:
        """The exponent between the two largest d, with its standard error."""
        return log_log_slope(np.array(self.d[-2:], float), self.values[-2:])

    @property
    def linear_log(self) -> tuple[Float[np.ndarray, " seeds"], Float[np.ndarray, " seeds"]]:
        """Return the least-squares a and b of n/d = a + b log d, one pair per seed."""
        d = np.array(self.d, float)
        b, a = np.polyfit(np.log(d), self.values / d[:, None], 1)
        return a, b


def power_of_log(
    d: tuple[int, int],
    values: tuple[Float[np.ndarray, " seeds"], Float[np.ndarray, " others"]],
) -> tuple[float, float, tuple[float, float] | None]:
    """Return q (see above) with its standard error and its 95 % Welch interval, over the seeds with
    finite values.

    Example:
        >>> q, error, ci = power_of_log((10, 100), (np.array([2.0, 2.0]), np.array([8.0, 8.0])))
        >>> round(q, 6), error
        (2.0, 0.0)
    """
    logs = [np.log(each[np.isfinite(each)]) for each in values]
    if min(len(each) for each in logs) == 0:
        return math.nan, math.nan, None
    apart = math.log(math.log(d[1]) / math.log(d[0]))
    q = float(logs[1].mean() - logs[0].mean()) / apart
    if min(len(each) for each in logs) < 2:
        return q, math.nan, None
    error, freedom = welch([(standard_error(each), len(each) - 1) for each in logs])
    error /= abs(apart)
    half = student(0.975, freedom) * error
    return q, error, (q - half, q + half)

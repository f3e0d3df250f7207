r"""How a quantity grows with d: its exponent, and its power of log d between two dimensions.

    n(d)   what is needed at d     local exponent   d log n / d log d     fit   n = d (a + b log d)
    q = [log v_2 - log v_1] / [log log d_2 - log log d_1]        v   a mean over seeds
    log v = c + q log log d + s log d                            s = 0: no power of d beside the log

The intervals of q and s are Welch's, since dimensions may differ in number and spread of seeds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.results.statistics import Interval, standard_error, student, welch
from featlearn.theory.estimates import log_log_slope
from featlearn.theory.strength import detectable


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


@dataclass(frozen=True, kw_only=True)
class PowerBesideLog:
    """The power s of d that a quantity has beside (log d)^q, and what the data could have told."""

    power: float
    """s."""
    stderr: float
    """Its standard error; NaN if a dimension has fewer than two finite values."""
    freedom: float
    """Welch's degrees of freedom."""
    log_power: float
    """q: the value that was given, or the one that was fitted together with s."""

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of s; None if there is no standard error."""
        if math.isnan(self.stderr):
            return None
        half = student(0.975, self.freedom) * self.stderr
        return self.power - half, self.power + half

    @property
    def detectable(self) -> float:
        """D90: the power of d that nine of ten new samples would tell from none."""
        return detectable(self.stderr, self.freedom)


def power_beside_log(
    d: Sequence[float],
    values: Sequence[Float[np.ndarray, " _"]],
    *,
    log_power: float | None = None,
) -> PowerBesideLog:
    """Fit log v = c + q log log d + s log d by least squares; q may be given.

    Args:
        d: the dimensions.
        values: the values at each dimension, one per seed; values that are not finite are left out.
        log_power: the power of the logarithm that is claimed; None fits it too.

    Example:
        >>> d = (10, 100, 1000, 10_000)
        >>> logs = [np.full(2, np.log(each)) for each in d]
        >>> round(power_beside_log(d, logs, log_power=1.0).power, 6)
        0.0
        >>> both = power_beside_log(d, [v * n**0.25 for v, n in zip(logs, d)])
        >>> round(both.power, 6), round(both.log_power, 6)
        (0.25, 1.0)
    """
    x = np.array(d, float)
    columns = [np.ones(len(x)), np.log(x)]
    if log_power is None:
        columns.append(np.log(np.log(x)))
    require(len(x) >= len(columns), "d", f"at least {len(columns)} dimensions", len(x))
    logs = [np.log(each[np.isfinite(each)]) for each in values]
    if min(len(each) for each in logs) == 0:
        lost = math.nan if log_power is None else log_power
        return PowerBesideLog(power=math.nan, stderr=math.nan, freedom=math.nan, log_power=lost)
    mean = np.array([each.mean() for each in logs]) - (log_power or 0.0) * np.log(np.log(x))
    weights = np.linalg.pinv(np.stack(columns, axis=1))
    sides = [
        (abs(weight) * standard_error(each), len(each) - 1)
        for weight, each in zip(weights[1], logs, strict=True)
    ]
    known = min(len(each) for each in logs) >= 2
    stderr, freedom = welch(sides) if known else (math.nan, math.nan)
    return PowerBesideLog(
        power=float(weights[1] @ mean),
        stderr=stderr,
        freedom=freedom,
        log_power=float(weights[2] @ mean) if log_power is None else log_power,
    )

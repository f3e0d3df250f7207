"""Error bars: standard errors, confidence intervals and quantiles.

Values are independent, one per seed. A value that is NaN or infinite belongs to a seed that
never reached the quantity; functions that ignore such values say so.
"""

import functools
import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

Interval = tuple[float, float]


def standard_error(values: Sequence[float] | Float[np.ndarray, " seeds"]) -> float:
    """Return s/sqrt n, the standard error of a mean; NaN if there are fewer than two values.

    The variance s^2 is the sum of squared deviations divided by n - 1.

    Example:
        >>> standard_error([1.0, 3.0]), standard_error([1.0])
        (1.0, nan)
    """
    n = len(values)
    return float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else math.nan


def mean_interval(
    values: Sequence[float] | Float[np.ndarray, " seeds"], level: float = 0.95
) -> tuple[float, float, Interval | None]:
    """Return mean, standard error and Student's interval of the finite values.

    The interval is None if there is only one value.

    Example:
        >>> mean, error, (low, high) = mean_interval([1.0, 3.0, math.inf])
        >>> mean, error, round(low, 3), round(high, 3)
        (2.0, 1.0, -10.706, 14.706)
    """
    every = np.asarray(values, float)
    known = every[np.isfinite(every)]
    if len(known) == 0:
        return math.nan, math.nan, None
    mean, error = float(known.mean()), standard_error(known)
    if len(known) < 2:
        return mean, math.nan, None
    half = student((1 + level) / 2, len(known) - 1) * error
    return mean, error, (mean - half, mean + half)


def welch(sides: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the standard error of a difference, and Welch's degrees of freedom.

    Args:
        sides: for each side, the standard error of its mean and its degrees of freedom.

    Example:
        >>> error, freedom = welch([(3.0, 4), (4.0, 9)])
        >>> error, round(freedom, 3)
        (5.0, 12.835)
    """
    squares = [error**2 for error, _ in sides]
    below = sum(
        square**2 / freedom
        for square, (_, freedom) in zip(squares, sides, strict=True)
        if square > 0
    )
    return math.sqrt(sum(squares)), sum(squares) ** 2 / below if below else math.inf


@functools.cache
def student(level: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution at probability `level`.

    Example:
        >>> round(student(0.975, 4), 3), round(student(0.975, float("inf")), 3)
        (2.776, 1.96)
    """
    import scipy.stats

    return float(scipy.stats.t.ppf(level, freedom))


def exceeds(excess: float, stderr: float, freedom: float) -> float:
    """Return the one-sided p-value of Student's t test.

    It is the probability of an excess at least as large if the true excess is 0.

    Example:
        >>> exceeds(0.0, 1.0, 5), exceeds(1.0, 0.0, 5), round(exceeds(2.776, 1.0, 4), 3)
        (0.5, 0.0, 0.025)
    """
    import scipy.stats

    if math.isnan(excess) or math.isnan(stderr):
        return math.nan
    if stderr == 0:
        return 0.5 if excess == 0 else float(excess < 0)
    return float(scipy.stats.t.sf(excess / stderr, freedom))


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact two-sided confidence interval for a probability (Clopper and Pearson).

    Example:
        >>> low, high = clopper_pearson(20, 20)
        >>> round(low, 4), high
        (0.8316, 1.0)
    """
    import scipy.stats

    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else scipy.stats.beta.ppf(tail, successes, trials - successes + 1)
    high = (
        1.0
        if successes == trials
        else scipy.stats.beta.ppf(1 - tail, successes + 1, trials - successes)
    )
    return float(low), float(high)

"""Estimates from samples: quantiles, intervals, slopes, means with their spread.

These numbers go into evidence and are stored with it; judges use them too.
"""

import functools
import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from featlearn.theory.verdict import FittedConstant, Trend


@functools.cache
def student(level: float, freedom: float) -> float:
    """The value that Student's t stays below with probability `level`.

    Example:
        >>> round(student(0.975, 4), 3), round(student(0.975, float("inf")), 3)
        (2.776, 1.96)
    """
    import scipy.stats

    return float(scipy.stats.t.ppf(level, freedom))


def exceeds(excess: float, stderr: float, freedom: float) -> float:
    """How likely an excess this large is where there is none: one-sided p-value of Student's t.

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
    """The exact two-sided interval for a probability.

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


def log_log_slope(
    x: Float[np.ndarray, " sizes"], y: Float[np.ndarray, "sizes seeds"]
) -> tuple[float, float]:
    """The slope of log y against log x, with its standard error.

    One least-squares slope per seed where all are positive; the error is that of their mean.
    """
    if len(set(x.tolist())) < 2 or not (np.all(y > 0) and np.all(np.isfinite(y))):
        return float("nan"), float("nan")
    u = np.log(x) - np.log(x).mean()
    slopes = (u @ np.log(y)) / (u @ u)
    n = len(slopes)
    return float(slopes.mean()), float(slopes.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")


def trend(
    name: str,
    over: str,
    x: Sequence[float] | Float[np.ndarray, " sizes"],
    values: Float[np.ndarray, "sizes seeds"],
    predicted: Sequence[float] | Float[np.ndarray, " sizes"] = (),
    *,
    relation: str = "<=",
    logarithmic: bool = False,
    constant: str = "",
) -> Trend:
    """Means over seeds with their 95 % intervals, for the figure of a statement.

    Seeds whose value is not finite are left out of the mean; where none is left it is missing.

    Args:
        name: what is measured, as the axis says it.
        over: what it is measured against.
        x: the sizes or times.
        values: a row a size, a column a seed.
        predicted: the claim at each of them, if it gives a number.
        relation: measured RELATION predicted.
        logarithmic: draw both axes so.
        constant: the name of a fitted constant that the predictions are to be multiplied with.

    Example:
        >>> found = trend("T", "d", [2, 4], np.array([[1.0, 3.0], [2.0, np.nan]]), [3, 3])
        >>> found.measured, [round(v, 1) for v in found.low]
        ((2.0, 2.0), [-10.7, 2.0])
    """
    means, halves = [], []
    for row in values:
        known = row[np.isfinite(row)]
        n = len(known)
        means.append(float(known.mean()) if n else math.nan)
        spread = student(0.975, n - 1) * float(known.std(ddof=1)) / math.sqrt(n) if n > 1 else 0.0
        halves.append(spread)
    sampled = values.shape[1] > 1
    return Trend(
        name=name,
        over=over,
        x=tuple(map(float, x)),
        measured=tuple(means),
        low=tuple(m - h for m, h in zip(means, halves, strict=True)) if sampled else (),
        high=tuple(m + h for m, h in zip(means, halves, strict=True)) if sampled else (),
        predicted=tuple(map(float, predicted)),
        relation=relation,
        logarithmic=logarithmic,
        constant=constant,
    )


def spread(values: Sequence[float] | Float[np.ndarray, " runs"]) -> FittedConstant:
    """A constant measured once a run: its mean and its range over the runs where it is finite.

    Example:
        >>> spread([1.0, 3.0, math.inf])
        FittedConstant(value=2.0, ci=(1.0, 3.0), name='')
    """
    known = [float(value) for value in values if math.isfinite(value)]
    if not known:
        return FittedConstant(value=math.nan)
    return FittedConstant(value=float(np.mean(known)), ci=(min(known), max(known)))

"""Estimates from samples: slopes on logarithmic axes, trends over sizes, and constants with ranges.

The estimates become part of the stored evidence; judges use them too.
"""

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from featlearn.results.statistics import mean_interval, standard_error
from featlearn.theory.verdict import FittedConstant, Trend


def log_log_slope(
    x: Float[np.ndarray, " sizes"], y: Float[np.ndarray, "sizes seeds"]
) -> tuple[float, float]:
    """Return the slope of log y against log x, with its standard error.

    There is one least-squares slope per seed, and the standard error is that of their mean. Both
    numbers are NaN if a value is not positive.
    """
    if len(set(x.tolist())) < 2 or not (np.all(y > 0) and np.all(np.isfinite(y))):
        return float("nan"), float("nan")
    u = np.log(x) - np.log(x).mean()
    slopes = (u @ np.log(y)) / (u @ u)
    return float(slopes.mean()), standard_error(slopes)


def slope_of_means(
    x: Float[np.ndarray, " sizes"], y: Float[np.ndarray, "sizes seeds"]
) -> tuple[float, float]:
    """Return the slope of log E[y] against log x, with its standard error; single values may be 0.

    The seeds of different sizes are independent, and E[y] is estimated by the mean over the seeds
    of a size. The logarithm of that mean has the standard error s/(mean sqrt n), to first order;
    all sizes have equal weight in the slope.

    Example:
        >>> y = np.array([[1.0, 3.0], [2.0, 6.0], [4.0, 12.0]])
        >>> slope, error = slope_of_means(np.array([1.0, 2.0, 4.0]), y)
        >>> round(slope, 6), round(error, 3)
        (1.0, 0.51)
    """
    means = y.mean(axis=1)
    if len(set(x.tolist())) < 2 or not np.all(means > 0):
        return math.nan, math.nan
    u = np.log(x) - np.log(x).mean()
    errors = np.array([standard_error(row) for row in y]) / means
    return float(u @ np.log(means) / (u @ u)), float(np.sqrt(u**2 @ errors**2) / (u @ u))


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
    """Return the means over seeds with their 95 % intervals, for the figure of a statement.

    Seeds whose value is not finite are left out; a size without any finite value is missing.

    Args:
        name: what is measured, as the label of the y axis.
        over: what it is measured against, as the label of the x axis.
        x: the sizes or times.
        values: one row per size, one column per seed.
        predicted: the claimed value at each x, if the claim is a number.
        relation: the claim is "measured RELATION predicted".
        logarithmic: whether both axes are logarithmic.
        constant: the name of a fitted constant by which the predictions have to be multiplied.

    Example:
        >>> found = trend("T", "d", [2, 4], np.array([[1.0, 3.0], [2.0, np.nan]]), [3, 3])
        >>> found.measured, [round(v, 1) for v in found.low]
        ((2.0, 2.0), [-10.7, 2.0])
    """
    found = [mean_interval(row) for row in values]
    sampled = values.shape[1] > 1
    ends = [(mean, mean) if ci is None else ci for mean, _, ci in found] if sampled else []
    return Trend(
        name=name,
        over=over,
        x=tuple(map(float, x)),
        measured=tuple(mean for mean, _, _ in found),
        low=tuple(low for low, _ in ends),
        high=tuple(high for _, high in ends),
        predicted=tuple(map(float, predicted)),
        relation=relation,
        logarithmic=logarithmic,
        constant=constant,
    )


def spread(values: Sequence[float] | Float[np.ndarray, " runs"]) -> FittedConstant:
    """Return the mean and the range of a constant that is measured once per run; runs without a
    finite value are left out.

    Example:
        >>> spread([1.0, 3.0, math.inf])
        FittedConstant(value=2.0, ci=(1.0, 3.0), name='')
    """
    known = [float(value) for value in values if math.isfinite(value)]
    if not known:
        return FittedConstant(value=math.nan)
    return FittedConstant(value=float(np.mean(known)), ci=(min(known), max(known)))

"""Quantiles of Student's t, which every verdict over seeds rests on."""

import functools


@functools.cache
def student(level: float, freedom: float) -> float:
    """The value that Student's t stays below with probability `level`.

    Example:
        >>> round(student(0.975, 4), 3), round(student(0.975, float("inf")), 3)
        (2.776, 1.96)
    """
    import scipy.stats

    return float(scipy.stats.t.ppf(level, freedom))

"""Search by bisection for the least whole number at which a condition holds, up to a ratio."""

import math
from collections.abc import Callable


def bisected(
    enough: Callable[[int], bool], *, low: int, start: int, high: int, near: float
) -> float:
    """Return the least n, up to a ratio 1 + `near`, with `enough(n)`; NaN if there is none.

    The condition `enough` must be monotone: once it holds, it holds for all larger n. `start` is
    the first n tried; `low` is taken not to suffice, and `high` is the largest n tried.

    Example:
        >>> bisected(lambda n: n >= 100, low=2, start=30, high=1000, near=0.001)
        100.0
    """
    top = start
    while not enough(top):
        if top >= high:
            return math.nan
        low, top = top, min(high, 2 * top)
    while top > low + 1 and top > low * (1 + near):
        middle = min(max(round(math.sqrt(low * top)), low + 1), top - 1)
        low, top = (low, middle) if enough(middle) else (middle, top)
    return float(top)

"""The least sample size at which something holds, to a ratio."""

import math
from collections.abc import Callable


def bisected(
    enough: Callable[[int], bool], *, low: int, start: int, high: int, near: float
) -> float:
    """The least whole number at which a monotone condition holds, to a ratio 1 + near; or NaN.

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

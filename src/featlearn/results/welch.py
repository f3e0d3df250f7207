"""The error of a difference of two means with unequal variances, and its degrees of freedom."""

import math
from collections.abc import Sequence


def welch(sides: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The standard error of a difference, and the freedom of Student's t that goes with it.

    Args:
        sides: of each side the standard error of its mean, and its own degrees of freedom.

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

"""A measurement against a size or a time, with the spread of its mean over seeds."""

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from featlearn.theory.student import student
from featlearn.theory.verdict import Trend


def trend(
    name: str,
    over: str,
    x: Sequence[float] | Float[np.ndarray, " sizes"],
    values: Float[np.ndarray, "sizes seeds"],
    predicted: Sequence[float] | Float[np.ndarray, " sizes"] = (),
    *,
    relation: str = "<=",
    logarithmic: bool = False,
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
    )

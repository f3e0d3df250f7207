"""Draw several seeds as one curve: the mean over the seeds, inside a band that contains them."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Real

from featlearn.figures.record import Series


def over_seeds(
    name: str,
    x: Real[np.ndarray, " points"],
    values: Real[np.ndarray, "seeds points"],
    *,
    role: str,
    share: float = 1.0,
    geometric: bool = False,
) -> Series:
    """Return the mean over seeds as a curve with a band; values that are not finite are left out.

    Args:
        name: the text in the legend.
        x: the x positions of the values.
        values: one row per seed.
        role: the meaning of the curve, which decides its colour.
        share: the share of the seeds inside the band; 1 is from the least to the largest.
        geometric: take the geometric mean, for quantities on a logarithmic axis.

    Example:
        >>> seeds = np.array([[1.0, 4.0], [3.0, np.nan]])
        >>> curve = over_seeds("a", np.array([1, 2]), seeds, role="network")
        >>> curve.y.tolist(), curve.low.tolist(), curve.high.tolist()
        ([2.0, 4.0], [1.0, 4.0], [3.0, 4.0])
    """
    tail = (1 - share) / 2
    low, mean, high = np.full((3, len(x)), np.nan)
    for place, column in enumerate(np.asarray(values, float).T):
        known = column[np.isfinite(column)]
        if len(known):
            low[place], high[place] = np.quantile(known, [tail, 1 - tail])
            mean[place] = np.exp(np.log(known).mean()) if geometric else known.mean()
    return Series(name=name, x=np.asarray(x, float), y=mean, low=low, high=high, role=role)


def over_sizes(
    name: str,
    x: Real[np.ndarray, " points"],
    values: Sequence[Real[np.ndarray, " _"]],
    *,
    role: str,
) -> Series:
    """Return the mean over seeds as a curve with a band, where points may have different numbers of
    seeds.

    Args:
        name: the text in the legend.
        x: the x positions of the values.
        values: one array of seeds per position.
        role: the meaning of the curve, which decides its colour.

    Example:
        >>> few = [np.array([1.0, 3.0, 5.0]), np.array([4.0])]
        >>> over_sizes("a", np.array([1, 2]), few, role="network").high.tolist()
        [5.0, 4.0]
    """
    rows = np.full((max(map(len, values)), len(values)), np.nan)
    for place, seeds in enumerate(values):
        rows[: len(seeds), place] = seeds
    return over_seeds(name, x, rows, role=role)

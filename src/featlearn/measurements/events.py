"""Times of events: the first recorded step at which a condition holds, or between two records."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int

from featlearn._choices import Side as Side


def first_step(
    holds: Bool[np.ndarray, "seeds steps"], steps: Int[np.ndarray, " steps"]
) -> Float[np.ndarray, " seeds"]:
    """Return for each seed the first recorded step at which the condition holds; NaN if never.

    Example:
        >>> first_step(np.array([[False, True, True], [False] * 3]), np.array([0, 10, 20]))
        array([10., nan])
    """
    reached = holds.any(axis=1)
    return np.where(reached, steps[holds.argmax(axis=1)], np.nan)


Condition = tuple[Float[np.ndarray, "seeds steps"], float, Side]
"""Values, the level they have to reach, and from which side."""


def crossing(
    at: Float[np.ndarray, " steps"] | Int[np.ndarray, " steps"], conditions: Sequence[Condition]
) -> Float[np.ndarray, " seeds"]:
    """Return for each seed the first time at which all conditions hold, by linear interpolation.

    That time is between the last record at which one of them fails and the first at which all
    hold: it is the latest of the times at which the failing quantities reach their levels. It is
    NaN if that never happens.

    Args:
        at: the recorded steps, or samples, or times.
        conditions: values with one row per seed, their level, and from which side they reach it.

    Example:
        >>> accuracy, loss = np.array([[0.5, 0.9, 1.0]]), np.array([[1.0, 0.2, 0.1]])
        >>> crossing(np.array([0, 10, 20]), [(accuracy, 0.95, ">="), (loss, 0.2, "<=")])
        array([15.])
    """
    signed = [
        (values - level) * (1.0 if side == ">=" else -1.0) for values, level, side in conditions
    ]
    holds = np.all([each >= 0 for each in signed], axis=0)
    times = np.full(len(holds), np.nan)
    for seed, row in enumerate(holds):
        if not row.any():
            continue
        i = int(row.argmax())
        times[seed] = at[i]
        if i > 0:
            ends = [(each[seed, i - 1], each[seed, i]) for each in signed]
            shares = [_share(below, above) for below, above in ends if not below >= 0]
            times[seed] = at[i - 1] + max(shares) * (at[i] - at[i - 1])
    return times


def reaching(
    at: Float[np.ndarray, " steps"] | Int[np.ndarray, " steps"],
    values: Float[np.ndarray, "seeds steps"],
    level: float,
) -> Float[np.ndarray, " seeds"]:
    """Return for each seed where a recorded curve first reaches a level from below; NaN if never.

    Example:
        >>> reaching(np.array([0.0, 10.0, 20.0]), np.array([[0.5, 0.9, 1.0]]), 0.95).round(6)
        array([15.])
    """
    return crossing(at, [(values.astype(float), level, ">=")])


def _share(below: float, above: float) -> float:
    """Return where the line from (0, below) to (1, above) is 0; return 1 if one is not finite.

    Example:
        >>> _share(-1.0, 3.0), _share(-np.inf, 3.0), _share(np.nan, 3.0)
        (0.25, 1.0, 1.0)
    """
    return float(below / (below - above)) if np.isfinite(below) and np.isfinite(above) else 1.0

"""When did it happen: the first recorded step at which a condition holds."""

import numpy as np
from jaxtyping import Bool, Float, Int


def first_step(
    holds: Bool[np.ndarray, "seeds steps"], steps: Int[np.ndarray, " steps"]
) -> Float[np.ndarray, " seeds"]:
    """Per seed, the first recorded step at which the condition holds; NaN if it never does.

    Example:
        >>> first_step(np.array([[False, True, True], [False] * 3]), np.array([0, 10, 20]))
        array([10., nan])
    """
    reached = holds.any(axis=1)
    return np.where(reached, steps[holds.argmax(axis=1)], np.nan)

"""What the items of this paper have in common."""

import numpy as np

from featlearn.figures.record import Series
from featlearn.papers.xu2023.assumptions import largest_constants
from featlearn.papers.xu2023.setting import GrokkingClusters


def band(name: str, x: np.ndarray, values: np.ndarray, role: str, share: float = 0.9) -> Series:
    """The mean over the first axis, with a band that holds that share of the runs."""
    tail = (1 - share) / 2
    low, high = (np.quantile(values, q, axis=0).astype(float) for q in (tail, 1 - tail))
    return Series(
        name=name,
        x=np.asarray(x, float),
        y=values.mean(axis=0).astype(float),
        low=low,
        high=high,
        role=role,
    )


def scope_note(name: str, config: GrokkingClusters) -> str:
    """How far a setting is from the assumptions, at C = 1."""
    limits = largest_constants(config)
    missed = [f"{each} by {1 / limit:.2g}" for each, limit in limits.items() if limit < 1 - 1e-9]
    if not missed:
        return f"{name} meets A1 to A6 at C = 1."
    return f"{name} misses {', '.join(missed)} at C = 1: theorem 3.1 does not speak of it."

"""Where the kinks of the neurons lie: inside the data, and between which counts.

    z = w.x + b;  s(z) = min(1, max(z, 0)) has its kinks at z = 0 and z = 1

A neuron without a kink inside the data is an affine function there, and adds nothing to a linear
read-out but that. To make a function of the count s = 0 … k that is not monotone, kinks have to lie
between neighbouring counts.
"""

import numpy as np
from jaxtyping import Bool, Float

from featlearn.measurements import components
from featlearn.networks import Params
from featlearn.papers.shi2022.patterns import PatternTraining

KINKS = (0.0, 1.0)


def with_kinks(z: Float[np.ndarray, "points neurons"]) -> Bool[np.ndarray, " neurons"]:
    """Which neurons have a kink strictly inside the range of their pre-activations.

    Example:
        >>> with_kinks(np.array([[-1.0, 0.2, 0.5], [1.0, 0.4, 1.5]])).tolist()
        [True, False, True]
    """
    low, high = z.min(axis=0), z.max(axis=0)
    return np.logical_or.reduce([(low < kink) & (kink < high) for kink in KINKS])


def along_counts(config: PatternTraining, params: Params) -> Float[np.ndarray, "counts neurons"]:
    """The mean pre-activation at every count of relevant patterns, background at its mean."""
    experiment = config.experiment()
    law = experiment.law
    q = np.asarray(components(params.w, law), np.float64)[:, : law.k].sum(axis=1)
    counts = np.arange(law.k + 1) / law.k - law.truth.relevant_rate
    return np.outer(counts, q) / float(law.truth.input_sd) + np.asarray(params.b, np.float64)


def covered_gaps(z: Float[np.ndarray, "counts neurons"]) -> int:
    """How many of the k gaps between neighbouring counts have a kink of some neuron in them.

    Example:
        >>> covered_gaps(np.array([[-1.0], [0.5], [2.0], [2.5]]))
        2
    """
    low, high = np.minimum(z[:-1], z[1:]), np.maximum(z[:-1], z[1:])
    inside = [((low < kink) & (kink < high)).any(axis=1) for kink in KINKS]
    return int(np.logical_or.reduce(inside).sum())


def kink_share(
    config: PatternTraining, params: Params, x: Float[np.ndarray, "points inputs"]
) -> float:
    """The share of the neurons that have a kink inside these points."""
    z = np.asarray(x, np.float64) @ np.asarray(params.w, np.float64).T
    return float(with_kinks(z + np.asarray(params.b, np.float64)).mean())

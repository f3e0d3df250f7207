"""Both sides of equation 4.3 for neurons as they start, exactly and without training.

A module of its own: what it imports decides which edits make its stored numbers old, and a minute
of exact laws is not to be computed again because the loop of training was edited.
"""

import math

import numpy as np
from jaxtyping import Float

from featlearn._streams import stream
from featlearn.distributions.rademacher import within
from featlearn.networks.initialisation import Sphere

NEURONS = 24
"""Initial neurons a seed."""
TAU = math.sqrt(2) / 4
"""Rate of phase 2."""


def quotients(d: int, seeds: tuple[int, ...], rate: float) -> Float[np.ndarray, "seeds 2 neurons"]:
    """Exact left side over `rate` |a|/||w|| (w_sig - w_opp), along w_sig and along w_opp."""
    return np.stack([_of_seed(d, seed, rate) for seed in seeds])


def _of_seed(d: int, seed: int, rate: float) -> Float[np.ndarray, "2 neurons"]:
    key = stream(seed, f"equation-4.3 d={d}")
    w = np.asarray(Sphere(radius=1.0).draw((NEURONS, d), key=key), float)
    along = np.abs(np.stack([w[:, 0] - w[:, 1], w[:, 0] + w[:, 1]])) / math.sqrt(2)
    chance = [
        within(row[2:], math.sqrt(2) * ends, accuracy=1e-8)
        for row, ends in zip(w, along.T, strict=True)
    ]
    return np.asarray(TAU * np.stack(chance).T / (rate * along))

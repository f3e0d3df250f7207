r"""The read-out that separates: the features psi_r, the neurons that imitate them, and u*.

    z = sum_A u_j in {-k, …, k},    r in {-k, -k+2, …, k},    psi_r(z) = relu(-sign(r) z + |r|)

    parity(z) = - sum_r (-1)^((k-r)/2) v_r psi_r(z),
    v_r = 2 for |r| < k,    v_{±k} = 3/2 if k = 3 mod 4,  1/2 if k = 1 mod 4,

where parity(z) = (-1)^((k-z)/2) is the label. The weights are unique. The text prints v = 1 (|r| =
k), 5/2 (|r| = 1), 2 (else) and no minus sign, which at k = 3 gives (4, -3, -3, 4) times the label.
The psi_r need the plain ReLU: with the paper's ReLU6 they saturate as soon as |r| + k > 6.

A neuron of the first step imitates psi_r if (|r|/b) relu6(w.x + b) is within a tolerance of it for
all x. In its second-layer weight a that is a half-line for every x, hence an interval, known
exactly.
"""

import math

import jax
import numpy as np
from jaxtyping import Float, Int

from featlearn.distributions import every_sign
from featlearn.papers.daniely2020.neurons import Neurons

Interval = tuple[Float[np.ndarray, " neurons"], Float[np.ndarray, " neurons"]]


def levels(k: int) -> Int[np.ndarray, " levels"]:
    """r = -k, -k+2, …, k: the values of sum_A u_j too."""
    return np.arange(-k, k + 1, 2)


def psi(r: int, z: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """relu(-sign(r) z + |r|)."""
    return np.maximum(-np.sign(r) * z + abs(r), 0.0)


def right_weights(k: int) -> Float[np.ndarray, " levels"]:
    """-(-1)^((k-r)/2) v_r: what psi_r must be multiplied with.

    Example:
        >>> k = 7
        >>> z = levels(k).astype(float)
        >>> sum(v * psi(int(r), z) for v, r in zip(right_weights(k), levels(k)))
        array([-1.,  1., -1.,  1., -1.,  1., -1.,  1.])
    """
    r = levels(k)
    v = np.where(np.abs(r) < k, 2.0, 1.5 if k % 4 == 3 else 0.5)
    return -((-1.0) ** ((k - r) // 2)) * v


def printed_weights(k: int) -> Float[np.ndarray, " levels"]:
    """(-1)^((k-r)/2) v_r as the text has them."""
    r = levels(k)
    v = np.select([np.abs(r) == k, np.abs(r) == 1], [1.0, 2.5], 2.0)
    return (-1.0) ** ((k - r) // 2) * v


def patterns(k: int) -> Float[np.ndarray, "patterns k"]:
    """All 2^k values of the bits of A."""
    with jax.enable_x64(True):
        return np.asarray(every_sign(k), dtype=float)


def slopes(
    neurons: Neurons, half: str = "mixture"
) -> tuple[Float[np.ndarray, "neurons patterns"], Float[np.ndarray, " neurons"]]:
    """(w.x + b - b^(0)) / a after the first step: its part from A and the bias, and the rest.

    The second is the largest absolute value of the part from outside A.
    """
    found = neurons.mixture if half == "mixture" else neurons.over(half)
    on_A = found.relevant @ patterns(neurons.k).T / neurons.d + found.bias[:, None]
    return on_A, np.abs(found.irrelevant) * neurons.others / neurons.d


def imitating(
    slope: Float[np.ndarray, "neurons points"],
    z: Float[np.ndarray, " points"],
    r: int,
    *,
    b: float,
    tolerance: float,
    largest: float,
    cap: float = math.inf,
) -> Interval:
    """The interval of a, within [-largest, largest], of neurons that imitate psi_r at all points.

    Args:
        slope: d(w.x + b)/da at each point.
        z: sum_A u_j at each point.
        r: which feature.
        b: the bias at a = 0.
        tolerance: the largest |(|r|/b) relu6(b + a slope) - psi_r(z)| allowed.
        largest: the largest |a|.
        cap: where psi_r is cut off; 6 for the ReLU6 that the text prints.
    """
    value = np.minimum(psi(r, z), cap)
    low, high = ((value + sign * tolerance) * b / abs(r) for sign in (-1, 1))
    safe = np.where(slope == 0, 1.0, slope)
    at_low, at_high = (low - b) / safe, (high - b) / safe
    up = slope > 0
    # b + a slope >= low where low > 0, and <= high where high < 6; a slope of 0 decides by b alone.
    floor = np.where(low > 0, np.where(up, at_low, -np.inf), -np.inf)
    ceiling = np.where(low > 0, np.where(up, np.inf, at_low), np.inf)
    floor = np.maximum(floor, np.where(high < 6, np.where(up, -np.inf, at_high), -np.inf))
    ceiling = np.minimum(ceiling, np.where(high < 6, np.where(up, at_high, np.inf), np.inf))
    fits = (np.clip(b, 0, 6) >= low) & (np.clip(b, 0, 6) <= high)
    silent = np.where(fits, np.inf, -np.inf)
    floor = np.where(slope == 0, -silent, floor)
    ceiling = np.where(slope == 0, silent, ceiling)
    impossible = (low > 6).any()
    start = np.clip(floor.max(axis=1), -largest, largest)
    stop = np.minimum(ceiling.min(axis=1), largest)
    return start, np.where(impossible, start, np.maximum(stop, start))

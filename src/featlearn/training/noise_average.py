r"""The mean of a neuron's activation when part of its input is Gaussian.

    c   what the bits and the bias say        sigma G   the rest, G ~ N(0, 1)

    E s(c + sigma G),      E s'(c + sigma G),      E G s'(c + sigma G)

For a hinge relu(. - kappa), with v = c - kappa, these are v Phi(v/sigma) + sigma
phi(v/sigma), Phi(v/sigma) and phi(v/sigma), where Phi and phi are the normal distribution
function and density; at sigma = 0 they are the hinge itself, with slope 1/2 at the kink. For
other activations they are computed by Gauss-Hermite quadrature.
"""

import math
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.special import ndtr
from jaxtyping import Float

from featlearn.networks import Activation


class Averages(NamedTuple):
    """The means of s, s' and G s' over the Gaussian part of a neuron's input."""

    value: Float[Array, "..."]
    """E s."""
    slope: Float[Array, "..."]
    """E s'."""
    along: Float[Array, "..."]
    """E G s'."""


def averages(
    activation: Activation, c: Float[Array, "..."], sigma: Float[Array, "..."], *, nodes: int = 32
) -> Averages:
    """Return E s, E s' and E G s' at c + sigma G; in closed form if s is piecewise linear.

    Args:
        activation: s.
        c: the part that is fixed.
        sigma: standard deviation of the rest, of a shape that goes with `c`.
        nodes: of Gauss and Hermite, for other activations.

    Example:
        >>> from featlearn.networks import RELU
        >>> [round(float(v), 4) for v in averages(RELU, jnp.array(0.0), jnp.array(1.0))]
        [0.3989, 0.5, 0.3989]
    """
    if not activation.hinges:
        at, weights = gauss_hermite(nodes)
        z = c[..., None] + sigma[..., None] * at.astype(c.dtype)
        slopes, w = activation.derivative(z), jnp.asarray(weights, c.dtype)
        return Averages(activation.value(z) @ w, slopes @ w, slopes @ (w * at.astype(c.dtype)))
    value = slope = along = jnp.zeros(jnp.broadcast_shapes(c.shape, sigma.shape), c.dtype)
    noisy = sigma > 0
    width = jnp.where(noisy, sigma, 1.0)
    for weight, kink in activation.hinges:
        v = c - kink
        below = jnp.where(noisy, ndtr(v / width), (jnp.sign(v) + 1) / 2)
        density = jnp.exp(-((v / width) ** 2) / 2) / math.sqrt(2 * math.pi)
        density = jnp.where(noisy, density, 0.0)
        value += weight * (v * below + sigma * density)
        slope += weight * below
        along += weight * density
    return Averages(value, slope, along)


def gauss_hermite(n: int) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """Return nodes and weights of Gauss-Hermite quadrature for E g(G), G ~ N(0, 1).

    Example:
        >>> at, weights = gauss_hermite(4)
        >>> round(float(at**6 @ weights), 10)
        15.0
    """
    at, weights = np.polynomial.hermite_e.hermegauss(n)
    return at, weights / weights.sum()

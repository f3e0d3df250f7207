r"""Kernels and features that do not depend on a network: linear, radial, polynomial, cosines.

    linear        K(x, z) = x.z   (+ 1 with an intercept)
    rbf           K(x, z) = exp(-gamma |x - z|^2)
    polynomial    K(x, z) = (x.z + offset)^degree
    cosines       phi_j(x) = sqrt(2/N) cos(w_j.x + b_j),  w_j ~ N(0, sd^2 I),  b_j ~ U[0, 2 pi]

With sd = sqrt(2 gamma) the kernel of the cosines tends to that of `rbf(gamma)` (Rahimi & Recht
2007); Daniely & Malach (2020) use them with sd = 4/sqrt(d) as a baseline on images.
"""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_positive
from featlearn.baselines.family import Family
from featlearn.training.gradient import Number

Points = Float[Array, "samples inputs"]


def linear(d: int, *, intercept: bool = False) -> Family:
    """Return the family of linear functions on R^d, with a constant term if `intercept` is True.

    Example:
        >>> linear(3, intercept=True).dimension
        4
    """

    def phi(x: Points) -> Array:
        return jnp.concatenate([x, jnp.ones_like(x[:, :1])], axis=1) if intercept else x

    return Family(
        name="linear",
        kernel=lambda x, z: phi(x) @ phi(z).T,
        dimension=d + intercept,
        features=phi,
    )


def rbf(gamma: float) -> Family:
    """Return the family with the Gaussian kernel exp(-gamma |x - z|^2)."""
    require_positive(gamma, "rbf(gamma)")
    return Family(name=f"rbf({gamma:g})", kernel=lambda x, z: _radial(x, z, gamma))


def polynomial(degree: int, *, offset: float = 1.0) -> Family:
    """Return the family with the polynomial kernel (x.z + offset)^degree."""
    require(degree >= 1, "polynomial(degree)", "degree >= 1", degree)
    require(offset >= 0, "polynomial(offset)", "offset >= 0, or K is no kernel", offset)
    return Family(name=f"polynomial({degree})", kernel=lambda x, z: (x @ z.T + offset) ** degree)


def cosine_features(d: int, dimension: int, *, sd: float, key: Key[Array, ""]) -> Family:
    """Return the family of random Fourier features on R^d, with `dimension` cosines.

    The features are sqrt(2/N) cos(w_j.x + b_j), where w_j has independent N(0, sd^2) entries.
    """
    require(dimension >= 1, "cosine_features(dimension)", "at least 1 feature", dimension)
    require_positive(sd, "cosine_features(sd)")
    of_w, of_b = jax.random.split(key)
    w = sd * jax.random.normal(of_w, (dimension, d))
    b = jax.random.uniform(of_b, (dimension,), maxval=2 * jnp.pi)

    def phi(x: Points) -> Array:
        return jnp.sqrt(2 / dimension) * jnp.cos(x @ w.T + b)

    return Family(
        name="cosines",
        kernel=lambda x, z: phi(x) @ phi(z).T,
        dimension=dimension,
        features=phi,
    )


@jax.jit
def _radial(x: Points, z: Float[Array, "others inputs"], gamma: Number) -> Array:
    squares = jnp.sum(x**2, axis=1)[:, None] + jnp.sum(z**2, axis=1) - 2 * x @ z.T
    return jnp.exp(-gamma * jnp.maximum(squares, 0))

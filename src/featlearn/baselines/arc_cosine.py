r"""Arc-cosine kernels: products of ReLU features (or their derivatives) averaged over directions.

For u ~ N(0, I) and points at angle theta (Cho & Saul 2009, equations 1-6),

    k_n(x, z) = 2 E[ 1(u.x > 0) 1(u.z > 0) (u.x)^n (u.z)^n ] = |x|^n |z|^n J_n(theta) / pi
    J_0 = pi - theta,    J_1 = sin theta + (pi - theta) cos theta,
    J_2 = 3 sin theta cos theta + (pi - theta)(1 + 2 cos^2 theta).

So E relu(u.x) relu(u.z) = k_1 / 2 and E relu'(u.x) relu'(u.z) = k_0 / 2. For u uniform on the
sphere of radius sqrt(d) the same holds exactly, for n = 0 and n = 1: a Gaussian vector is such a u
times an independent factor whose square has mean 1.
"""

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float

from featlearn._check import require


def arc_cosine(
    order: int, x: Float[Array, "samples inputs"], z: Float[Array, "others inputs"]
) -> Float[Array, "samples others"]:
    """Return the kernel matrix k_n(x, z) of order n = 0, 1 or 2; it is 0 where a point is 0.

    Example:
        >>> one, two = jnp.array([[1.0, 0.0]]), jnp.array([[0.0, 3.0]])
        >>> [round(float(arc_cosine(n, one, two)[0, 0]), 4) for n in (0, 1, 2)]
        [0.5, 0.9549, 4.5]
    """
    require(order in (0, 1, 2), "arc_cosine(order)", "0, 1 or 2", order)
    lengths = jnp.linalg.norm(x, axis=1)[:, None] * jnp.linalg.norm(z, axis=1)
    zero = lengths == 0
    cos = jnp.clip(x @ z.T / jnp.where(zero, 1, lengths), -1, 1)
    left = jnp.pi - jnp.arccos(cos)
    sin = jnp.sqrt((1 - cos) * (1 + cos))
    if order == 0:
        return jnp.where(zero, 0, left / jnp.pi)
    if order == 1:
        return lengths * (sin + left * cos) / jnp.pi
    return lengths**2 * (3 * sin * cos + left * (1 + 2 * cos**2)) / jnp.pi

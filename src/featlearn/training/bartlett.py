r"""Bartlett's factor: the inner products of p normal vectors in R^n, drawn without the vectors.

    X   (p, n) independent N(0,1), n >= p        X X^T = A A^T  in law

with A (p, p) lower triangular, A_ii^2 ~ chi^2_{n-i+1} (i = 1 … p) and N(0,1) below the diagonal,
all independent (Bartlett 1933; X = A Q is the LQ factorisation, Q uniform and independent of A).

A chi-square variable with 10^9 degrees of freedom is 10^9 ± 45 000, so that its spread sits
in the last digits of float32. The algebra is therefore in float64, also where JAX is set to
float32; the random normals and uniforms that enter it are drawn in float32 as usual. chi^2_n = 2
Gamma(n/2) is drawn by the method of Marsaglia & Tsang (2000): with

    a = n/2 - 1/3,    v = (1 + x/sqrt(9a))^3,    x ~ N(0,1),    u uniform,

The proposal 2 a v is accepted if log u < x^2/2 + a (1 - v + log v). This is exact for every n
>= 1, because log(1+t) <= t - t^2/2 + t^3/3 for all t > -1. (`jax.random.gamma` compares the same
two sides in float32, where at a = 5·10^8 the right-hand side is all rounding error.)
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key


def chi_squares(freedom: Float[np.ndarray, " n"], *, key: Key[Array, ""]) -> Float[Array, " n"]:
    """Draw independent chi-square variables with the given degrees of freedom, in float64.

    Every number of degrees of freedom is at least 1. Float64 must be enabled by the caller.
    """
    a = jnp.asarray(freedom / 2 - 1 / 3, jnp.float64)
    shape = a.shape

    def attempt(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        key, values, done = state
        key, of_x, of_u = jax.random.split(key, 3)
        x = jax.random.normal(of_x, shape, jnp.float32).astype(jnp.float64)
        u = jax.random.uniform(of_u, shape, jnp.float32).astype(jnp.float64)
        t = x / (3 * jnp.sqrt(a))
        v = jnp.maximum(1 + t, 0) ** 3
        good = jnp.log(u) < x**2 / 2 + a * (1 - v + 3 * jnp.log1p(jnp.maximum(t, -1)))
        return key, jnp.where(done, values, 2 * a * v), done | good

    start = (key, jnp.zeros(shape, jnp.float64), jnp.zeros(shape, bool))
    values: Array = jax.lax.while_loop(lambda state: ~jnp.all(state[2]), attempt, start)[1]
    return values


def bartlett(p: int, freedom: int, *, key: Key[Array, ""]) -> Float[Array, "{p} {p}"]:
    """Draw A (p, p) such that A A^T is a Wishart matrix with `freedom` >= p degrees of freedom.

    The rows of A are p normal vectors in R^freedom up to a rotation. They are returned in
    float64 where that is enabled, else rounded to float32 at the end.

    Example:
        >>> A = bartlett(2, 10**9, key=jax.random.key(0))
        >>> round(float(A[0, 0] ** 2 / 1e9), 3), float(A[0, 1])
        (1.0, 0.0)
    """
    of_lengths, of_rest = jax.random.split(key)
    below = jnp.tril(jax.random.normal(of_rest, (p, p), jnp.float32), -1)
    wanted = jax.dtypes.canonicalize_dtype(float)
    with jax.enable_x64(True):
        lengths = jnp.sqrt(chi_squares(freedom - np.arange(p, dtype=float), key=of_lengths))
        A = below.astype(jnp.float64) + jnp.diag(lengths)
        return A.astype(wanted)

"""Fair random signs, of which 32 are made from each random 32-bit word by shifts and masks."""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key, UInt32


def random_words(m: int, n: int, key: Key[Array, ""]) -> UInt32[Array, "{m} words"]:
    """Return random 32-bit words for `m` points: one row per point, with at least `n` bits."""
    return jax.random.bits(key, (m, -(-n // 32)), jnp.uint32)


def unpacked(words: UInt32[Array, "m words"], n: int) -> Float[Array, "m {n}"]:
    """Return the first `n` bits of each row of words as signs: bit 1 becomes +1, bit 0 becomes -1.

    Example:
        >>> unpacked(jnp.array([[0b01]], jnp.uint32), 2).tolist()
        [[1.0, -1.0]]
    """
    bits = (words[:, :, None] >> jnp.arange(32, dtype=jnp.uint32)) & 1
    return 2 * bits.reshape(len(words), -1)[:, :n].astype(float) - 1


def signs(m: int, n: int, *, key: Key[Array, ""]) -> Float[Array, "{m} {n}"]:
    """Return an `m` by `n` matrix of independent fair signs, each made from one random bit.

    Example:
        >>> bool((signs(3, 40, key=jax.random.key(0)) ** 2 == 1).all())
        True
    """
    return unpacked(random_words(m, n, key), n)


def every_sign(n: int) -> Float[Array, "{2**n} {n}"]:
    """Return all 2^n vectors of n signs, the corners of the cube, one per row.

    The first sign changes fastest from row to row, and the first row is (-1, …, -1).
    """
    counter = jnp.arange(2**n, dtype=jnp.uint32)
    bits = (counter[:, None] >> jnp.arange(n, dtype=jnp.uint32)) & 1
    return 2 * bits.astype(float) - 1

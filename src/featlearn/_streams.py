"""Streams of random numbers, one per purpose, so that a change in one does not affect the others.

JAX draws from keys and NumPy from generators; here both are derived from a seed and a purpose.
"""

import zlib

import jax
import numpy as np


def stream(seed: int, purpose: str) -> jax.Array:
    """Return the JAX key of `seed` for one purpose, such as ``"init"``, ``"data"`` or
    ``"test"``.
    """
    number = zlib.crc32(purpose.encode())
    if 0 <= seed < 2**31:
        return _child(np.int32(seed), np.uint32(number))
    return jax.random.fold_in(jax.random.key(seed), number)


def generator(seed: int, purpose: str, *numbers: int) -> np.random.Generator:
    """Return a NumPy generator for a seed and a purpose; `numbers` distinguish several of the same
    purpose.
    """
    key = stream(seed, purpose)
    for number in numbers:
        key = jax.random.fold_in(key, number)
    return generator_from(key)


def generator_from(key: jax.Array) -> np.random.Generator:
    """Return a NumPy generator that is seeded by a JAX key."""
    return np.random.default_rng(np.asarray(jax.random.key_data(key)))


@jax.jit
def _child(seed: jax.typing.ArrayLike, number: jax.typing.ArrayLike) -> jax.Array:
    """Derive a child key from a seed and a number, in one compiled call instead of a dozen
    operations.
    """
    return jax.random.fold_in(jax.random.key(seed), number)

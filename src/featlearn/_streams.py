"""One child stream of random numbers per purpose, so that changing one does not move the others.

JAX draws from keys, NumPy from generators; both come from the same seed and purpose.
"""

import zlib

import jax
import numpy as np


def stream(seed: int, purpose: str) -> jax.Array:
    """The key of `seed` for one purpose, such as ``"init"``, ``"data"`` or ``"test"``."""
    number = zlib.crc32(purpose.encode())
    if 0 <= seed < 2**31:
        return _child(np.int32(seed), np.uint32(number))
    return jax.random.fold_in(jax.random.key(seed), number)


def generator(seed: int, purpose: str, *numbers: int) -> np.random.Generator:
    """A NumPy generator of `seed` for one purpose; further numbers tell several of a kind apart."""
    key = stream(seed, purpose)
    for number in numbers:
        key = jax.random.fold_in(key, number)
    return generator_from(key)


def generator_from(key: jax.Array) -> np.random.Generator:
    """A NumPy generator that begins where a key of JAX is."""
    return np.random.default_rng(np.asarray(jax.random.key_data(key)))


@jax.jit
def _child(seed: jax.typing.ArrayLike, number: jax.typing.ArrayLike) -> jax.Array:
    """One compiled call in the place of a dozen operations one by one; the same key."""
    return jax.random.fold_in(jax.random.key(seed), number)

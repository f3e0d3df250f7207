"""One child stream of random numbers per purpose, so that changing one does not move the others."""

import zlib

import jax
import numpy as np


def stream(seed: int, purpose: str) -> jax.Array:
    """The key of `seed` for one purpose, such as ``"init"``, ``"data"`` or ``"test"``."""
    number = zlib.crc32(purpose.encode())
    if 0 <= seed < 2**31:
        return _child(np.int32(seed), np.uint32(number))
    return jax.random.fold_in(jax.random.key(seed), number)


@jax.jit
def _child(seed: jax.typing.ArrayLike, number: jax.typing.ArrayLike) -> jax.Array:
    """One compiled call in the place of a dozen operations one by one; the same key."""
    return jax.random.fold_in(jax.random.key(seed), number)

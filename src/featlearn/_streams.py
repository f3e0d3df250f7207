"""One child stream of random numbers per purpose, so that changing one does not move the others."""

import zlib

import jax


def stream(seed: int, purpose: str) -> jax.Array:
    """The key of `seed` for one purpose, such as ``"init"``, ``"data"`` or ``"test"``."""
    return jax.random.fold_in(jax.random.key(seed), zlib.crc32(purpose.encode()))

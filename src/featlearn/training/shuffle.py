r"""A random order of n items, by sorting words of 32 bits.

The high bits of a word are a random number and its low bits the place of an item, so that
sorting the words puts the items in random order; items with the same random number keep their
order. XLA sorts one array about seven times as fast as it sorts pairs, which is what
`jax.random.permutation` does. As there, several rounds make ties harmless: 3 log2(n) random bits
per item in all.
"""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Int, Key

from featlearn._check import require

WORD = 32
LARGEST = 2**28


def shuffled(n: int, *, key: Key[Array, ""]) -> Int[Array, " n"]:
    """Return 0, …, n - 1 in a random order."""
    require(1 <= n <= LARGEST, "shuffled(n)", f"1 to {LARGEST} things", n)
    places = jnp.arange(n, dtype=jnp.uint32)
    low = max(1, (n - 1).bit_length())
    order = places
    for of_round in jax.random.split(key, rounds(n)):
        words = (jax.random.bits(of_round, (n,), jnp.uint32) << low) | places
        order = order[jnp.sort(words) & ((1 << low) - 1)]
    return order.astype(jnp.int32)


def rounds(n: int) -> int:
    """Return the number of sorts that a random order of n numbers needs.

    Example:
        >>> rounds(1000), rounds(50_000), rounds(10**6)
        (2, 3, 5)
    """
    low = max(1, (n - 1).bit_length())
    return -(-3 * low // (WORD - low))

r"""Points of signs, a bit a coordinate: what the native kernels take in the place of x.

    x = size * u,    u in {-1,1}^d;    bit j of point i is bit j % 32 of word j // 32, 1 for +1

A law whose points are signs can give them so (`Packs`), with the very bits that its `sample` has
from the same key. Words beyond d coordinates, and bits beyond d in the last word, mean nothing.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key, UInt32

from featlearn._record import record
from featlearn.distributions.bits import unpacked

Words = Callable[[int, int, Key[Array, ""]], UInt32[Array, "samples words"]]
"""How many points, how many bits each, and a key: random words."""


@record(numbers=("words", "y", "size", "weight"))
class PackedBatch:
    """Labelled points whose coordinates are ±size, as bits."""

    d: int
    words: UInt32[Array, "samples words"]
    y: Float[Array, " samples"]
    size: float | Float[Array, ""] = 1.0
    weight: Float[Array, " samples"] | None = None

    @property
    def x(self) -> Float[Array, "samples inputs"]:
        """The points themselves, for whoever needs them in numbers."""
        return self.size * unpacked(self.words, self.d)


@runtime_checkable
class Packs(Protocol):
    """A law that can give its points as bits."""

    @property
    def packs(self) -> bool:
        """Whether its points are signs indeed."""
        ...

    def packed(self, m: int, *, key: Key[Array, ""], words: Words = ...) -> PackedBatch:
        """The points of `sample` from the same key, as bits; `words` draws them."""
        ...


def bits_at(
    words: UInt32[Array, "samples words"], places: Sequence[int]
) -> Float[Array, "samples places"]:
    """Some coordinates of points, as signs.

    Example:
        >>> bits_at(jnp.array([[0b101]], jnp.uint32), [0, 1, 2]).tolist()
        [[1.0, -1.0, 1.0]]
    """
    at = np.asarray(places)
    bits = (words[:, at // 32] >> jnp.asarray(at % 32, jnp.uint32)) & 1
    return 2 * bits.astype(float) - 1


def with_bits(
    words: UInt32[Array, "samples words"], places: Sequence[int], signs: Float[Array, " samples"]
) -> UInt32[Array, "samples words"]:
    """Copy packed points, with all coordinates in `places` set to the sign of the point.

    `signs` has one sign per point.

    Example:
        >>> with_bits(jnp.array([[0b1000]], jnp.uint32), [0, 2], jnp.ones(1)).tolist()
        [[13]]
    """
    mask = np.zeros(words.shape[1], np.uint32)
    for place in places:
        mask[place // 32] |= np.uint32(1 << place % 32)
    return jnp.where(signs[:, None] > 0, words | mask, words & ~mask)

r"""Points of signs with one bit per coordinate, the input of the native kernels in place of x.

    x = size * u,    u in {-1,1}^d;    bit j of point i is bit j % 32 of word j // 32, 1 for +1

A law whose points are signs can return them in this form (`Packs`); they are then the points that
its `sample` gives for the same key. Words and bits beyond the d-th coordinate have no meaning.
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
    """Labelled points whose coordinates are ±size, stored as one bit per coordinate."""

    d: int
    words: UInt32[Array, "samples words"]
    y: Float[Array, " samples"]
    size: float | Float[Array, ""] = 1.0
    weight: Float[Array, " samples"] | None = None

    @property
    def x(self) -> Float[Array, "samples inputs"]:
        """The points as an array of numbers ±size."""
        return self.size * unpacked(self.words, self.d)


@runtime_checkable
class Packs(Protocol):
    """A law that can return its points as one bit per coordinate."""

    @property
    def packs(self) -> bool:
        """Whether the coordinates of this law's points are signs, so that they can be packed."""
        ...

    def packed(self, m: int, *, key: Key[Array, ""], words: Words = ...) -> PackedBatch:
        """Return the points of `sample` for the same key as bits; `words` draws random words."""
        ...


def bits_at(
    words: UInt32[Array, "samples words"], places: Sequence[int]
) -> Float[Array, "samples places"]:
    """Return the coordinates `places` of packed points as signs, one row per point.

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
    """Return a copy of packed points in which the coordinates `places` have a given sign.

    The array `signs` has one sign per point; all coordinates in `places` of that point get this
    sign.

    Example:
        >>> with_bits(jnp.array([[0b1000]], jnp.uint32), [0, 2], jnp.ones(1)).tolist()
        [[13]]
    """
    mask = np.zeros(words.shape[1], np.uint32)
    for place in places:
        mask[place // 32] |= np.uint32(1 << place % 32)
    return jnp.where(signs[:, None] > 0, words | mask, words & ~mask)

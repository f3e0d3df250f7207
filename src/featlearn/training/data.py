r"""Data regimes: where the points of a step come from.

Fresh        m new points every step, never seen again (one-pass SGD)
Sample       n points drawn once; every step sees all of them, or a minibatch (shuffled epochs)
Population   every point with its probability: the gradient of the expected loss
"""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Int, Key, PyTree

from featlearn._check import require, require_count
from featlearn._record import record
from featlearn._source import source_digest
from featlearn.distributions import Batch, Distribution, PackedBatch, Packs
from featlearn.training.shuffle import shuffled

Time = int | Int[Array, ""]
Points = Batch | PackedBatch


@record()
class Fresh:
    """A new batch of `batch` points every step."""

    batch: int
    """Number of points of a step."""

    def __post_init__(self) -> None:
        require_count(self.batch, "Fresh(batch)", "point a step")


@record()
class Sample:
    """`samples` points drawn once; `batch` of them a step in shuffled epochs, or None for all.

    An epoch has samples // batch steps; the points left over sit that epoch out.
    """

    samples: int
    """Number of points of the sample."""
    batch: int | None = None
    """Number of points of a step, in shuffled epochs; None: all of them."""

    def __post_init__(self) -> None:
        require_count(self.samples, "Sample(samples)", "point")
        require(
            self.batch is None or 1 <= self.batch <= self.samples,
            "Sample(batch)",
            f"1 <= batch <= samples = {self.samples}",
            self.batch,
        )

    @property
    def epoch(self) -> int:
        """The number of steps in an epoch."""
        return 1 if self.batch is None else self.samples // self.batch

    def place(self, t: Time) -> Time:
        """The place of step t within its epoch."""
        return t % self.epoch

    def order(self, t: Time, *, key: Key[Array, ""]) -> Int[Array, " samples"]:
        """The shuffle of the epoch that step t belongs to."""
        return shuffled(self.samples, key=jax.random.fold_in(key, t // self.epoch))

    def minibatch(self, points: Points, order: Int[Array, " samples"], t: Time) -> Points:
        """The points of step t in that shuffle."""
        size = self.batch or self.samples
        chosen = jax.lax.dynamic_slice_in_dim(order, self.place(t) * size, size)
        return of_points(points, lambda leaf: leaf[chosen])


@record()
class Population:
    """All points of a finite distribution, each with its probability."""


Data = Fresh | Sample | Population


def fixed_points(data: Data, distribution: Distribution, *, key: Key[Array, ""]) -> Batch | None:
    """The points that are drawn once for the whole training; None for fresh points."""
    if isinstance(data, Sample):
        return _drawn(distribution, data.samples, key, source_digest(distribution))
    if isinstance(data, Population):
        require(
            hasattr(distribution, "support"),
            "Population()",
            "a distribution with a finite support()",
            type(distribution).__name__,
            "Train on fresh samples instead.",
        )
        points: Batch = distribution.support()  # type: ignore[attr-defined]
        return points
    return None


def packed_points(data: Sample, distribution: Packs, *, key: Key[Array, ""]) -> PackedBatch:
    """The sample of `fixed_points`, as bits."""
    return _drawn_packed(distribution, data.samples, key, source_digest(distribution))


@functools.partial(jax.jit, static_argnums=(1, 3))
def _drawn(distribution: Distribution, samples: int, key: Key[Array, ""], source: str) -> Batch:
    """Draw a sample by one compiled program, which JAX can cache on disk."""
    return distribution.sample(samples, key=key)


@functools.partial(jax.jit, static_argnums=(1, 3))
def _drawn_packed(
    distribution: Packs, samples: int, key: Key[Array, ""], source: str
) -> PackedBatch:
    """Draw a sample as bits by one compiled program."""
    return distribution.packed(samples, key=key)


def of_points(points: Points, chosen: Callable[[Array], Array]) -> Points:
    """Some of the points: what `chosen` takes of every array that has an entry for each."""
    return jax.tree.map(lambda leaf: chosen(leaf) if jnp.ndim(leaf) else leaf, points)


def points_at_once(points: int, d: int, params: PyTree, limit: int) -> int:
    """How many of so many points to hold at a time, so that an array of them has at most `limit`
    bytes.

    A point takes d numbers, and in each layer at most the longest side of any array of weights.

    Example:
        >>> points_at_once(10**6, 10, {"w": jnp.ones((500, 10))}, limit=2_000_000)
        1000
    """
    longest = max([d, *(side for leaf in jax.tree.leaves(params) for side in leaf.shape)])
    return max(1, min(points, limit // (4 * longest)))


def empty_order(data: Data) -> Int[Array, " samples"]:
    """The place in the state where a shuffle is kept; empty where there is none."""
    shuffled = isinstance(data, Sample) and data.batch is not None
    return jnp.arange(data.samples if shuffled else 0)  # type: ignore[union-attr]

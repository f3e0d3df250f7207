r"""Data regimes: whether the points of a step are fresh, from a fixed sample, or the population.

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

from featlearn._check import InputError, require, require_count
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
    """`samples` points are drawn once; each step uses `batch` of them in shuffled epochs, or all.

    An epoch has samples // batch steps; the points left over are not used in that epoch.
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
        """Return the index of step t within its epoch, from 0."""
        return t % self.epoch

    def order(self, t: Time, *, key: Key[Array, ""]) -> Int[Array, " samples"]:
        """Return the shuffle of the epoch to which step t belongs."""
        return shuffled(self.samples, key=jax.random.fold_in(key, t // self.epoch))

    def minibatch(self, points: Points, order: Int[Array, " samples"], t: Time) -> Points:
        """Return the points of step t, where `order` is the shuffle of the epoch of step t."""
        size = self.batch or self.samples
        chosen = jax.lax.dynamic_slice_in_dim(order, self.place(t) * size, size)
        return of_points(points, lambda leaf: leaf[chosen])


@record()
class Population:
    """All points of a finite distribution, each with its probability."""


Data = Fresh | Sample | Population


def data_of(*, batch: int | None, samples: int | None) -> Data:
    """Return fresh batches, a fixed sample, or the whole population if neither number is given."""
    if samples is not None:
        return Sample(samples=samples, batch=batch)
    return Population() if batch is None else Fresh(batch=batch)


def fixed_points(data: Data, distribution: Distribution, *, key: Key[Array, ""]) -> Batch | None:
    """Return the points that are drawn once for the whole training, or None if points are fresh."""
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
        try:
            points: Batch = distribution.support()  # type: ignore[attr-defined]
        except InputError as error:
            where = f"training without batch= or samples=: {error.where}"
            hint = "Give batch=… for fresh points each step, or samples=…."
            raise InputError(where, error.expected, error.got, hint) from error
        return points
    return None


def packed_points(data: Sample, distribution: Packs, *, key: Key[Array, ""]) -> PackedBatch:
    """Return the sample that `fixed_points` would return, with each sign packed into one bit."""
    return _drawn_packed(distribution, data.samples, key, source_digest(distribution))


@functools.partial(jax.jit, static_argnums=(1, 3))
def _drawn(distribution: Distribution, samples: int, key: Key[Array, ""], source: str) -> Batch:
    """Draw a sample by one compiled program, cached by JAX; `source` is a digest of the code."""
    return distribution.sample(samples, key=key)


@functools.partial(jax.jit, static_argnums=(1, 3))
def _drawn_packed(
    distribution: Packs, samples: int, key: Key[Array, ""], source: str
) -> PackedBatch:
    """Draw a sample by one compiled program, with each sign packed into one bit."""
    return distribution.packed(samples, key=key)


def of_points(points: Points, chosen: Callable[[Array], Array]) -> Points:
    """Select points: `chosen` is applied to every array that has one entry per point."""
    return jax.tree.map(lambda leaf: chosen(leaf) if jnp.ndim(leaf) else leaf, points)


def points_at_once(points: int, d: int, params: PyTree, limit: int) -> int:
    """Return how many points to process at a time, so that no array has over `limit` bytes.

    A point takes d numbers as an input, and in each layer at most as many numbers as the
    longest side of any array of weights.

    Example:
        >>> points_at_once(10**6, 10, {"w": jnp.ones((500, 10))}, limit=2_000_000)
        1000
    """
    longest = max([d, *(side for leaf in jax.tree.leaves(params) for side in leaf.shape)])
    return max(1, min(points, limit // (4 * longest)))


def empty_order(data: Data) -> Int[Array, " samples"]:
    """Return the initial shuffle of the state: 0, …, n - 1, or empty if nothing is shuffled."""
    shuffled = isinstance(data, Sample) and data.batch is not None
    return jnp.arange(data.samples if shuffled else 0)  # type: ignore[union-attr]

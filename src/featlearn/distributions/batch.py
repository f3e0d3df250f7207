"""What a data distribution must provide: a sampler and, as further attributes, its closed forms."""

from typing import Protocol, runtime_checkable

from jax import Array
from jaxtyping import Float, Key

from featlearn._record import record


@record(numbers=("x", "y", "weight"))
class Batch:
    """Labelled points; the field `weight` has their probabilities if these are not all equal."""

    x: Float[Array, "samples inputs"]
    """The points, a row each."""
    y: Float[Array, " samples"]
    """Their labels."""
    weight: Float[Array, " samples"] | None = None
    """Their probabilities; None: all points are equally likely."""


@runtime_checkable
class Distribution(Protocol):
    """A law of labelled points (x, y) that can be sampled.

    Further attributes and methods of such a law give what is known about it in closed form.
    """

    @property
    def d(self) -> int:
        """The input dimension."""
        ...

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent labelled points."""
        ...


@runtime_checkable
class Finite(Distribution, Protocol):
    """A law on a finite number of points, which can be listed with their probabilities."""

    def support(self) -> Batch:
        """Return every point of the law with its label and probability."""
        ...

"""What a data model is: something that can be sampled, and that knows the truth about itself."""

from typing import Protocol, runtime_checkable

from jax import Array
from jaxtyping import Float, Key

from featlearn._record import record


@record(numbers=("x", "y", "weight"))
class Batch:
    """Labelled points; `weight` are their probabilities where they are not equally likely."""

    x: Float[Array, "samples inputs"]
    """The points, a row each."""
    y: Float[Array, " samples"]
    """Their labels."""
    weight: Float[Array, " samples"] | None = None
    """Their probabilities; None: all points are equally likely."""


@runtime_checkable
class Distribution(Protocol):
    """Who is x, what is y. Its other attributes and methods are its truth."""

    @property
    def d(self) -> int:
        """Input dimension."""
        ...

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent labelled points."""
        ...


@runtime_checkable
class Finite(Distribution, Protocol):
    """A law on finitely many points that can be listed."""

    def support(self) -> Batch:
        """Every point with its probability."""
        ...

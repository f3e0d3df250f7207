"""Distributions that are a signal in k directions and noise in all the others.

Where the noise is Gaussian it looks the same in every basis, and so the law of everything that
training does depends on weights through their products and signal coordinates alone
(`featlearn.training.wishart`).
"""

from typing import Protocol, runtime_checkable

from jax import Array
from jaxtyping import Float, Key

from featlearn.distributions.batch import Batch


@runtime_checkable
class SignalAndNoise(Protocol):
    """k coordinates that the label depends on, independent noise in the d - k others."""

    @property
    def d(self) -> int:
        """Input dimension."""
        ...

    @property
    def k(self) -> int:
        """Signal directions."""
        ...

    @property
    def noise_sd(self) -> float | Float[Array, ""] | None:
        """Standard deviation of Gaussian noise, the same in all coordinates; None if it is not."""
        ...

    def in_dimensions(self, d: int) -> "SignalAndNoise":
        """The same signal in the first k of d coordinates, the same noise in the others."""
        ...

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent labelled points."""
        ...

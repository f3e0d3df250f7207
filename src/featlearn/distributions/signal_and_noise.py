"""Laws that have a signal in k directions and independent noise in all the others.

Gaussian noise has the same law in every orthonormal basis. Training then depends on the weights
only through their signal coordinates and their inner products (`featlearn.training.wishart`).
"""

from typing import Protocol, runtime_checkable

from jax import Array
from jaxtyping import Float, Key

from featlearn.distributions.batch import Batch


@runtime_checkable
class SignalAndNoise(Protocol):
    """A law with k coordinates that the label depends on and noise in the other d - k."""

    @property
    def d(self) -> int:
        """The input dimension."""
        ...

    @property
    def k(self) -> int:
        """The number of signal directions."""
        ...

    @property
    def noise_sd(self) -> float | Float[Array, ""] | None:
        """The standard deviation of each noise coordinate if the noise is Gaussian, else None."""
        ...

    def in_dimensions(self, d: int) -> "SignalAndNoise":
        """Return the same law in d dimensions, with the signal in the first k coordinates."""
        ...

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent labelled points."""
        ...

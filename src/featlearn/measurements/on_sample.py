"""Loss and accuracy on the sample that training draws once and for all."""

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Key

from featlearn._record import record
from featlearn.distributions import Distribution
from featlearn.training import Loss, Network, Quantity

SLICE = 1000
"""Points judged at once."""


@record(numbers=("distribution", "network"))
class OnSample:
    """Mean loss and share of right signs over points of the sample that `training.Sample` draws.

    To be recorded with `Recording(of_sample=...)`, whose key is that of the sample.
    """

    distribution: Distribution
    network: Network
    loss: Loss
    samples: int
    """How many points training draws."""
    judged: int | None = None
    """How many of them are judged, the first ones; None is all."""

    @property
    def quantities(self) -> dict[str, Quantity]:
        """What is recorded."""
        return {
            "train_loss": Quantity(dims=(), meaning="mean loss on the training sample"),
            "train_accuracy": Quantity(
                dims=(), meaning="share of the training sample with y f(x) > 0 (0 is an error)"
            ),
        }

    def measure(self, params: Any, *, key: Key[Array, ""]) -> dict[str, Array]:
        """The sample is drawn again, which is cheaper than to carry it along."""
        points = self.distribution.sample(self.samples, key=key)
        x, y = points.x[: self.judged], points.y[: self.judged]
        f = jax.lax.map(lambda row: self.network.forward(params, row[None])[0], x, batch_size=SLICE)
        return {
            "train_loss": jnp.mean(self.loss.value(f, y)),
            "train_accuracy": jnp.mean((y * f > 0).astype(f.dtype)),
        }

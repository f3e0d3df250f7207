"""Loss and accuracy over every point of a finite distribution: no sampling error at all."""

from typing import Any

import jax.numpy as jnp
from jax import Array
from jaxtyping import Key

from featlearn._record import record
from featlearn.distributions import Finite
from featlearn.training import Loss, Network, Quantity


@record(numbers=("distribution", "network"))
class OnPopulation:
    """Expected loss and probability of the right sign, over all points of the support."""

    distribution: Finite
    network: Network
    loss: Loss
    name: str = "test"
    """What the two quantities are called before _loss and _accuracy."""

    @property
    def quantities(self) -> dict[str, Quantity]:
        """What is recorded."""
        return {
            f"{self.name}_loss": Quantity(dims=(), meaning="expected loss, exactly"),
            f"{self.name}_accuracy": Quantity(
                dims=(), meaning="probability that y f(x) > 0, exactly (0 is an error)"
            ),
        }

    def measure(self, params: Any, *, key: Key[Array, ""]) -> dict[str, Array]:
        """A weighted sum over the points."""
        points = self.distribution.support()
        f = self.network.forward(params, points.x)
        weight = points.weight
        assert weight is not None
        return {
            f"{self.name}_loss": jnp.sum(weight * self.loss.value(f, points.y)),
            f"{self.name}_accuracy": jnp.sum(weight * (points.y * f > 0)),
        }

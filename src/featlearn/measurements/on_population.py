"""Loss and accuracy over every point of a finite distribution, without any sampling error."""

import jax.numpy as jnp
from jax import Array
from jaxtyping import Key, PyTree

from featlearn._record import bound, record
from featlearn.distributions import Finite
from featlearn.training import Loss, Network, Quantity


@record(numbers=("law", "network"))
class OnPopulation:
    """Records the expected loss and the probability of the right sign, over the whole support."""

    name: str = "test"
    """The first part of the names of the two quantities, before _loss and _accuracy."""
    law: Finite | None = None
    network: Network | None = None
    loss: Loss | None = None
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        return {
            f"{self.name}_loss": Quantity(dims=(), meaning="expected loss, exactly", finite=True),
            f"{self.name}_accuracy": Quantity(
                dims=(), meaning="probability that y f(x) > 0, exactly (0 is an error)"
            ),
        }

    def measure(self, params: PyTree, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return loss and accuracy, as weighted sums over all points of the law."""
        points = bound(self.law, "OnPopulation", "a law").support()
        f = bound(self.network, "OnPopulation", "a network").forward(params, points.x)
        weight, loss = points.weight, bound(self.loss, "OnPopulation", "a loss")
        assert weight is not None
        return {
            f"{self.name}_loss": jnp.sum(weight * loss.value(f, points.y)),
            f"{self.name}_accuracy": jnp.sum(weight * (points.y * f > 0)),
        }

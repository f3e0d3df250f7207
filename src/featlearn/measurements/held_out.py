"""Loss and accuracy on points that training never sees; all steps of a seed use the same points."""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Key, PyTree

from featlearn._check import require_count
from featlearn._record import bound, record
from featlearn.distributions import Distribution
from featlearn.training import Loss, Network, Quantity
from featlearn.training.data import points_at_once

SLICE_BYTES = 64 * 2**20


@record(numbers=("law", "network"))
class HeldOut:
    """Records mean loss and accuracy over `samples` points that are drawn from the test stream."""

    samples: int = 2000
    """Number of points, drawn from the test stream."""
    name: str = "test"
    """The first part of the names of the two quantities, before _loss and _accuracy."""
    law: Distribution | None = None
    network: Network | None = None
    loss: Loss | None = None
    any_basis = True

    def __post_init__(self) -> None:
        require_count(self.samples, "HeldOut(samples)", "point")

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        return {
            f"{self.name}_loss": Quantity(
                dims=(), meaning="mean loss on held-out points", finite=True
            ),
            f"{self.name}_accuracy": Quantity(
                dims=(), meaning="share of held-out points with y f(x) > 0 (0 is an error)"
            ),
        }

    def measure(self, params: PyTree, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return loss and accuracy; points are drawn in slices, so that memory stays bounded."""
        law, network = (
            bound(self.law, "HeldOut", "a law"),
            bound(self.network, "HeldOut", "a network"),
        )
        loss = bound(self.loss, "HeldOut", "a loss")
        size = points_at_once(self.samples, law.d, params, SLICE_BYTES)
        slices = -(-self.samples // size)

        def judge(i: Array) -> tuple[Array, Array]:
            batch = law.sample(size, key=jax.random.fold_in(key, i))
            f = network.forward(params, batch.x)
            use = jnp.arange(size) + i * size < self.samples
            value = jnp.where(use, loss.value(f, batch.y), 0).sum()
            return value, jnp.where(use, batch.y * f > 0, False).sum()

        values, right = jax.lax.map(judge, jnp.arange(slices))
        return {
            f"{self.name}_loss": values.sum() / self.samples,
            f"{self.name}_accuracy": right.sum() / self.samples,
        }

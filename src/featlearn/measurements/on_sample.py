"""Loss and accuracy on the fixed sample that training draws once."""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Key, PyTree

from featlearn._record import bound, record
from featlearn.distributions import Distribution
from featlearn.training import Loss, Network, Quantity

SLICE = 1000
"""How many points are evaluated at once."""


@record(numbers=("law", "network"))
class OnSample:
    """Records mean loss and accuracy over points of the sample that `training.Sample` draws."""

    judged: int | None = None
    """Only the first so many points are evaluated; None means all."""
    law: Distribution | None = None
    network: Network | None = None
    loss: Loss | None = None
    samples: int | None = None
    """The number of points in the training sample."""
    stream = "sample"
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        return {
            "train_loss": Quantity(
                dims=(), meaning="mean loss on the training sample", finite=True
            ),
            "train_accuracy": Quantity(
                dims=(), meaning="share of the training sample with y f(x) > 0 (0 is an error)"
            ),
        }

    def measure(self, params: PyTree, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return loss and accuracy; the sample is drawn again, which is cheaper than storing it."""
        law, n = bound(self.law, "OnSample", "a law"), bound(self.samples, "OnSample", "a sample")
        network = bound(self.network, "OnSample", "a network")
        loss, points = bound(self.loss, "OnSample", "a loss"), law.sample(n, key=key)
        x, y = points.x[: self.judged], points.y[: self.judged]
        f = jax.lax.map(lambda row: network.forward(params, row[None])[0], x, batch_size=SLICE)
        return {
            "train_loss": jnp.mean(loss.value(f, y)),
            "train_accuracy": jnp.mean((y * f > 0).astype(f.dtype)),
        }

"""Are the cluster centres covered: is there a neuron of the right sign that points to each?

nearest_c = max over neurons with a_i y_c > 0 of cos(w_i, c)      covered = share with >= near
"""

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._record import record
from featlearn.measurements.patterns import cosines
from featlearn.networks import Params
from featlearn.training import Quantity


@record(numbers=("centres", "labels", "near"))
class Coverage:
    """Per centre: the largest cosine of a neuron of its sign; and the share that is reached."""

    centres: Float[Array, "clusters inputs"]
    labels: Float[Array, " clusters"]
    near: float = 0.8

    @property
    def quantities(self) -> dict[str, Quantity]:
        """What is recorded."""
        return {
            "nearest": Quantity(
                dims=("cluster",), meaning="largest cosine of a neuron of its sign with the centre"
            ),
            "covered": Quantity(dims=(), meaning="share of centres with a neuron that near"),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """All of it, from the weights alone."""
        cosine = jnp.stack([cosines(params.w, centre) for centre in self.centres])
        same = self.labels[:, None] * params.a > 0
        nearest = jnp.where(same, cosine, -1.0).max(axis=1)
        return {"nearest": nearest, "covered": jnp.mean((nearest >= self.near).astype(float))}

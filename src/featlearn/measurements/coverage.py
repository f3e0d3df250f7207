"""Whether the cluster centres are covered, that is, whether some neuron points to each of them.

    nearest_c = max over neurons of cos(w_i, c)         covered = share of c with nearest_c >= near
    same_sign = share of centres c whose nearest neuron has a_i y_c > 0

A neuron that points to a centre c need not have its label: relu(c.x) is largest at c and half as
large at the neighbours of c, which are more numerous and have the other label if the label is the
parity of an even number of signs.
"""

from typing import cast

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._record import bound, filled, record
from featlearn.distributions.clusters import HasCentres
from featlearn.measurements.patterns import cosines
from featlearn.networks import Params
from featlearn.training import Quantity, Setting


@record(numbers=("centres", "labels", "near"))
class Coverage:
    """Records the largest cosine of a neuron with each centre, and the share of covered centres."""

    near: float = 0.8
    """Cosine from which a neuron counts as pointing to a centre."""
    centres: Float[Array, "clusters inputs"] | None = None
    """The centres, a row each."""
    labels: Float[Array, " clusters"] | None = None
    """The label of each centre."""
    any_basis = True

    def bind(self, setting: Setting) -> "Coverage":
        """Return a copy with the centres of the law, if no centres are given."""
        law = cast(HasCentres, setting.law)
        return filled(self, centres=law.means, labels=law.mean_labels)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        return {
            "nearest": Quantity(
                dims=("cluster",), meaning="largest cosine of a neuron with the centre"
            ),
            "covered": Quantity(dims=(), meaning="share of centres with a neuron that near"),
            "same_sign": Quantity(
                dims=(), meaning="share of centres whose nearest neuron has a of their label's sign"
            ),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        centres = bound(self.centres, "Coverage", "the centres of a law")
        labels = bound(self.labels, "Coverage", "the labels of the centres")
        cosine = jnp.stack([cosines(params.w, centre) for centre in centres])
        nearest = cosine.max(axis=1)
        carried = labels * params.a[cosine.argmax(axis=1)]
        return {
            "nearest": nearest,
            "covered": jnp.mean((nearest >= self.near).astype(float)),
            "same_sign": jnp.mean((carried > 0).astype(float)),
        }

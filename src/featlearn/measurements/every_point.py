"""The pre-activation of every neuron on every training point, and the geometry of the points.

    z_ij   <w_j, x_i> of neuron j and point i
    mu     the directions of the law, one per two clusters; mu(i) the centre of the point's cluster

The record has (points x neurons) numbers per step, so it is meant for short trainings of which
every step is examined. The geometry of the sample is recorded as well, so that readers of the
record need not draw the sample again.
"""

from typing import cast

import jax.numpy as jnp
from jax import Array
from jaxtyping import Key

from featlearn._record import bound, record
from featlearn.distributions import Clusters
from featlearn.distributions.clusters import DrawsClusters, HasCentres
from featlearn.networks import Params, TwoLayer
from featlearn.training import Quantity, TurnedSample


@record(numbers=("law", "network"))
class EveryPoint:
    """Records pre-activations on the training sample, and each point's label, cluster and place."""

    law: Clusters | TurnedSample | None = None
    network: TwoLayer | None = None
    samples: int | None = None
    """The number of points in the training sample."""
    stream = "sample"
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        return {
            "preactivation": Quantity(dims=("point", "neuron"), meaning="<w, x>"),
            "label": Quantity(dims=("point",), meaning="y, as training sees it"),
            "cluster": Quantity(dims=("point",), meaning="the place of its cluster"),
            "noisy": Quantity(dims=("point",), meaning="whether the label is flipped"),
            "along": Quantity(dims=("point", "direction"), meaning="<x, mu>"),
            "distance": Quantity(dims=("point",), meaning="distance from the cluster's centre"),
            "length": Quantity(dims=("point",), meaning="norm of x"),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays; drawing the sample again is cheaper than storing it."""
        law = cast(DrawsClusters, bound(self.law, "EveryPoint", "a law"))
        network = bound(self.network, "EveryPoint", "a network")
        draw = law.draw(bound(self.samples, "EveryPoint", "a sample"), key=key)
        centres = cast(HasCentres, getattr(law, "unseen", law))
        means = centres.means
        return {
            "preactivation": network.preactivations(params, draw.x),
            "label": draw.y,
            "cluster": draw.cluster,
            "noisy": draw.noisy,
            "along": draw.x @ means[::2].T,
            "distance": jnp.linalg.norm(draw.x - means[draw.cluster], axis=1),
            "length": jnp.linalg.norm(draw.x, axis=1),
        }

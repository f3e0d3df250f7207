r"""Random features of a network: its first layer as it stands, only the read-out is fitted.

    f(x) = readout(theta, features(params, x)) = scale * sum_j theta_j s(w_j.x + b_j)

The first layer of `params` is frozen wherever it is: at the initialisation these are *random
features*, after one or two steps of descent the *one-step* and *two-step* features of Shi, Wei &
Liang (2022, appendix E). Nothing is restated: the features are the network's own.
"""

from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, PyTree

from featlearn.baselines.family import Family


@runtime_checkable
class Featured(Protocol):
    """A network that separates what it sees, `features`, from what it says, `scale` times a sum."""

    @property
    def scale(self) -> float:
        """The factor before the sum over neurons."""
        ...

    @property
    def rate(self) -> float:
        """What multiplies every gradient."""
        ...

    def features(self, params: PyTree, x: Array) -> Array:
        """What the layers below the read-out make of x."""
        ...


def random_features(network: Featured, params: PyTree) -> Family:
    r"""The features of `network` at `params`, each times sqrt(rate) scale.

    The factor makes K the part of the tangent kernel that belongs to the second layer, in every
    scaling of the width; it changes the unit of the regulariser and nothing else.

    Example:
        >>> from featlearn.networks import Gaussian, Signs, TwoLayer
        >>> network = TwoLayer(d=3, width=8, w=Gaussian(sd=1.0), a=Signs(size=1.0), scaling="one")
        >>> random_features(network, network.init(key=jax.random.key(0))).dimension
        8
    """
    factor = network.scale * network.rate**0.5
    shape = jax.eval_shape(network.features, params, jnp.zeros((1, _inputs(params))))

    def phi(x: Float[Array, "samples inputs"]) -> Array:
        weights = jax.tree.map(lambda p: p.astype(x.dtype), params)
        return factor * network.features(weights, x)

    return Family(
        name="random features",
        kernel=lambda x, z: phi(x) @ phi(z).T,
        dimension=shape.shape[1],
        features=phi,
    )


def _inputs(params: PyTree) -> int:
    """d, read off the first layer: the second axis of the first matrix among the parameters."""
    return next(leaf.shape[1] for leaf in jax.tree.leaves(params) if leaf.ndim == 2)

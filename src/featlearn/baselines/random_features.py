r"""Models on the fixed first layer of a network, of which only the second layer is fitted.

    f(x) = readout(theta, features(params, x)) = scale * sum_j theta_j s(w_j.x + b_j)

The first layer is that of the given parameters `params`. If these are the initial ones, its outputs
are called *random features*; after one or two steps of gradient descent they are the *one-step* and
*two-step* features of Shi, Wei & Liang (2022, appendix E). They are computed by the `features`
method of the network.
"""

from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, PyTree

from featlearn.baselines.family import Family


@runtime_checkable
class Featured(Protocol):
    """A network whose output is `scale` times a linear function of its features."""

    @property
    def scale(self) -> float:
        """The factor before the sum over neurons in the output."""
        ...

    @property
    def rate(self) -> float:
        """The factor that multiplies every gradient in training."""
        ...

    def features(self, params: PyTree, x: Array) -> Array:
        """Return the outputs of the layers below the last one, one row per point."""
        ...


def random_features(network: Featured, params: PyTree) -> Family:
    r"""Return the family with the features of `network` at `params`, times sqrt(rate) scale.

    With this factor K is the part of the tangent kernel that belongs to the second layer, in every
    scaling of the width. It changes the unit of the regulariser and nothing else.

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
    """Return the input dimension d of the network with these parameters.

    It is the second axis of the first matrix among the parameters, taken to be the first layer.
    """
    return next(leaf.shape[1] for leaf in jax.tree.leaves(params) if leaf.ndim == 2)

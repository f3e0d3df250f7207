r"""The linearisation of a network at given parameters, with the finite-width tangent kernel.

Around given parameters, with J the derivative of f in the trained parts,

    f_lin(x) = f(x) + sqrt(rate) J(x) . theta,        K(x, z) = rate * J(x) . J(z).

The factor `rate` multiplies every gradient of the network (p in mean-field scaling, else 1). With
it, gradient flow changes the outputs at the rate -K l', and K has a limit as the width grows in
every usual scaling.

For two layers J is known explicitly (z = w x + b; each term only if its part is trained):

    K(x, z) = rate scale^2 sum_j [ s_j(x) s_j(z)  +  a_j^2 s'_j(x) s'_j(z) (x.z + 1) ]
                                   from a                                 w     b

so that K takes two products of samples x neurons matrices and does not need the samples x
parameters matrix J. For any other network J is computed by `jax.grad`, row by row. theta . J(x)
is one `jax.jvp`.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.flatten_util import ravel_pytree
from jaxtyping import ArrayLike, Float, PyTree

from featlearn._check import require
from featlearn.baselines.family import Family
from featlearn.networks import Params, TwoLayer
from featlearn.training import Network
from featlearn.training.gradient import map_parts

Points = Float[Array, "samples inputs"]
Others = Float[Array, "others inputs"]


def finite_ntk(network: Network, params: PyTree) -> Family:
    """Return the family of linear models that are `network` linearised at `params`.

    Its offset is the output of the network, and its features are sqrt(rate) J(x).

    Example:
        >>> from featlearn.networks import Gaussian, Signs, TwoLayer
        >>> network = TwoLayer(d=3, width=8, w=Gaussian(sd=1.0), a=Signs(size=1.0), scaling="one")
        >>> finite_ntk(network, network.init(key=jax.random.key(0))).dimension  # 8 (3 + 1)
        32
    """
    moving = _moving(network, params)
    require(
        len(moving) > 0,
        "finite_ntk(network)",
        "at least one trained part",
        network.trained,
        "Name w, a or b in the network's `trained`.",
    )

    if isinstance(network, TwoLayer):
        two_layer = network

        def kernel(x: Points, z: Others) -> Array:
            return _two_layer_kernel(two_layer, params, x, z)

        def phi(x: Points) -> Array:
            return _two_layer_jacobian(two_layer, params, x)
    else:

        def kernel(x: Points, z: Others) -> Array:
            return phi(x) @ phi(z).T

        def phi(x: Points) -> Array:
            return _jacobian(network, params, x)[:, moving]

    return Family(
        name="finite NTK",
        kernel=kernel,
        dimension=len(moving),
        features=phi,
        offset=lambda x: _forward(network, params, x),
        apply=lambda theta, x: _push(network, params, moving, theta, x),
    )


def _moving(network: Network, params: PyTree) -> np.ndarray:
    """Return the places of the trained parameters among all parameters, flattened."""
    marks = map_parts(
        lambda part, leaf: jnp.full(leaf.shape, part in network.trained, dtype=float), params
    )
    return np.flatnonzero(np.asarray(ravel_pytree(marks)[0]))


def _cast(params: PyTree, x: Points) -> PyTree:
    return jax.tree.map(lambda leaf: leaf.astype(x.dtype), params)


@jax.jit
def _forward(network: Network, params: PyTree, x: Points) -> Float[Array, " samples"]:
    return network.forward(_cast(params, x), x)


@jax.jit
def _push(
    network: Network, params: PyTree, moving: ArrayLike, theta: Float[Array, " N"], x: Points
) -> Float[Array, " samples"]:
    """Return sqrt(rate) J(x) theta, by one forward derivative of the network."""
    flat, unravel = ravel_pytree(_cast(params, x))
    tangent = unravel(jnp.zeros_like(flat).at[moving].set(jnp.asarray(theta, flat.dtype)))
    at = unravel(flat)
    _, change = jax.jvp(lambda p: network.forward(p, x), (at,), (tangent,))
    return network.rate**0.5 * change


@jax.jit
def _jacobian(network: Network, params: PyTree, x: Points) -> Float[Array, "samples all"]:
    """Return sqrt(rate) J(x) for all parameters, flattened, one row per point."""
    flat, unravel = ravel_pytree(_cast(params, x))

    def output(theta: Array, point: Array) -> Array:
        return network.forward(unravel(theta), point[None])[0]

    return network.rate**0.5 * jax.vmap(jax.grad(output), in_axes=(None, 0))(flat, x)


def _tangents(network: TwoLayer, params: Params, x: Points) -> tuple[Array, Array]:
    """Return the derivatives of f in a and in the pre-activations z, times sqrt(rate).

    They are sqrt(rate) scale s(z) and sqrt(rate) scale a s'(z), one row per point.
    """
    weights = _cast(params, x)
    z = network.preactivations(weights, x)
    factor = network.scale * network.rate**0.5
    values = factor * network.activation.value(z)
    return values, factor * weights.a * network.activation.derivative(z)


@jax.jit
def _two_layer_kernel(
    network: TwoLayer, params: Params, x: Points, z: Others
) -> Float[Array, "samples others"]:
    values, slopes = _tangents(network, params, x)
    values2, slopes2 = _tangents(network, params, z)
    K = jnp.zeros((len(x), len(z)), x.dtype)
    if "a" in network.trained:
        K += values @ values2.T
    through_b = "b" in network.trained and params.b is not None
    if "w" in network.trained or through_b:
        inner = (x @ z.T if "w" in network.trained else 0.0) + (1.0 if through_b else 0.0)
        K += (slopes @ slopes2.T) * inner
    return K


@jax.jit
def _two_layer_jacobian(
    network: TwoLayer, params: Params, x: Points
) -> Float[Array, "samples moving"]:
    """Return sqrt(rate) J(x) for the trained parameters of a two-layer network, one row per point.

    The columns are in the order w, a, b of the flattened parameters.
    """
    values, slopes = _tangents(network, params, x)
    parts = []
    if "w" in network.trained:
        parts.append((slopes[:, :, None] * x[:, None, :]).reshape(len(x), -1))
    if "a" in network.trained:
        parts.append(values)
    if "b" in network.trained and params.b is not None:
        parts.append(slopes)
    return jnp.concatenate(parts, axis=1)

r"""The gradient of the mean loss in closed form, by two matrix products.

    z = x w^T + b                      (samples, neurons)          first product
    f = scale * s(z) a,    delta = l'(f, y) * weight
    g_a = scale * s(z)^T delta
    G   = scale * delta a^T s'(z)      (samples, neurons)
    g_w = G^T x,    g_b = G^T 1                                    second product

Where there are biases, a column of ones is appended to x and the column b to w, so that each
line is one product.

The weight of a point is 1/m in a sample of m points and its probability in a population; it
is multiplied by the weight of its class where classes are weighted. Gradients of networks that
are not two-layer are computed by `jax.grad`.

For points that are stored as bits (`PackedBatch`) the native kernels compute both products,
and the matrix x is never formed.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key, PyTree

from featlearn._check import require
from featlearn.distributions import Batch, PackedBatch
from featlearn.networks import Params, TwoLayer
from featlearn.training.losses import Loss
from featlearn.training.native import calls

Number = float | Float[Array, ""]


@runtime_checkable
class DrawsParameters(Protocol):
    """The interface of anything that draws initial parameters, such as a network."""

    def init(self, *, key: Key[Array, ""]) -> PyTree:
        """Draw the parameters."""
        ...


@runtime_checkable
class Network(DrawsParameters, Protocol):
    """The interface of a network, as the training loop uses it; parameters may be any pytree."""

    @property
    def trained(self) -> tuple[str, ...]:
        """The names of the parts of the parameters that are trained."""
        ...

    @property
    def rate(self) -> float:
        """The factor by which every gradient is multiplied."""
        ...

    def forward(
        self, params: PyTree, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """Return the outputs f(x)."""
        ...


def point_weights(
    batch: Batch | PackedBatch, class_weights: tuple[Number, Number] | None = None
) -> Float[Array, " samples"]:
    """Return the weight of every point in the mean loss.

    It is 1/m or the probability of the point, times the weight of its class. `class_weights` are
    the weights of the labels -1 and +1.
    """
    m = len(batch.y)
    weight = jnp.full(m, 1 / m, batch.y.dtype) if batch.weight is None else batch.weight
    if class_weights is None:
        return weight
    return weight * jnp.where(batch.y > 0, class_weights[1], class_weights[0])


def objective(
    network: Network,
    loss: Loss,
    params: PyTree,
    batch: Batch,
    *,
    smoothing: Number | None = None,
    class_weights: tuple[Number, Number] | None = None,
) -> Float[Array, ""]:
    """Return the mean loss of the batch.

    `smoothing` is the standard deviation of Gaussian noise in the pre-activations of a two-layer
    network, which is averaged over.
    """
    if smoothing is not None:
        require(
            isinstance(network, TwoLayer),
            "objective(smoothing)",
            "a TwoLayer network, whose smoothing is a closed form",
            type(network).__name__,
            "Train without smoothing.",
        )
        assert isinstance(network, TwoLayer)
        z = network.preactivations(params, batch.x)
        f = network.readout(params, network.activation.smoothed(z, smoothing)[0])
    else:
        f = network.forward(params, batch.x)
    return jnp.sum(point_weights(batch, class_weights) * loss.value(f, batch.y))


def gradient(
    network: Network,
    loss: Loss,
    params: PyTree,
    batch: Batch | PackedBatch,
    *,
    smoothing: Number | None = None,
    class_weights: tuple[Number, Number] | None = None,
    mirrored: bool = False,
) -> PyTree:
    """Return the gradient of `objective` in the trained parts, and zeros for the others.

    `mirrored` says that neuron p/2 + i has the same w and b as neuron i and the opposite a.
    Then f = 0, both neurons have the same g_a and opposite g_w and g_b, and only half of them
    are computed.
    """
    if isinstance(network, TwoLayer):
        slopes = _two_layer(network, loss, params, batch, smoothing, class_weights, mirrored)
    else:
        assert isinstance(batch, Batch)
        slopes = jax.grad(objective, argnums=2)(
            network, loss, params, batch, smoothing=smoothing, class_weights=class_weights
        )
    return map_parts(
        lambda part, slope: slope if part in network.trained else jnp.zeros_like(slope), slopes
    )


def _two_layer(
    network: TwoLayer,
    loss: Loss,
    params: Params,
    batch: Batch | PackedBatch,
    smoothing: Number | None,
    class_weights: tuple[Number, Number] | None,
    mirrored: bool,
) -> Params:
    if mirrored:
        params = jax.tree.map(lambda part: part[: network.width // 2], params)
    f = jnp.zeros_like(batch.y) if mirrored else None
    if isinstance(batch, PackedBatch):
        g = _of_signs(network, loss, params, batch, smoothing, class_weights, f)
    else:
        g = _of_numbers(network, loss, params, batch, smoothing, class_weights, f)
    if not mirrored:
        return g
    g_b = None if g.b is None else jnp.concatenate([g.b, -g.b])
    return Params(w=jnp.concatenate([g.w, -g.w]), a=jnp.concatenate([g.a, g.a]), b=g_b)


def _of_numbers(
    network: TwoLayer,
    loss: Loss,
    params: Params,
    batch: Batch,
    smoothing: Number | None,
    class_weights: tuple[Number, Number] | None,
    f: Float[Array, " samples"] | None,
) -> Params:
    """Return the gradient, computed by matrix products with x; f is computed unless it is given."""
    x, w = _with_ones(batch.x, params)
    G, g_a = gradient_in_inputs(
        network, loss, params.a, x @ w.T, batch, smoothing, class_weights, f=f
    )
    if params.b is None:
        return Params(w=G.T @ x, a=g_a, b=None)
    # Networks with biases are wide and have few inputs: x^T G is the faster product then, and
    # the barrier keeps the compiler from turning it round again.
    columns = jax.lax.optimization_barrier(x.T @ G)
    return Params(w=columns[:-1].T, a=g_a, b=columns[-1])


def _of_signs(
    network: TwoLayer,
    loss: Loss,
    params: Params,
    batch: PackedBatch,
    smoothing: Number | None,
    class_weights: tuple[Number, Number] | None,
    f: Float[Array, " samples"] | None,
) -> Params:
    """Return the gradient, computed by native kernels; unknown activations are left to JAX."""
    s = calls.known(network.activation, smoothed=smoothing is not None)
    z, sums = calls.forward(batch, params, s)
    if s == calls.UNKNOWN:
        z = calls.by_point(z, len(params.a))
        G, g_a = gradient_in_inputs(
            network, loss, params.a, z, batch, smoothing, class_weights, f=f
        )
        g_w, g_b = calls.pulled_through(batch, G)
    else:
        f = network.scale * sums if f is None else f
        delta = output_slopes(network, loss, f, batch, class_weights)
        g_w, g_a, g_b = calls.backward(batch, z, delta, params.a, s)
    return Params(w=g_w, a=g_a, b=None if params.b is None else g_b)


def _with_ones(
    x: Float[Array, "samples inputs"], params: Params
) -> tuple[Float[Array, "samples columns"], Float[Array, "neurons columns"]]:
    """Append an input that is always 1 to x, and the bias as its weight to w."""
    if params.b is None:
        return x, params.w
    ones = jnp.ones((len(x), 1), x.dtype)
    return jnp.hstack([x, ones]), jnp.hstack([params.w, params.b[:, None]])


def gradient_in_inputs(
    network: TwoLayer,
    loss: Loss,
    a: Float[Array, " neurons"],
    z: Float[Array, "samples neurons"],
    batch: Batch | PackedBatch,
    smoothing: Number | None = None,
    class_weights: tuple[Number, Number] | None = None,
    f: Float[Array, " samples"] | None = None,
) -> tuple[Float[Array, "samples neurons"], Float[Array, " neurons"]]:
    """Return G, the derivative in every pre-activation, and g_a: the part that needs no x.

    The output f is computed from z unless it is given.
    """
    s = network.activation
    if smoothing is None:
        features, slopes = s.value(z), s.derivative(z)
    else:  # the barrier: dear enough not to be computed again for each of its uses
        features, slopes = jax.lax.optimization_barrier(s.smoothed(z, smoothing))
    f = network.scale * (features @ a) if f is None else f
    delta = output_slopes(network, loss, f, batch, class_weights)
    return delta[:, None] * a * slopes, delta @ features


def output_slopes(
    network: TwoLayer,
    loss: Loss,
    f: Float[Array, " samples"],
    batch: Batch | PackedBatch,
    class_weights: tuple[Number, Number] | None = None,
) -> Float[Array, " samples"]:
    """Return delta: the derivative of the mean loss in every output, times the output's scale."""
    return network.scale * point_weights(batch, class_weights) * loss.derivative(f, batch.y)


def map_parts(function: Callable[..., object], tree: PyTree, *others: PyTree) -> PyTree:
    """Apply `jax.tree.map` with the name of the part (``"w"``, ``"a"``, …) as first argument."""

    def call(path: tuple[object, ...], *leaves: Array | None) -> object:
        return function(part_name(path[:1]), *leaves)

    return jax.tree_util.tree_map_with_path(call, tree, *others)


def part_name(path: tuple[object, ...]) -> str:
    """Return the name of a leaf: ``"w"`` in a record or a dict, ``"first_w"`` in a nested one.

    Example:
        >>> [part_name(path) for path, _ in jax.tree.leaves_with_path({"w": 0, "top": [1]})]
        ['top_0', 'w']
    """
    return jax.tree_util.keystr(path, simple=True, separator="_")

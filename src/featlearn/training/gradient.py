r"""The gradient of the mean loss, as the equation: two matrix products.

    z = x w^T + b                      (samples, neurons)          first product
    f = scale * s(z) a,    delta = l'(f, y) * weight
    g_a = scale * s(z)^T delta
    G   = scale * delta a^T s'(z)      (samples, neurons)
    g_w = G^T x,    g_b = G^T 1                                    second product

Where there are biases, x has a column of ones and w one of b, and both lines are one product.

The weight of a point is 1/m in a sample of m, its probability in a population, times the weight
of its class where classes are weighted. Networks that are not two-layer go through `jax.grad`.

Points that come as bits (`PackedBatch`) have both products from the native kernels, to which x is
never written down.
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
    """What training begins with: a network, or anything else that draws its parameters."""

    def init(self, *, key: Key[Array, ""]) -> PyTree:
        """Draw the parameters."""
        ...


@runtime_checkable
class Network(DrawsParameters, Protocol):
    """What the loop asks of a network: any pytree of parameters will do."""

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
        """f(x)."""
        ...


def point_weights(
    batch: Batch | PackedBatch, class_weights: tuple[Number, Number] | None = None
) -> Float[Array, " samples"]:
    """The weight of every point in the mean: 1/m or its probability, times that of its class.

    `class_weights` are those of the labels -1 and +1.
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
    """The mean loss itself; `smoothing` is the sd of noise in the pre-activations of two layers."""
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
    """The gradient of `objective` in the trained parts; zero in the others.

    `mirrored` says that neuron p/2 + i has the w and b of neuron i and minus its a. Then f = 0,
    twins have the same g_a and opposite g_w and g_b, and half the neurons are half the work.
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
    """The gradient by matrix products with x."""
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
    """By the native kernels; what lies between the products too, where they know the activation."""
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
    """G, the slope in every pre-activation z, and g_a: all of the gradient that needs no x.

    f is computed from z unless it is known.
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
    """delta: the slope of the mean loss in every output, times the scale of the output."""
    return network.scale * point_weights(batch, class_weights) * loss.derivative(f, batch.y)


def map_parts(function: Callable[..., object], tree: PyTree, *others: PyTree) -> PyTree:
    """`jax.tree.map` that hands over the name of the part (``"w"``, ``"a"``, …) first."""

    def call(path: tuple[object, ...], *leaves: Array | None) -> object:
        return function(part_name(path[:1]), *leaves)

    return jax.tree_util.tree_map_with_path(call, tree, *others)


def part_name(path: tuple[object, ...]) -> str:
    """The place of a leaf in words: ``"w"`` in a record or a dict, ``"first_w"`` in a nested one.

    Example:
        >>> [part_name(path) for path, _ in jax.tree.leaves_with_path({"w": 0, "top": [1]})]
        ['top_0', 'w']
    """
    return jax.tree_util.keystr(path, simple=True, separator="_")

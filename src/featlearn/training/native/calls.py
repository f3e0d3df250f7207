r"""The calls of the native kernels in a step: random words, and the two matrix products.

    forward    z = size * u w^T + b,   and   sum_j a_j s(z_ij)     for activations they know
    backward   g_w, g_a, g_b   from z and the slope delta_i in each output; or, for all other
               activations, g_w and g_b from G, the slope in every pre-activation

z is stored in blocks of 16 neurons, (blocks, samples, 16); `by_point` joins them into one
matrix. The number of the engine is an attribute of every call, so that a compiled program
records which engine it belongs to.
"""

import jax
import jax.ffi
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key, UInt32

from featlearn._record import record
from featlearn.distributions import PackedBatch
from featlearn.distributions.bits import random_words as words_of_jax
from featlearn.networks import Activation, Params
from featlearn.training.native.library import library

BLOCK = 16
GIVEN, RELU, CLIPPED = 0, 1, 2
Blocks = Float[Array, "blocks samples 16"]


@record()
class Known:
    """An activation that the kernels have: max(z, 0) or min(max(z, 0), top); or none of both."""

    number: int
    top: float = 0.0


UNKNOWN = Known(number=GIVEN)


def known(activation: Activation, *, smoothed: bool = False) -> Known:
    """Return how the kernels compute an activation, or `UNKNOWN` if they cannot.

    Example:
        >>> from featlearn.networks import QUADRATIC, RELU6
        >>> known(RELU6).top, known(QUADRATIC) == UNKNOWN
        (6.0, True)
    """
    hinges = () if smoothed else activation.hinges
    if hinges == ((1.0, 0.0),):
        return Known(number=RELU)
    if len(hinges) == 2 and hinges[0] == (1.0, 0.0) and hinges[1][0] == -1.0 and hinges[1][1] > 0:
        return Known(number=CLIPPED, top=hinges[1][1])
    return UNKNOWN


def random_words(m: int, n: int, key: Key[Array, ""]) -> UInt32[Array, "{m} words"]:
    """Draw the words of `jax.random.bits`, but faster; leave other generators to JAX."""
    plain = jax.config.jax_threefry_partitionable  # type: ignore[attr-defined]
    if not plain or str(jax.random.key_impl(key)) != "threefry2x32":
        return words_of_jax(m, n, key)
    shape = jax.ShapeDtypeStruct((m, -(-n // 32)), jnp.uint32)
    call = jax.ffi.ffi_call("featlearn_random_words", shape, vmap_method="sequential")
    return call(jax.random.key_data(key), engine=_number())


def forward(
    batch: PackedBatch, params: Params, activation: Known
) -> tuple[Blocks, Float[Array, " samples"]]:
    """Return z in blocks, and sum_j a_j s(z_ij), which is all zeros if s is `UNKNOWN`."""
    m, p = len(batch.y), len(params.a)
    shapes = (_numbers(-(-p // BLOCK), m, BLOCK), _numbers(m))
    call = jax.ffi.ffi_call("featlearn_forward", shapes, vmap_method="sequential")
    b = jnp.zeros(p, jnp.float32) if params.b is None else params.b
    size = jnp.asarray(batch.size, jnp.float32)
    z, sums = call(batch.words, params.w, params.a, b, size, **_attributes(activation))
    return z, sums


def by_point(z: Blocks, neurons: int) -> Float[Array, "samples neurons"]:
    """Join blocks of pre-activations into one matrix with one row per point."""
    blocks, m, size = z.shape
    return z.transpose(1, 0, 2).reshape(m, blocks * size)[:, :neurons]


def backward(
    batch: PackedBatch,
    z: Blocks,
    delta: Float[Array, " samples"],
    a: Float[Array, " neurons"],
    activation: Known,
) -> tuple[Float[Array, "neurons inputs"], Float[Array, " neurons"], Float[Array, " neurons"]]:
    """Return g_w, g_a and g_b, computed from z and the derivative delta in each output."""
    return _backward(batch, z, delta, a, activation)


def pulled_through(
    batch: PackedBatch, G: Float[Array, "samples neurons"]
) -> tuple[Float[Array, "neurons inputs"], Float[Array, " neurons"]]:
    """Return G^T x and G^T 1."""
    m, p = G.shape
    g_w, _, g_b = _backward(batch, G, jnp.zeros(m), jnp.zeros(p), UNKNOWN)
    return g_w, g_b


def _backward(
    batch: PackedBatch, z: Array, delta: Array, a: Array, activation: Known
) -> tuple[Array, Array, Array]:
    p = len(a)
    shapes = (_numbers(p, batch.d), _numbers(p), _numbers(p))
    call = jax.ffi.ffi_call("featlearn_backward", shapes, vmap_method="sequential")
    size = jnp.asarray(batch.size, jnp.float32)
    g_w, g_a, g_b = call(batch.words, z, delta, a, size, **_attributes(activation))
    return g_w, g_a, g_b


def _numbers(*shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def _number() -> np.int64:
    return np.int64(library().number)


def _attributes(activation: Known) -> dict[str, np.generic]:
    return {
        "engine": _number(),
        "activation": np.int64(activation.number),
        "top": np.float32(activation.top),
    }

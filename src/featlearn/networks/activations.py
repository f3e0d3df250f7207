r"""Activations s(z), their derivatives, and their smoothing by Gaussian noise.

Every continuous piecewise-linear activation is a sum of hinges,

    s(z) = sum_i c_i relu(z - k_i),

where relu(z) = max(z, 0). Its average over noise xi ~ N(0, r^2) in the pre-activation is then a
closed form, with Phi and phi the distribution function and density of N(0, 1):

    E s(z + xi)  = sum_i c_i [ (z - k_i) Phi((z - k_i)/r) + r phi((z - k_i)/r) ],
    E s'(z + xi) = sum_i c_i Phi((z - k_i)/r).

Shi, Wei & Liang (2022, section 3) smooth activations in this way: they add noise xi to the
pre-activation.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.special import erfc
from jax.scipy.stats import norm
from jaxtyping import Float

from featlearn._check import require, require_one_of
from featlearn._describe import by_code

Elementwise = Callable[[Array], Array]


@dataclass(frozen=True, kw_only=True)
class Activation:
    """An activation function with its derivative, and its hinges if it is piecewise linear."""

    name: str
    """Its name in descriptions and tables."""
    value: Elementwise
    """s(z), elementwise."""
    derivative: Elementwise
    """s'(z), elementwise."""
    hinges: tuple[tuple[float, float], ...] = ()
    """Pairs (c_i, k_i) with s(z) = sum_i c_i max(z - k_i, 0), where there are such."""

    def smoothed(
        self, z: Float[Array, "..."], r: float | Float[Array, ""]
    ) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
        """Return E s(z + xi) and E s'(z + xi) for Gaussian noise xi ~ N(0, r^2), exactly; r > 0."""
        if self == QUADRATIC:
            return z**2 + r**2, 2 * z
        require(
            bool(self.hinges),
            f"Activation({self.name!r}).smoothed",
            "a piecewise-linear or quadratic activation",
            self.name,
            "Use relu, relu6, truncated or quadratic, or train without smoothing.",
        )
        value, slope = jnp.zeros_like(z), jnp.zeros_like(z)
        for c, k in self.hinges:
            u = (z - k) / r
            below = 0.5 * erfc(-u / math.sqrt(2))
            value += c * r * (u * below + norm.pdf(u))
            slope += c * below
        return value, slope


def _relu(z: Array) -> Array:
    return jnp.maximum(z, 0)


def _relu_slope(z: Array) -> Array:
    return (z > 0).astype(z.dtype)


def _relu6(z: Array) -> Array:
    return jnp.clip(z, 0, 6)


def _relu6_slope(z: Array) -> Array:
    return ((z > 0) & (z < 6)).astype(z.dtype)


def _truncated(z: Array) -> Array:
    return jnp.clip(z, 0, 1)


def _truncated_slope(z: Array) -> Array:
    return ((z > 0) & (z < 1)).astype(z.dtype)


def _quadratic(z: Array) -> Array:
    return z**2


def _quadratic_slope(z: Array) -> Array:
    return 2 * z


RELU = Activation(name="relu", value=_relu, derivative=_relu_slope, hinges=((1.0, 0.0),))
"""max(z, 0), with derivative 0 at 0."""

RELU6 = Activation(
    name="relu6",
    value=_relu6,
    derivative=_relu6_slope,
    hinges=((1.0, 0.0), (-1.0, 6.0)),
)
"""min(max(z, 0), 6), of Daniely & Malach (2020)."""

TRUNCATED = Activation(
    name="truncated",
    value=_truncated,
    derivative=_truncated_slope,
    hinges=((1.0, 0.0), (-1.0, 1.0)),
)
"""min(max(z, 0), 1), of Shi, Wei & Liang (2022)."""

QUADRATIC = Activation(name="quadratic", value=_quadratic, derivative=_quadratic_slope)
"""z^2, of FC(m) in Shi, Wei & Liang (2022, appendix E.5)."""

ACTIVATIONS = {each.name: each for each in (RELU, RELU6, TRUNCATED, QUADRATIC)}


def activation(choice: str | Elementwise | Activation) -> Activation:
    """Return the activation with a given name, or make one of any elementwise JAX function.

    Example:
        >>> activation("relu6").name
        'relu6'
        >>> round(float(activation(jnp.tanh).derivative(jnp.float32(0.0))), 3)
        1.0
    """
    if isinstance(choice, Activation):
        return choice
    if isinstance(choice, str):
        require_one_of(choice, tuple(ACTIVATIONS), "activation")
        return ACTIVATIONS[choice]
    name, value = getattr(choice, "__name__", type(choice).__name__), by_code(choice)
    return Activation(name=name, value=value, derivative=_Derivative(value))


@dataclass(frozen=True)
class _Derivative:
    """The derivative s' of an elementwise function s, computed by JAX.

    Derivatives of equal functions are equal, so that JAX compiles one program for both.
    """

    of: Elementwise

    def __call__(self, z: Array) -> Array:
        return jax.jvp(self.of, (z,), (jnp.ones_like(z),))[1]

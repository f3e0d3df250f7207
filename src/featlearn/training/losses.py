"""Losses l(f, y) of an output f and a label y, with their derivatives in f."""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from featlearn._check import require_one_of
from featlearn._describe import by_code

OfOutputAndLabel = Callable[[Array, Array], Array]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """A loss and its derivative l'(f, y) in the output."""

    name: str
    """Its name in descriptions and tables."""
    value: OfOutputAndLabel
    """l(f, y), elementwise."""
    derivative: OfOutputAndLabel
    """Its derivative in f, elementwise."""
    of_signs: bool = False
    """Whether the loss is only for labels in {-1, 1}."""


def _logistic(f: Array, y: Array) -> Array:
    return jax.nn.softplus(-y * f)


def _logistic_slope(f: Array, y: Array) -> Array:
    return -y * jax.nn.sigmoid(-y * f)


def _doubled_logistic(f: Array, y: Array) -> Array:
    return 2 * jax.nn.softplus(-y * f)


def _doubled_logistic_slope(f: Array, y: Array) -> Array:
    return -2 * y * jax.nn.sigmoid(-y * f)


def _hinge(f: Array, y: Array) -> Array:
    return jnp.maximum(1 - y * f, 0)


def _hinge_slope(f: Array, y: Array) -> Array:
    return jnp.where(y * f < 1, -y, 0)


def _squared(f: Array, y: Array) -> Array:
    return (f - y) ** 2 / 2


def _squared_slope(f: Array, y: Array) -> Array:
    return f - y


def _linear(f: Array, y: Array) -> Array:
    return -y * f


def _linear_slope(f: Array, y: Array) -> Array:
    return -y


LOGISTIC = Loss(name="logistic", value=_logistic, derivative=_logistic_slope, of_signs=True)
"""log(1 + exp(-y f)), of Frei, Chatterji & Bartlett (2022)."""

DOUBLED_LOGISTIC = Loss(
    name="doubled-logistic",
    value=_doubled_logistic,
    derivative=_doubled_logistic_slope,
    of_signs=True,
)
"""2 log(1 + exp(-y f)), of Glasgow (2023): l' = -y at f = 0."""

HINGE = Loss(name="hinge", value=_hinge, derivative=_hinge_slope, of_signs=True)
"""max(1 - y f, 0), of Daniely & Malach (2020) and Shi, Wei & Liang (2022)."""

SQUARED = Loss(name="squared", value=_squared, derivative=_squared_slope)
"""(f - y)^2 / 2."""

CORRELATION = Loss(name="linear", value=_linear, derivative=_linear_slope)
"""-y f: Glasgow's loss linearised at f = 0, up to the constant 2 log 2."""

LOSSES = {each.name: each for each in (LOGISTIC, DOUBLED_LOGISTIC, HINGE, SQUARED, CORRELATION)}


def loss(choice: str | OfOutputAndLabel | Loss) -> Loss:
    """Return the loss of that name, or make a loss from any JAX function of output and label.

    Two functions are the same loss if they have the same code, whatever their names: a
    function of your own named ``squared`` is not mistaken for the built-in loss.

    Example:
        >>> float(loss("hinge").value(jnp.float32(0.25), jnp.float32(1.0)))
        0.75
    """
    if isinstance(choice, Loss):
        return choice
    if isinstance(choice, str):
        require_one_of(choice, tuple(LOSSES), "loss")
        return LOSSES[choice]
    name, value = getattr(choice, "__name__", type(choice).__name__), by_code(choice)
    return Loss(name=name, value=value, derivative=_Derivative(value))


@dataclass(frozen=True)
class _Derivative:
    """The derivative in f of an elementwise loss, computed by JAX."""

    of: OfOutputAndLabel

    def __call__(self, f: Array, y: Array) -> Array:
        return jax.jvp(lambda output: self.of(output, y), (f,), (jnp.ones_like(f),))[1]

"""Losses l(f, y) of an output and a label in {-1, 1}, with their derivative in f."""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from featlearn._check import require_one_of

OfOutputAndLabel = Callable[[Array, Array], Array]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """A loss and its derivative l'(f, y) in the output."""

    name: str
    value: OfOutputAndLabel
    derivative: OfOutputAndLabel


LOGISTIC = Loss(
    name="logistic",
    value=lambda f, y: jax.nn.softplus(-y * f),
    derivative=lambda f, y: -y * jax.nn.sigmoid(-y * f),
)
"""log(1 + exp(-y f)), of Frei, Chatterji & Bartlett (2022)."""

DOUBLED_LOGISTIC = Loss(
    name="doubled-logistic",
    value=lambda f, y: 2 * jax.nn.softplus(-y * f),
    derivative=lambda f, y: -2 * y * jax.nn.sigmoid(-y * f),
)
"""2 log(1 + exp(-y f)), of Glasgow (2023): l' = -y at f = 0."""

HINGE = Loss(
    name="hinge",
    value=lambda f, y: jnp.maximum(1 - y * f, 0),
    derivative=lambda f, y: jnp.where(y * f < 1, -y, 0),
)
"""max(1 - y f, 0), of Daniely & Malach (2020) and Shi, Wei & Liang (2022)."""

SQUARED = Loss(
    name="squared",
    value=lambda f, y: (f - y) ** 2 / 2,
    derivative=lambda f, y: f - y,
)
"""(f - y)^2 / 2."""

LINEAR = Loss(name="linear", value=lambda f, y: -y * f, derivative=lambda f, y: -y)
"""-y f: Glasgow's loss linearised at f = 0, up to the constant 2 log 2."""

LOSSES = {each.name: each for each in (LOGISTIC, DOUBLED_LOGISTIC, HINGE, SQUARED, LINEAR)}


def loss(choice: str | OfOutputAndLabel | Loss) -> Loss:
    """The loss of that name, or any JAX function of output and label as one.

    Example:
        >>> float(loss("hinge").value(jnp.float32(0.25), jnp.float32(1.0)))
        0.75
    """
    if isinstance(choice, Loss):
        return choice
    if isinstance(choice, str):
        require_one_of(choice, tuple(LOSSES), "loss")
        return LOSSES[choice]
    name = getattr(choice, "__name__", type(choice).__name__)
    return Loss(name=name, value=choice, derivative=_Derivative(choice))


@dataclass(frozen=True)
class _Derivative:
    """The derivative in f of an elementwise loss, by JAX."""

    of: OfOutputAndLabel

    def __call__(self, f: Array, y: Array) -> Array:
        return jax.jvp(lambda output: self.of(output, y), (f,), (jnp.ones_like(f),))[1]

r"""The network FC(m): one hidden layer and a probability for each class (Shi et al. 2022, E.5).

The paper's m is the number of neurons, called p or `width` in this library.

    d   inputs      p   neurons (width)      K   classes
    w   (p, d)  b   (p,) first layer         a   (K, p)  c   (K,) second layer

    logits(x) = a s(w x + b) + c,        f(x) = softmax(logits(x)),        s(z) = z^2 in the paper.

The paper does not give the law of the initial weights. This module takes w ~ N(0, 1/d), so that
w x is of order 1 for inputs whose coordinates are of order 1; a ~ N(0, 1/p²), which makes the
initial logits small; and b = c = 0.
"""

import math

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require
from featlearn._record import record
from featlearn.networks.activations import QUADRATIC, Activation


@record(numbers=("w", "b", "a", "c"))
class ClassParams:
    """The weights of a network that has one output for each class."""

    w: Float[Array, "neurons inputs"]
    b: Float[Array, " neurons"]
    a: Float[Array, "classes neurons"]
    c: Float[Array, " classes"]


@record()
class FullyConnected:
    """A network with one hidden layer and one output for each of K classes."""

    d: int
    width: int
    classes: int
    activation: Activation = QUADRATIC

    def __post_init__(self) -> None:
        require(self.d >= 1, "FullyConnected(d)", "d >= 1", self.d)
        require(self.width >= 1, "FullyConnected(width)", "at least 1 neuron", self.width)
        require(self.classes >= 2, "FullyConnected(classes)", "at least 2", self.classes)

    @property
    def parameters(self) -> int:
        """The number of trainable parameters."""
        return self.width * (self.d + 1) + self.classes * (self.width + 1)

    def init(self, *, key: Key[Array, ""]) -> ClassParams:
        """Draw the initial weights, with one child key for each layer; biases are 0."""
        of_w, of_a = jax.random.split(key)
        w = jax.random.normal(of_w, (self.width, self.d)) / math.sqrt(self.d)
        a = jax.random.normal(of_a, (self.classes, self.width)) / self.width
        return ClassParams(w=w, b=jnp.zeros(self.width), a=a, c=jnp.zeros(self.classes))

    def logits(
        self, params: ClassParams, x: Float[Array, "samples inputs"]
    ) -> Float[Array, "samples classes"]:
        """Return the logits a s(w x + b) + c, one row per point and one column per class."""
        features = self.activation.value(x @ params.w.T + params.b)
        return features @ params.a.T + params.c

r"""FC(m): one hidden layer and a probability for each class (Shi, Wei & Liang 2022, appendix E.5).

    d   inputs      p   neurons (width)      K   classes
    w   (p, d)  b   (p,) first layer         a   (K, p)  c   (K,) second layer

    logits(x) = a s(w x + b) + c,        f(x) = softmax(logits(x)),        s(z) = z^2 in the paper.

Where weights start is not in the paper: w ~ N(0, 1/d), so that w x is of order 1 for inputs whose
coordinates are, a ~ N(0, 1/p²), small against it, and no biases.
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
    """The weights of a network with an output for each class."""

    w: Float[Array, "neurons inputs"]
    b: Float[Array, " neurons"]
    a: Float[Array, "classes neurons"]
    c: Float[Array, " classes"]


@record()
class FullyConnected:
    """One hidden layer, K outputs."""

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
        """How many numbers there are to learn."""
        return self.width * (self.d + 1) + self.classes * (self.width + 1)

    def init(self, *, key: Key[Array, ""]) -> ClassParams:
        """Draw the weights; one child key a layer."""
        of_w, of_a = jax.random.split(key)
        w = jax.random.normal(of_w, (self.width, self.d)) / math.sqrt(self.d)
        a = jax.random.normal(of_a, (self.classes, self.width)) / self.width
        return ClassParams(w=w, b=jnp.zeros(self.width), a=a, c=jnp.zeros(self.classes))

    def logits(
        self, params: ClassParams, x: Float[Array, "samples inputs"]
    ) -> Float[Array, "samples classes"]:
        """What the softmax is taken of."""
        features = self.activation.value(x @ params.w.T + params.b)
        return features @ params.a.T + params.c

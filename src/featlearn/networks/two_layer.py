r"""Two-layer networks: one description gives the network, its features and its baselines.

    d   inputs      p   neurons (width)      w   (p, d) first layer      a   (p,) second layer
    b   (p,) biases, or none

    features(x)_j = s(w_j.x + b_j),        f(x) = scale * sum_j a_j features(x)_j.

The scaling "mean-field" is the scale 1/p with gradients multiplied by p (Glasgow 2023); "sqrt" is
the scale 1/sqrt(p); "one" is the scale 1 (Daniely & Malach, Shi et al.; Frei et al., whose width is
m, include the factor 1/sqrt(m) in a).

With a pairing, the second half of the neurons is made from the first. If neuron i has the weights
w, b, a, neuron p/2 + i has w, b, -a for "mirrored", which makes f = 0 at the start, and -w, -b, -a
for "negated", as Daniely & Malach print it.
"""

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_one_of
from featlearn._record import record, replaced
from featlearn.networks.activations import RELU, Activation
from featlearn.networks.initialisation import Initialisation

SCALINGS = ("mean-field", "sqrt", "one")
PAIRINGS = ("none", "mirrored", "negated")
PARTS = ("w", "a", "b")


@record(numbers=("w", "a", "b"))
class Params:
    """The weights of a two-layer network; `b` is None in a network without biases."""

    w: Float[Array, "neurons inputs"]
    """First layer, a row per neuron."""
    a: Float[Array, " neurons"]
    """Second layer."""
    b: Float[Array, " neurons"] | None = None
    """Biases; None in a network without."""


@record(numbers=("w", "a", "b"))
class TwoLayer:
    """The description of a two-layer network: its sizes and the laws of its initial weights."""

    d: int
    """Input dimension."""
    width: int
    """Number of neurons, every one counted."""
    w: Initialisation
    """The law of the first layer at the start."""
    a: Initialisation
    """The law of the second layer at the start."""
    b: Initialisation | None = None
    """The law of the biases at the start; None: the network has no biases."""
    scaling: str
    """"mean-field", "sqrt" or "one", as above: always said, for step sizes mean nothing without."""
    activation: Activation = RELU
    """The activation s, such as `fl.relu`; `fl.activation` makes one of your own."""
    pairing: str = "none"
    """"none"; or each neuron has a twin: "mirrored" (w, b, -a), with which f is 0 at the start, or
    "negated" (-w, -b, -a)."""
    trained: tuple[str, ...] = ("w", "a", "b")
    """Which parts move; naming b in a network without biases does nothing."""

    def __post_init__(self) -> None:
        require(self.d >= 1, "TwoLayer(d)", "d >= 1", self.d)
        require(self.width >= 1, "TwoLayer(width)", "at least 1 neuron", self.width)
        require_one_of(self.scaling, SCALINGS, "TwoLayer(scaling)")
        require_one_of(self.pairing, PAIRINGS, "TwoLayer(pairing)")
        for part in self.trained:
            require_one_of(part, PARTS, "TwoLayer(trained)")
        require(
            self.pairing == "none" or self.width % 2 == 0,
            "TwoLayer(width)",
            f"an even number of neurons for pairing={self.pairing!r}",
            self.width,
        )

    def replace(self, **changes: Any) -> "TwoLayer":
        """Return the same description with some fields changed."""
        return replaced(self, changes)

    @property
    def scale(self) -> float:
        """The factor before the sum over neurons, which the field `scaling` determines."""
        return {"mean-field": 1 / self.width, "sqrt": 1 / math.sqrt(self.width), "one": 1.0}[
            self.scaling
        ]

    @property
    def rate(self) -> float:
        """The factor that multiplies every gradient: p in the mean-field scaling, else 1."""
        return float(self.width) if self.scaling == "mean-field" else 1.0

    def init(self, *, key: Key[Array, ""]) -> Params:
        """Draw the initial weights, with one child key for each of w, a and b."""
        of_w, of_a, of_b = jax.random.split(key, 3)
        n = self.width if self.pairing == "none" else self.width // 2
        w = self.w.draw((n, self.d), key=of_w)
        a = self.a.draw((n,), key=of_a)
        b = None if self.b is None else self.b.draw((n,), key=of_b)
        if self.pairing != "none":
            twin = 1 if self.pairing == "mirrored" else -1
            w, a = jnp.concatenate([w, twin * w]), jnp.concatenate([a, -a])
            b = None if b is None else jnp.concatenate([b, twin * b])
        return Params(w=w, a=a, b=b)

    def preactivations(
        self, params: Params, x: Float[Array, "samples inputs"]
    ) -> Float[Array, "samples neurons"]:
        """Return the pre-activations w_j.x + b_j, one row per point and one column per neuron."""
        z = x @ params.w.T
        return z if params.b is None else z + params.b

    def features(
        self, params: Params, x: Float[Array, "samples inputs"]
    ) -> Float[Array, "samples neurons"]:
        """Return the features s(w_j.x + b_j), the outputs of the first layer, one row per point."""
        return self.activation.value(self.preactivations(params, x))

    def readout(
        self, params: Params, features: Float[Array, "samples neurons"]
    ) -> Float[Array, " samples"]:
        """Return the outputs scale * sum_j a_j features_j of given features."""
        return self.scale * (features @ params.a)

    def forward(
        self, params: Params, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """Return the outputs f(x), one per point."""
        return self.readout(params, self.features(params, x))

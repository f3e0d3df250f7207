r"""Gated linear units: a two-layer ReLU network whose gates are fixed before training.

    d   inputs      p   neurons (width)      g   (p, d) gates      w   (p, d)   b   (p,)   a   (p,)

    f(x) = sum_j a_j 1[g_j.x > 0] (w_j.x + b_j)

With g = w and b = 0 the outputs are those of a ReLU network, but training never changes g. If a is
fixed as well, f is linear in w and b, and its features are those of the first layer in the
linearisation of a ReLU network. Daniely & Malach (2020, conference version) train w, b and a and
call this network the NTK.
"""

import jax
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_one_of
from featlearn._record import record
from featlearn.networks.initialisation import Initialisation

PARTS = ("w", "a", "b")


@record(numbers=("g", "w", "a", "b"))
class GatedParams:
    """The weights of a gated network, including its fixed gates g."""

    g: Float[Array, "neurons inputs"]
    w: Float[Array, "neurons inputs"]
    a: Float[Array, " neurons"]
    b: Float[Array, " neurons"]


@record(numbers=("g", "w", "a", "b"))
class Gated:
    """The description of a gated network: its sizes and the laws of its initial weights.

    Example:
        >>> from featlearn.networks import Constant, Gaussian
        >>> normal, zero = Gaussian(sd=1.0), Constant(value=0.0)
        >>> network = Gated(d=3, width=8, g=normal, w=normal, a=normal, b=zero)
        >>> network.init(key=jax.random.key(0)).g.shape
        (8, 3)
    """

    d: int
    """Input dimension."""
    width: int
    """Number of neurons."""
    g: Initialisation
    """The law of the gates at the start; they stay."""
    w: Initialisation
    """The law of the first layer at the start."""
    a: Initialisation
    """The law of the second layer at the start."""
    b: Initialisation
    """The law of the biases at the start."""
    trained: tuple[str, ...] = PARTS
    """Which parts move; the gates never do."""

    def __post_init__(self) -> None:
        require(self.d >= 1, "Gated(d)", "d >= 1", self.d)
        require(self.width >= 1, "Gated(width)", "at least 1 neuron", self.width)
        for part in self.trained:
            require_one_of(part, PARTS, "Gated(trained)")

    @property
    def rate(self) -> float:
        """The factor that multiplies every gradient in training, which is 1 for this network."""
        return 1.0

    def init(self, *, key: Key[Array, ""]) -> GatedParams:
        """Draw the initial weights, with one child key for each of g, w, a and b."""
        of_g, of_w, of_a, of_b = jax.random.split(key, 4)
        p, d = self.width, self.d
        return GatedParams(
            g=self.g.draw((p, d), key=of_g),
            w=self.w.draw((p, d), key=of_w),
            a=self.a.draw((p,), key=of_a),
            b=self.b.draw((p,), key=of_b),
        )

    def features(
        self, params: GatedParams, x: Float[Array, "samples inputs"]
    ) -> Float[Array, "samples neurons"]:
        """Return the features 1[g_j.x > 0] (w_j.x + b_j), with one row per point."""
        z = x @ params.w.T + params.b
        return (x @ params.g.T > 0).astype(z.dtype) * z

    def forward(
        self, params: GatedParams, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """Return the outputs f(x), one per point."""
        return self.features(params, x) @ params.a

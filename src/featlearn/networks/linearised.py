r"""The linearisation of a network at its initial parameters, described as a network of its own.

    f_lin(x) = f(x; theta_0) + J(x) . move,        J = df/dtheta at theta_0

At move = 0 the linearisation has the outputs of the network and the same derivatives in the
parameters; one `jax.jvp` of the network computes it. If `move` is trained by the schedule of the
network, this is the neural tangent model with the same number of steps: features stay fixed.
"""

from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key, PyTree

from featlearn._record import record


@runtime_checkable
class Described(Protocol):
    """A network whose parameters can be drawn and whose outputs can be computed."""

    @property
    def rate(self) -> float:
        """The factor that multiplies every gradient in training."""
        ...

    def init(self, *, key: Key[Array, ""]) -> PyTree:
        """Draw the initial parameters."""
        ...

    def forward(
        self, params: PyTree, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """Return the outputs f(x), one per point."""
        ...


@record(numbers=("at", "move"))
class Expansion:
    """The parameters of a linearised network: where it is linearised, and the move from there."""

    at: PyTree
    move: PyTree


@record(numbers=("network",))
class Linearised:
    """The linearisation of a network at its initial parameters, in which every part is trained.

    Example:
        >>> from featlearn.networks import Gaussian, Signs, TwoLayer
        >>> network = TwoLayer(d=3, width=8, w=Gaussian(sd=1.0), a=Signs(size=1.0), scaling="one")
        >>> tangent, key = Linearised(network=network), jax.random.key(0)
        >>> x = jnp.ones((2, 3))
        >>> start = network.forward(network.init(key=key), x)
        >>> bool((tangent.forward(tangent.init(key=key), x) == start).all())
        True
    """

    network: Described
    """The network whose tangent model this is."""

    @property
    def trained(self) -> tuple[str, ...]:
        """The trained part of the parameters: only `move`, while `at` stays fixed."""
        return ("move",)

    @property
    def rate(self) -> float:
        """The factor that multiplies every gradient, which is the factor of the network itself."""
        return self.network.rate

    def init(self, *, key: Key[Array, ""]) -> Expansion:
        """Draw the initial parameters of the network; the move from there is 0."""
        at = self.network.init(key=key)
        return Expansion(at=at, move=jax.tree.map(jnp.zeros_like, at))

    def forward(
        self, params: Expansion, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """Return f(x) at the initial parameters, plus the derivative of f along the move."""
        f, change = jax.jvp(lambda p: self.network.forward(p, x), (params.at,), (params.move,))
        return f + change

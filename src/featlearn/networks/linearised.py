r"""A network linearised at its start, as a network: what descent does when features stay fixed.

    f_lin(x) = f(x; theta_0) + J(x) . move,        J = df/dtheta at theta_0

Same outputs and slopes as the network at the start, derived from its own description by one
`jax.jvp`; training `move` by any schedule is the neural tangent model with that step budget.
"""

from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key, PyTree

from featlearn._record import record


@runtime_checkable
class Described(Protocol):
    """A network that can be drawn and evaluated."""

    @property
    def rate(self) -> float:
        """What multiplies every gradient."""
        ...

    def init(self, *, key: Key[Array, ""]) -> PyTree:
        """Draw the parameters."""
        ...

    def forward(
        self, params: PyTree, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """f(x)."""
        ...


@record(numbers=("at", "move"))
class Expansion:
    """Where the network was linearised, and how far the parameters have moved from there."""

    at: PyTree
    move: PyTree


@record(numbers=("network",))
class Linearised:
    """The tangent model of a network, all of whose parts move.

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
        """The factor that multiplies every gradient; it is that of the network."""
        return self.network.rate

    def init(self, *, key: Key[Array, ""]) -> Expansion:
        """The network's own start, and no move."""
        at = self.network.init(key=key)
        return Expansion(at=at, move=jax.tree.map(jnp.zeros_like, at))

    def forward(
        self, params: Expansion, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """f(x) at the start, plus the slope times the move."""
        f, change = jax.jvp(lambda p: self.network.forward(p, x), (params.at,), (params.move,))
        return f + change

r"""How much of every neuron lies in the directions that the label depends on, for any data model.

    w   (p, d) neurons      U   (k, d) rows that span the relevant directions, not orthonormal

    share_j = ||P w_j||^2 / ||w_j||^2,      P the projection on the span of U;  0 for w_j = 0

A random neuron has about k/d of its squared norm in the span, a neuron that is a feature nearly
all.
"""

from typing import Protocol, runtime_checkable

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require
from featlearn._record import bound, filled, record
from featlearn.networks import Params
from featlearn.training import Quantity, Setting


@runtime_checkable
class Directed(Protocol):
    """The interface of a data model that knows the directions on which its label depends."""

    @property
    def d(self) -> int:
        """Input dimension."""
        ...

    @property
    def relevant_directions(self) -> Float[Array, "k inputs"]:
        """Rows that span the directions on which the label depends."""
        ...


def signal_share(
    w: Float[Array, "neurons inputs"], directions: Float[Array, "k inputs"]
) -> Float[Array, " neurons"]:
    """Return the share of each neuron's squared norm that is in the span of some directions.

    Rows are scaled first: after a tiny first step the squares of their entries would underflow
    in float32.

    Example:
        >>> w = jnp.array([[3.0, 0.0, 4.0], [0.0, 0.0, 0.0]])
        >>> signal_share(w, jnp.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])).round(3).tolist()
        [0.36000001430511475, 0.0]
    """
    largest = jnp.abs(w).max(axis=1, keepdims=True)
    scaled = w / jnp.where(largest == 0, 1.0, largest)
    Q, _ = jnp.linalg.qr(directions.T)
    square = jnp.sum(scaled**2, axis=1)
    return jnp.sum((scaled @ Q) ** 2, axis=1) / jnp.where(square == 0, 1.0, square)


@record(numbers=("directions",))
class SignalShare:
    """Records for each neuron the share of its squared norm in the relevant directions."""

    directions: Float[Array, "k inputs"] | None = None
    """Rows that span the signal; None: the relevant directions of the experiment's law."""
    any_basis = True

    def bind(self, setting: Setting) -> "SignalShare":
        """Return a copy with the relevant directions of the law, if none are given."""
        law = setting.law
        expected = "a law with relevant_directions"
        require(isinstance(law, Directed), "SignalShare", expected, type(law).__name__)
        assert isinstance(law, Directed)
        return filled(self, directions=law.relevant_directions)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        meaning = "share of ||w||^2 in the directions that the label depends on"
        return {"signal_share": Quantity(dims=("neuron",), meaning=meaning)}

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        directions = bound(self.directions, "SignalShare", "directions")
        return {"signal_share": signal_share(params.w, directions)}

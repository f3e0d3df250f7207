r"""Update rules: they turn gradients into moves, and have a memory that each step updates.

A rule turns a gradient g_t into a move v_t, and the step is params <- params - v_t. All
formulas are elementwise and act on any pytree. The rule has the step size eta; `scale` is the
factor by which a schedule multiplies it at step t.
"""

from typing import Protocol, TypeAlias, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Int, PyTree

from featlearn._check import require_rate
from featlearn._record import record

Tree: TypeAlias = PyTree
Scale = float | Float[Array, ""]
Time = int | Int[Array, ""]


@runtime_checkable
class Rule(Protocol):
    """An update rule: it turns gradients into moves of the parameters."""

    def start(self, params: Tree) -> Tree:
        """Return the memory before the first step."""
        ...

    def move(
        self, gradient: Tree, memory: Tree, *, params: Tree, scale: Scale, t: Time
    ) -> tuple[Tree, Tree]:
        """Return the move of step t (counted from 0) and the new memory."""
        ...


@record(numbers=("eta",))
class Plain:
    """Plain gradient descent: v = eta g."""

    eta: float
    """Step size."""

    def __post_init__(self) -> None:
        require_rate(self.eta, "Plain(eta)")

    def start(self, params: Tree) -> Tree:
        """Return an empty memory: plain descent needs none."""
        return ()

    def move(
        self, gradient: Tree, memory: Tree, *, params: Tree, scale: Scale, t: Time
    ) -> tuple[Tree, Tree]:
        """Return the gradient times eta as the move."""
        eta = self.eta * scale
        return jax.tree.map(lambda g: eta * g, gradient), memory


@record(numbers=("eta", "beta"))
class Momentum:
    """Heavy-ball momentum: m <- beta m + g,  v = eta m."""

    eta: float
    """Step size."""
    beta: float = 0.9
    """The share of the momentum that is kept in a step."""

    def __post_init__(self) -> None:
        require_rate(self.eta, "Momentum(eta)")

    def start(self, params: Tree) -> Tree:
        """Return the memory before the first step: a momentum of zero."""
        return jax.tree.map(jnp.zeros_like, params)

    def move(
        self, gradient: Tree, memory: Tree, *, params: Tree, scale: Scale, t: Time
    ) -> tuple[Tree, Tree]:
        """Return the move by heavy-ball momentum, and the new momentum."""
        eta = self.eta * scale
        memory = jax.tree.map(lambda m, g: self.beta * m + g, memory, gradient)
        return jax.tree.map(lambda m: eta * m, memory), memory


@record(numbers=("eta", "beta1", "beta2", "epsilon"))
class Adam:
    """Adam by Kingma & Ba (2015), algorithm 1, with the bias corrections 1 - beta^(t+1)."""

    eta: float
    """Step size."""
    beta1: float = 0.9
    """Decay of the running mean of gradients."""
    beta2: float = 0.999
    """Decay of the running mean of their squares."""
    epsilon: float = 1e-8
    """Added to the root in the denominator."""

    def __post_init__(self) -> None:
        require_rate(self.eta, "Adam(eta)")

    def start(self, params: Tree) -> Tree:
        """Return the memory before the first step: two moments of zero."""
        zero = jax.tree.map(jnp.zeros_like, params)
        return zero, zero

    def move(
        self, gradient: Tree, memory: Tree, *, params: Tree, scale: Scale, t: Time
    ) -> tuple[Tree, Tree]:
        """Return the move eta m^ / (sqrt(v^) + epsilon), and the new moments."""
        eta, b1, b2 = self.eta * scale, self.beta1, self.beta2
        m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, memory[0], gradient)
        v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g**2, memory[1], gradient)
        c1, c2 = 1 - b1 ** (t + 1.0), 1 - b2 ** (t + 1.0)

        def step(m: Array, v: Array) -> Array:
            return eta * (m / c1) / (jnp.sqrt(v / c2) + self.epsilon)

        return jax.tree.map(step, m, v), (m, v)


@record(numbers=("eta", "rho", "epsilon"))
class Adadelta:
    """Adadelta by Zeiler (2012), algorithm 1, times eta (which is 1 in the paper)."""

    eta: float
    """Step size."""
    rho: float = 0.95
    """Decay of both running means of squares."""
    epsilon: float = 1e-6
    """Added to both means under the root."""

    def __post_init__(self) -> None:
        require_rate(self.eta, "Adadelta(eta)")

    def start(self, params: Tree) -> Tree:
        """Return the memory before the first step: zero mean squares of gradients and moves."""
        zero = jax.tree.map(jnp.zeros_like, params)
        return zero, zero

    def move(
        self, gradient: Tree, memory: Tree, *, params: Tree, scale: Scale, t: Time
    ) -> tuple[Tree, Tree]:
        """Return the move, and the new mean squares.

        The move is eta times the gradient, times the RMS of past moves over the RMS of
        gradients.
        """
        eta, rho, epsilon = self.eta * scale, self.rho, self.epsilon
        squares = jax.tree.map(lambda s, g: rho * s + (1 - rho) * g**2, memory[0], gradient)
        moves = jax.tree.map(
            lambda s, u, g: jnp.sqrt(u + epsilon) / jnp.sqrt(s + epsilon) * g,
            squares,
            memory[1],
            gradient,
        )
        past = jax.tree.map(lambda u, v: rho * u + (1 - rho) * v**2, memory[1], moves)
        return jax.tree.map(lambda v: eta * v, moves), (squares, past)

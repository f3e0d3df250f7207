r"""One phase of training: gradient descent on a distribution, a step as its equation.

    params <- keep * params - move(rate * gradient),        keep = 1 - 2 eta lambda

where `move` is eta times the gradient for the plain rule and `keep` acts part by part.
"""

from typing import Any, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Int, Key

from featlearn._check import require, require_one_of
from featlearn._record import record
from featlearn.distributions import Batch, Distribution
from featlearn.training.data import (
    Data,
    Fresh,
    Sample,
    empty_order,
    fixed_points,
    points_at_once,
)
from featlearn.training.gradient import Network, gradient, map_parts
from featlearn.training.losses import Loss
from featlearn.training.rules import Plain, Rule

DRAWN_BYTES = 32 * 2**20
"""A fresh batch is drawn and used in slices, lest inputs or pre-activations exceed this."""
KEPT_BYTES = 4 * 2**20
"""The same for points that are kept: nothing is drawn, so a slice may as well stay in cache."""

Time = int | Int[Array, ""]


@record(numbers=("params", "memory", "order"))
class State:
    """What the next step needs: parameters, memory of the update rule, shuffle of the epoch."""

    params: Any
    memory: Any
    order: Any


@runtime_checkable
class Dynamics(Protocol):
    """What the loop runs: a way to start, a step, and the parameters to look at.

    A frozen record whose numbers are traced; `Descent` is the plain one.
    """

    @property
    def steps(self) -> int:
        """How many steps this phase has."""
        ...

    def fixed(self, *, key: Key[Array, ""]) -> Any:
        """Data drawn once for all steps."""
        ...

    def start(self, params: Any, fixed: Any) -> Any:
        """The state of this phase that begins at these parameters."""
        ...

    def step(self, state: Any, t: Time, fixed: Any, *, key: Key[Array, ""]) -> Any:
        """The state after step t, counted from 0 within the phase."""
        ...

    def params(self, state: Any, fixed: Any) -> Any:
        """The parameters in that state."""
        ...


def keep(eta: float, lam: float) -> float:
    """1 - 2 eta lambda, and exactly 0 where 2 eta lambda is 1 up to rounding.

    A difference in float32 would leave 1e-7 of the old weights, which swamps small first steps.

    Example:
        >>> keep(0.1, 1 / (2 * 0.1)), keep(0.5, 0.1)
        (0.0, 0.9)
    """
    factor = 1 - 2 * eta * lam
    return 0.0 if abs(factor) < 1e-15 else factor


@record(
    numbers=(
        "distribution",
        "network",
        "steps",
        "eta",
        "keep",
        "smoothing",
        "class_weights",
        "rule",
    )
)
class Descent:
    """Gradient descent for a number of steps: the phases of a schedule are a tuple of these."""

    distribution: Distribution
    network: Network
    loss: Loss
    data: Data
    steps: int
    eta: float
    rule: Rule = Plain()
    keep: dict[str, float] | None = None
    """Per part ("w", "a"), the factor `keep(eta, lambda)`; parts not named are kept whole."""
    smoothing: float | None = None
    class_weights: tuple[float, float] | None = None
    schedule: str = "constant"
    """Or "linear": eta falls linearly to 0 over the phase."""
    mirrored: bool = False
    """The phase is the one step from a mirrored start, where half the work suffices."""

    def __post_init__(self) -> None:
        require(self.steps >= 0, "Descent(steps)", "steps >= 0", self.steps)
        require(self.eta > 0, "Descent(eta)", "a positive step size", self.eta)
        require_one_of(self.schedule, ("constant", "linear"), "Descent(schedule)")
        require(
            self.smoothing is None or self.smoothing > 0,
            "Descent(smoothing)",
            "a positive standard deviation or None",
            self.smoothing,
        )
        require(
            not self.mirrored
            or (self.steps <= 1 and getattr(self.network, "pairing", "none") == "mirrored"),
            "Descent(mirrored)",
            "one step of a network whose start is mirrored",
            type(self.network).__name__,
        )

    def fixed(self, *, key: Key[Array, ""]) -> Batch | None:
        """The sample or the population, for the regimes that have one."""
        return fixed_points(self.data, self.distribution, key=key)

    def start(self, params: Any, fixed: Batch | None) -> State:
        """Fresh memory, of the parts that move; parameters as they are."""
        memory = self.rule.start(self._moving(params))
        return State(params=params, memory=memory, order=empty_order(self.data))

    def params(self, state: State, fixed: Batch | None) -> Any:
        """The parameters."""
        return state.params

    def step(self, state: State, t: Time, fixed: Batch | None, *, key: Key[Array, ""]) -> State:
        """One step of gradient descent."""
        g, order = self._gradient(state, t, fixed, key)
        return self.update(State(params=state.params, memory=state.memory, order=order), g, t)

    def update(self, state: State, slopes: Any, t: Time) -> State:
        """The state after moving down these slopes at step t."""
        g = jax.tree.map(lambda slope: self.network.rate * slope, self._moving(slopes))
        left = self._left(t)
        moves, memory = self.rule.move(g, state.memory, eta=self.eta * left, t=t)
        kept = self.keep or {}

        def update(part: str, value: Array, move: Array | None) -> Array:
            if move is None:
                return value
            if part not in kept:
                return value - move
            factor = kept[part] if self.schedule == "constant" else 1 - (1 - kept[part]) * left
            return factor * value - move

        params = map_parts(update, state.params, moves)
        return State(params=params, memory=memory, order=state.order)

    def _moving(self, tree: Any) -> Any:
        """The same with nothing in place of the parts that stay: rules need not remember those."""
        return map_parts(lambda part, leaf: leaf if part in self.network.trained else None, tree)

    def _left(self, t: Time) -> float | Float[Array, ""]:
        return 1.0 if self.schedule == "constant" else 1 - t / self.steps

    def _gradient(
        self, state: State, t: Time, fixed: Batch | None, key: Key[Array, ""]
    ) -> tuple[Any, Any]:
        def of(batch: Batch) -> Any:
            return gradient(
                self.network,
                self.loss,
                state.params,
                batch,
                smoothing=self.smoothing,
                class_weights=self.class_weights,
                mirrored=self.mirrored,
            )

        if isinstance(self.data, Fresh):
            return self._of_fresh(of, state.params, jax.random.fold_in(key, t)), state.order
        assert fixed is not None
        if isinstance(self.data, Sample) and self.data.batch is not None:
            sample = self.data
            order = jax.lax.cond(
                sample.place(t) == 0,
                lambda: sample.order(t, key=key).astype(state.order.dtype),
                lambda: state.order,
            )
            return of(sample.minibatch(fixed, order, t)), order
        return self._of_all(of, state.params, fixed), state.order

    def _of_fresh(self, of: Any, params: Any, key: Key[Array, ""]) -> Any:
        """The mean gradient over a fresh batch."""
        assert isinstance(self.data, Fresh)
        m = self.data.batch
        size = points_at_once(m, self.distribution.d, params, DRAWN_BYTES)
        if size == m:
            return of(self.distribution.sample(m, key=key))

        def part(i: Time, points: int) -> Any:
            g = of(self.distribution.sample(points, key=jax.random.fold_in(key, i)))
            return jax.tree.map(lambda slope: slope * (points / m), g)

        return _sum_of_slices(part, m, size, params)

    def _of_all(self, of: Any, params: Any, fixed: Batch) -> Any:
        """The mean gradient over points that are kept."""
        n = len(fixed.y)
        size = points_at_once(n, self.distribution.d, params, KEPT_BYTES)
        if size == n:
            return of(fixed)

        def part(i: Time, points: int) -> Any:
            batch = jax.tree.map(
                lambda leaf: jax.lax.dynamic_slice_in_dim(leaf, i * size, points), fixed
            )
            share = points / n if fixed.weight is None else 1.0
            return jax.tree.map(lambda slope: slope * share, of(batch))

        return _sum_of_slices(part, n, size, params)


def _sum_of_slices(part: Any, points: int, size: int, like: Any) -> Any:
    """The sum of part(i, so many points) over slices of `size`, the last one of what is left."""
    whole, rest = divmod(points, size)

    def add(i: Time, total: Any, points: int = size) -> Any:
        return jax.tree.map(jnp.add, total, part(i, points))

    total = jax.lax.fori_loop(0, whole, add, jax.tree.map(jnp.zeros_like, like))
    return add(whole, total, rest) if rest else total

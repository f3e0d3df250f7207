r"""One phase of training: gradient descent on a distribution (the law), with the step

    params <- keep * params - move(rate * gradient),        keep = 1 - 2 eta lambda

where `move` is eta times the gradient for the plain rule, and each part of the parameters has
its own factor `keep`. A phase says how to train; its fields `law` and `network` are None until
the experiment fills them in (`bind`).
"""

import dataclasses
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Int, Key, PyTree

from featlearn._check import require, require_count, require_one_of
from featlearn._record import bound, record, replaced
from featlearn.distributions import Batch, Distribution, Packs
from featlearn.networks import TwoLayer
from featlearn.training.data import (
    Data,
    Fresh,
    Points,
    Sample,
    data_of,
    empty_order,
    fixed_points,
    of_points,
    packed_points,
    points_at_once,
)
from featlearn.training.decay import CoupledDecay, Decay, DecoupledDecay
from featlearn.training.engine import native
from featlearn.training.gradient import Network, gradient, map_parts
from featlearn.training.losses import Loss, OfOutputAndLabel
from featlearn.training.losses import loss as loss_named
from featlearn.training.native.calls import random_words
from featlearn.training.rules import Plain, Rule

DRAWN_BYTES = 32 * 2**20
"""A fresh batch is drawn in slices, so that inputs and pre-activations have at most this many
bytes."""
KEPT_BYTES = 4 * 2**20
"""The same limit for a fixed sample: nothing is drawn, so a slice can stay in the cache."""

Time = int | Int[Array, ""]


@record(numbers=("params", "memory", "order"))
class State:
    """The state between two steps: parameters, memory of the update rule, shuffle of the epoch."""

    params: PyTree
    memory: PyTree
    order: PyTree


@runtime_checkable
class Phase(Protocol):
    """The interface of a phase, as the training loop uses it: a start, steps, and parameters.

    A phase is a frozen record whose numbers are traced by JAX; `Descent` is the ordinary one.
    """

    @property
    def steps(self) -> int:
        """The number of steps of this phase."""
        ...

    def bind(self, law: Distribution, network: Network) -> "Phase":
        """Return the phase with law and network filled in; fields that are set are unchanged."""
        ...

    def fixed(self, *, key: Key[Array, ""]) -> PyTree:
        """Return the data that are drawn once for all steps."""
        ...

    def start(self, params: PyTree, fixed: PyTree) -> PyTree:
        """Return the state of this phase before its first step, given the initial parameters."""
        ...

    def step(self, state: PyTree, t: Time, fixed: PyTree, *, key: Key[Array, ""]) -> PyTree:
        """Return the state after step t, which is counted from 0 within the phase."""
        ...

    def params(self, state: PyTree, fixed: PyTree) -> PyTree:
        """Return the parameters in that state."""
        ...


@record(numbers=("law", "network", "steps", "rule", "decay", "kept", "smoothing", "class_weights"))
class Descent:
    """Gradient descent for a number of steps. A training schedule is a tuple of such phases."""

    loss: Loss
    """The loss l(f, y)."""
    data: Data
    """Where the points of a step come from: `Fresh`, `Sample` or `Population`."""
    steps: int
    """Number of steps."""
    rule: Rule
    """The update rule, which has the step size."""
    decay: Decay | None = None
    """Weight decay, coupled or decoupled; None: there is none."""
    smoothing: float | None = None
    """Standard deviation of noise in the pre-activations, averaged over exactly."""
    class_weights: tuple[float, float] | None = None
    """The weights of the labels -1 and +1 in the loss."""
    schedule: str = "constant"
    """"constant", or "linear": eta falls linearly to 0 over the phase."""
    mirrored: bool = False
    """Whether the phase is a single step from a mirrored start, which needs half the work."""
    trained: tuple[str, ...] | None = None
    """The parts that are trained in this phase; None means those that the network trains."""
    law: Distribution | None = None
    network: Network | None = None
    kept: dict[str, float] | None = None
    """Part -> the factor 1 - 2 eta lambda of its decay; `bind` fills it in."""

    def __post_init__(self) -> None:
        require_count(self.steps, "Descent(steps)", "steps", least=0)
        require_one_of(self.schedule, ("constant", "linear"), "Descent(schedule)")
        require(
            self.smoothing is None or self.smoothing > 0,
            "Descent(smoothing)",
            "a positive standard deviation or None",
            self.smoothing,
        )

        weights = self.class_weights
        require(
            weights is None or (isinstance(weights, tuple) and len(weights) == 2),
            "Descent(class_weights)",
            "a pair of weights, of the labels -1 and +1",
            weights,
        )

    def bind(self, law: Distribution, network: Network) -> "Descent":
        """Return a copy with the law and the network filled in, where they are None."""
        law = law if self.law is None else self.law
        network = network if self.network is None else self.network
        if self.trained is not None:
            network = dataclasses.replace(network, trained=self.trained)  # type: ignore[type-var]
        require(
            not self.mirrored
            or (self.steps <= 1 and getattr(network, "pairing", "none") == "mirrored"),
            "Descent(mirrored)",
            "one step of a network whose start is mirrored",
            type(network).__name__,
        )
        kept = self.kept
        if kept is None and isinstance(self.decay, DecoupledDecay):
            kept = self.decay.factors(self.rule, network.trained)
        return dataclasses.replace(self, law=law, network=network, kept=kept)

    def decays(self, part: str) -> bool:
        """Whether the part of the parameters with this name has weight decay."""
        if self.decay is None or part not in (self.trained or (part,)):
            return False
        return part in self.decay.lam if isinstance(self.decay.lam, dict) else True

    @property
    def eta(self) -> float | None:
        """The step size of the rule, if it has one."""
        eta: float | None = getattr(self.rule, "eta", None)
        return eta

    def with_rule(self, rule: Rule) -> "Descent":
        """Return a copy with another update rule, which has its own step size."""
        return dataclasses.replace(self, rule=rule)

    def replace(self, **changes: Any) -> "Descent":
        """Return a copy with changed fields; `eta`, `batch` and `samples` may change too, and
        `loss` may be a name or a function, as in `SGD`.
        """
        if "loss" in changes:
            changes["loss"] = loss_named(changes["loss"])
        if "eta" in changes:
            require(
                self.eta is not None,
                "Descent.replace(eta)",
                "a rule with a step size of its own",
                type(self.rule).__name__,
                "Use with_rule, which replaces rule and step size together.",
            )
            changes["rule"] = replaced(changes.get("rule", self.rule), {"eta": changes.pop("eta")})
        if "batch" in changes or "samples" in changes:
            now = {name: getattr(self.data, name, None) for name in ("batch", "samples")}
            given = {name: changes.pop(name) for name in now if name in changes}
            changes["data"] = data_of(**{**now, **given})
        return replaced(self, changes)

    def fixed(self, *, key: Key[Array, ""]) -> Points | None:
        """Return the fixed sample (as bits for native kernels) or population; None if fresh."""
        if isinstance(self.data, Sample) and self._packed:
            assert isinstance(self._law, Packs)
            return packed_points(self.data, self._law, key=key)
        return self.points(key=key)

    def points(self, *, key: Key[Array, ""]) -> Batch | None:
        """Return the fixed points as arrays of numbers, even if the engine stores bits."""
        return fixed_points(self.data, self._law, key=key)

    @property
    def _packed(self) -> bool:
        """Whether points are packed into bits for the native kernels.

        This needs inputs that are signs, a two-layer network, and float32.
        """
        single = jax.dtypes.canonicalize_dtype(float) == jnp.float32
        law, two_layers = self._law, isinstance(self._network, TwoLayer)
        return single and two_layers and isinstance(law, Packs) and law.packs and native()

    def _fresh(self, m: int, key: Key[Array, ""]) -> Points:
        if self._packed:
            assert isinstance(self._law, Packs)
            return self._law.packed(m, key=key, words=random_words)
        return self._law.sample(m, key=key)

    @property
    def _law(self) -> Distribution:
        return bound(self.law, "Descent", "a law")

    @property
    def _network(self) -> Network:
        return bound(self.network, "Descent", "a network")

    def start(self, params: PyTree, fixed: Points | None) -> State:
        """Return the state at `params`, with a new memory of the update rule."""
        memory = self.rule.start(self._moving(params))
        return State(params=params, memory=memory, order=empty_order(self.data))

    def params(self, state: State, fixed: Points | None) -> PyTree:
        """The parameters in a state."""
        return state.params

    def step(self, state: State, t: Time, fixed: Points | None, *, key: Key[Array, ""]) -> State:
        """Return the state after one step of gradient descent."""
        g, order = self._gradient(state, t, fixed, key)
        return self.update(State(params=state.params, memory=state.memory, order=order), g, t)

    def update(self, state: State, slopes: PyTree, t: Time) -> State:
        """Return the state after step t, given the gradient `slopes` of the mean loss."""
        rate = self._network.rate
        g = jax.tree.map(lambda slope: rate * slope, self._moving(slopes))
        if isinstance(self.decay, CoupledDecay):
            g = self.decay.added(g, state.params)
        left, kept = self._left(t), self.kept or {}
        moving = self._moving(state.params)
        moves, memory = self.rule.move(g, state.memory, params=moving, scale=left, t=t)

        def update(part: str, value: Array, move: Array | None) -> Array:
            if move is None:
                return value
            if part not in kept:
                return value - move
            factor = kept[part] if self.schedule == "constant" else 1 - (1 - kept[part]) * left
            return factor * value - move

        params = map_parts(update, state.params, moves)
        return State(params=params, memory=memory, order=state.order)

    def _moving(self, tree: PyTree) -> PyTree:
        """Put None in the place of parts that are not trained, so that rules can ignore them."""
        return map_parts(lambda part, leaf: leaf if part in self._network.trained else None, tree)

    def _left(self, t: Time) -> float | Float[Array, ""]:
        return 1.0 if self.schedule == "constant" else 1 - t / self.steps

    def _gradient(
        self, state: State, t: Time, fixed: Points | None, key: Key[Array, ""]
    ) -> tuple[PyTree, PyTree]:
        def of(batch: Points) -> PyTree:
            return gradient(
                self._network,
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

    def fresh_batch(self, params: PyTree, t: Time, *, key: Key[Array, ""]) -> Batch:
        """Return the points of step t as the step itself draws them.

        They are drawn in slices, whose size depends on the shapes of `params`.
        """
        assert isinstance(self.data, Fresh)
        m, key = self.data.batch, jax.random.fold_in(key, t)
        size = points_at_once(m, self._law.d, params, DRAWN_BYTES)
        if size == m:
            return self._law.sample(m, key=key)
        counts = [min(size, m - begin) for begin in range(0, m, size)]
        parts = [
            self._law.sample(points, key=jax.random.fold_in(key, i))
            for i, points in enumerate(counts)
        ]
        return jax.tree.map(lambda *each: jnp.concatenate(each), *parts)

    def _of_fresh(
        self, of: Callable[[Points], PyTree], params: PyTree, key: Key[Array, ""]
    ) -> PyTree:
        """Return the mean gradient over a fresh batch in slices; `of` is that of one slice."""
        assert isinstance(self.data, Fresh)
        m = self.data.batch
        size = points_at_once(m, self._law.d, params, DRAWN_BYTES)
        if size == m:
            return of(self._fresh(m, key))

        def part(i: Time, points: int) -> PyTree:
            g = of(self._fresh(points, jax.random.fold_in(key, i)))
            return jax.tree.map(lambda slope: slope * (points / m), g)

        return _sum_of_slices(part, m, size, params)

    def _of_all(self, of: Callable[[Points], PyTree], params: PyTree, fixed: Points) -> PyTree:
        """Return the mean gradient over the fixed points; `of` is that of one slice."""
        n = len(fixed.y)
        size = points_at_once(n, self._law.d, params, KEPT_BYTES)
        if size == n:
            return of(fixed)

        def part(i: Time, points: int) -> PyTree:
            batch = of_points(
                fixed, lambda leaf: jax.lax.dynamic_slice_in_dim(leaf, i * size, points)
            )
            share = points / n if fixed.weight is None else 1.0
            return jax.tree.map(lambda slope: slope * share, of(batch))

        return _sum_of_slices(part, n, size, params)


def _sum_of_slices(
    part: Callable[[Time, int], PyTree], points: int, size: int, like: PyTree
) -> PyTree:
    """Return the sum of part(i, number of points) over slices i of `size` points.

    The last slice has the points that are left over.
    """
    whole, rest = divmod(points, size)

    def add(i: Time, total: PyTree, points: int = size) -> PyTree:
        return jax.tree.map(jnp.add, total, part(i, points))

    total = jax.lax.fori_loop(0, whole, add, jax.tree.map(jnp.zeros_like, like))
    return add(whole, total, rest) if rest else total


def SGD(
    *,
    eta: float,
    steps: int,
    loss: Loss | str | OfOutputAndLabel,
    batch: int | None = None,
    samples: int | None = None,
    **more: Any,
) -> Descent:
    """Make a phase of plain gradient descent in one line; see `Descent` for all other fields.

    Args:
        eta: step size.
        steps: how many.
        loss: by value, by name, or any JAX function of output and label.
        batch: points per step, fresh ones unless `samples` is given.
        samples: points drawn once; all of them every step, or `batch` of them in shuffled epochs.
            Without `batch` and `samples` the gradient is that of the whole law, all of whose points
            are listed (signs, d at most 20).
        more: other fields, such as decay=fl.DecoupledDecay(lam=0.01) or schedule="linear".

    Example:
        >>> how = SGD(eta=0.2, batch=800, steps=200, loss="logistic")
        >>> how.eta, how.replace(eta=0.1, batch=10).data.batch
        (0.2, 10)
    """
    return Descent(
        loss=loss_named(loss),
        data=data_of(batch=batch, samples=samples),
        steps=steps,
        rule=Plain(eta=eta),
        **more,
    )

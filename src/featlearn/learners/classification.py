r"""Gradient descent on the cross-entropy of K classes, with a penalty on unlabelled points U.

    loss = mean over the batch of -ln f(x)_y  +  R1 + lambda R2 over a batch of U

The penalty R1 + lambda R2 is defined in `featlearn.learners.family`. Batches come in shuffled
epochs; those of U are shuffled separately. Gradients are computed by `jax.grad`, so any network
with a method `logits` can be used.
"""

from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Int, Key, PyTree

from featlearn._check import require_one_of
from featlearn._record import record
from featlearn.training.data import Sample
from featlearn.training.descent import State, Time
from featlearn.training.recording import Quantity
from featlearn.training.rules import Rule

TINY = 1e-37
"""Added under a logarithm: 0 ln 0 is 0."""


@runtime_checkable
class Classifier(Protocol):
    """The interface of a network with one output per class."""

    def init(self, *, key: Key[Array, ""]) -> PyTree:
        """Draw the parameters."""
        ...

    def logits(
        self, params: PyTree, x: Float[Array, "samples inputs"]
    ) -> Float[Array, "samples classes"]:
        """Return the outputs before the softmax, one row per point."""
        ...


def cross_entropy(
    logits: Float[Array, "samples classes"], labels: Int[Array, " samples"]
) -> Float[Array, ""]:
    """Return the mean of -ln f(x)_y over the samples."""
    log_f = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(log_f, labels[:, None], axis=1))


def balance(
    logits: Float[Array, "samples classes"], lam: float | Float[Array, ""]
) -> Float[Array, ""]:
    """Return the penalty R1 + lambda R2 on unlabelled points.

    Example:
        >>> sure = 100 * jnp.eye(2)
        >>> round(float(balance(sure, 1.0)), 3), round(float(balance(0 * sure, 1.0)), 3)
        (-0.693, 0.0)
    """
    log_f = jax.nn.log_softmax(logits)
    f = jnp.exp(log_f)
    mean = f.mean(axis=0)
    r1 = jnp.sum(mean * jnp.log(mean + TINY))
    r2 = -jnp.mean(jnp.sum(f * log_f, axis=1))
    return r1 + lam * r2


@record(numbers=("network", "x", "labels", "unlabelled", "steps", "rule", "lam"))
class Classification:
    """A training phase: descent for a number of steps on fixed labelled points."""

    network: Classifier
    x: Float[Array, "samples inputs"]
    labels: Int[Array, " samples"]
    steps: int
    rule: Rule
    batch: int
    unlabelled: Float[Array, "unlabelled inputs"] | None = None
    lam: float = 1.0
    schedule: str = "linear"
    """The schedule of eta: "linear", falling to 0 over the steps, or "constant"."""

    def __post_init__(self) -> None:
        require_one_of(self.schedule, ("constant", "linear"), "Classification(schedule)")

    def bind(self, law: object, network: object) -> "Classification":
        """Return the phase itself: its points and its network are given already."""
        return self

    def fixed(self, *, key: Key[Array, ""]) -> None:
        """Return None: no points are drawn, because they are given."""

    def start(self, params: PyTree, fixed: None) -> State:
        """Return the state before the first step: the parameters and a new rule memory."""
        orders = tuple(jnp.arange(each.samples) for each in self._samples)
        return State(params=params, memory=self.rule.start(params), order=orders)

    def params(self, state: State, fixed: None) -> PyTree:
        """Return the parameters in a state."""
        return state.params

    def step(self, state: State, t: Time, fixed: None, *, key: Key[Array, ""]) -> State:
        """Return the state after step `t`."""
        orders = tuple(
            self._order(sample, order, t, jax.random.fold_in(key, place))
            for place, (sample, order) in enumerate(zip(self._samples, state.order, strict=True))
        )
        chosen = [_place(*each, t) for each in zip(self._samples, orders, strict=True)]

        def objective(params: PyTree) -> Float[Array, ""]:
            seen = self.network.logits(params, self.x[chosen[0]])
            value = cross_entropy(seen, self.labels[chosen[0]])
            if self.unlabelled is None:
                return value
            return value + balance(
                self.network.logits(params, self.unlabelled[chosen[1]]), self.lam
            )

        slopes = jax.grad(objective)(state.params)
        left = 1.0 if self.schedule == "constant" else 1 - t / self.steps
        moves, memory = self.rule.move(slopes, state.memory, params=state.params, scale=left, t=t)
        params = jax.tree.map(lambda value, move: value - move, state.params, moves)
        return State(params=params, memory=memory, order=orders)

    @property
    def _samples(self) -> tuple[Sample, ...]:
        sets = (self.x,) if self.unlabelled is None else (self.x, self.unlabelled)
        return tuple(Sample(samples=len(x), batch=min(self.batch, len(x))) for x in sets)

    def _order(self, sample: Sample, order: Array, t: Time, key: Key[Array, ""]) -> Array:
        return jax.lax.cond(
            sample.place(t) == 0,
            lambda: sample.order(t, key=key).astype(order.dtype),
            lambda: order,
        )


def _place(sample: Sample, order: Array, t: Time) -> Int[Array, " batch"]:
    size = sample.batch or sample.samples
    return jax.lax.dynamic_slice_in_dim(order, sample.place(t) * size, size)


@record(numbers=("network", "x", "labels"))
class OnLabelled:
    """Measures cross-entropy and accuracy on given labelled points."""

    name: str
    network: Classifier
    x: Float[Array, "samples inputs"]
    labels: Int[Array, " samples"]

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        return {
            f"{self.name}_loss": Quantity(dims=(), meaning="mean of -ln f(x)_y"),
            f"{self.name}_accuracy": Quantity(dims=(), meaning="share of the likeliest = y"),
        }

    def measure(self, params: PyTree, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return cross-entropy and accuracy, computed on all points at once."""
        logits = self.network.logits(params, self.x)
        right = logits.argmax(axis=1) == self.labels
        return {
            f"{self.name}_loss": cross_entropy(logits, self.labels),
            f"{self.name}_accuracy": right.mean(),
        }

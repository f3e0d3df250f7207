"""An experiment is an immutable value that combines a law, a network, training and measurements.

    Experiment(law, network, training, record=[HeldOut(samples=1000)])

The experiment fills the blanks of its parts: it gives phases the law and the network, and
measurements the law, the network and the loss. Two experiments with equal parts are equal.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import jax
import numpy as np
import xarray as xr
from jax import Array
from jaxtyping import Key, PyTree

from featlearn._check import InputError, is_whole, require
from featlearn._describe import describe
from featlearn._record import replaced
from featlearn._source import source_digest, sources
from featlearn._streams import stream
from featlearn.distributions import Batch, Distribution
from featlearn.measurements import Last, Reduction
from featlearn.results.key import ResultKey
from featlearn.training import Fresh, Phase, Plan, Quantity, Recording, Sample, Setting, Trainable
from featlearn.training.data import Data
from featlearn.training.gradient import DrawsParameters, Network
from featlearn.training.losses import Loss
from featlearn.training.recording import Measures, steps_of

if TYPE_CHECKING:
    import typing_extensions

RECORDS = 50
"""About how many steps are recorded by default."""
KEYED = ("law", "network", "training", "record", "at", "start", "axis")
"""The parts that enter the key of a result; summaries and labels do not."""


if TYPE_CHECKING:  # unsaid they are any; at run time `_require_parts` refuses others in a sentence
    Law = typing_extensions.TypeVar("Law", bound=Distribution, default=Any)
    Net = typing_extensions.TypeVar("Net", bound=Network, default=Any)
else:
    Law, Net = TypeVar("Law"), TypeVar("Net")
"""The classes of law and network, whose other attributes are their truth."""


@dataclass(frozen=True, eq=False)
class Experiment(Generic[Law, Net]):
    """A law, a network, the training phases, and what is recorded during training."""

    law: Law
    """The law of the data: what is x, and what is y."""
    network: Net
    """The network, or any model with `init` and `forward`."""
    training: Any
    """One phase, or a schedule of several."""
    record: Sequence[Measures] = field(default=(), kw_only=True)
    """Measurements; the experiment fills their blanks."""
    at: int | Sequence[int] = field(default=RECORDS, kw_only=True)
    """About how many log-spaced steps to record, or the list of steps."""
    start: DrawsParameters | None = field(default=None, kw_only=True)
    """An object whose `init(key=…)` draws the initial parameters; None means the network itself."""
    summary: Sequence[Reduction] = field(default=(), kw_only=True)
    """Reductions to one number per seed; if empty, the last value of every scalar quantity is
    taken."""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict, kw_only=True)
    """Axis -> names of its positions; those that the law gives need not be repeated."""
    axis: str = field(default="input", kw_only=True)
    """The name of the axis of a neuron's weights: "input", or "coordinate" after some
    accelerations."""

    def __post_init__(self) -> None:
        for name in ("record", "summary"):
            given = getattr(self, name)
            listed = isinstance(given, Sequence) and not isinstance(given, str)
            require(listed, f"Experiment({name})", "a list", repr(given)[:200], "Write […].")
            object.__setattr__(self, name, tuple(given))
        if not isinstance(self.training, tuple):
            training = tuple(self.training) if isinstance(self.training, list) else (self.training,)
            object.__setattr__(self, "training", training)
        if not is_whole(self.at):
            steps = tuple(self.at) if isinstance(self.at, Iterable) else (self.at,)
            expected = "a number of records, or a list of steps"
            require(all(map(is_whole, steps)), "Experiment(at)", expected, repr(self.at)[:200])
            object.__setattr__(self, "at", steps)
        _require_parts(self)

    def __eq__(self, other: object) -> bool:
        """Return whether the descriptions of all parts are equal: arrays are compared by content,
        functions by code.
        """
        if self is other or not isinstance(other, Experiment):
            return self is other
        names = [each.name for each in fields(self)]
        return all(describe(getattr(self, n)) == describe(getattr(other, n)) for n in names)

    def __hash__(self) -> int:
        return hash(self.key.name)

    def replace(self, **changes: object) -> "Experiment[Law, Net]":
        """Return a copy of the experiment with some parts changed."""
        return replaced(self, changes)

    @functools.cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The training phases, with the law and the network of this experiment filled in."""
        return tuple(phase.bind(self.law, self.network) for phase in self.training)

    @functools.cached_property
    def recording(self) -> Recording:
        """The measurements, with law, network and loss filled in, and the steps to record."""
        total = sum(phase.steps for phase in self.phases)
        bound = tuple(self.setting.bind(each) for each in self.record)
        return Recording(measurements=bound, steps=steps_of(self.at, total))

    @property
    def setting(self) -> Setting:
        """The law, network and loss that are filled into measurements that do not name their
        own.
        """
        found = [_loss_of(phase) for phase in self.training]
        sizes = [_data_of(phase) for phase in self.training]
        samples = [each.samples for each in sizes if isinstance(each, Sample)]
        return Setting(
            law=getattr(self.law, "unseen", self.law),
            sample_law=self.law,
            network=self.network,
            losses=tuple(dict.fromkeys(each for each in found if each is not None)),
            samples=samples[0] if samples else None,
            axis=self.axis,
        )

    @property
    def key(self) -> ResultKey:
        """The key under which the results are stored: it digests law, network, training, record and
        the code behind them.
        """
        parts = {name: getattr(self, name) for name in KEYED}
        modules = sources(*parts.values())

        def program() -> str:
            from featlearn.experiments.program import program_digest

            try:
                return program_digest(self, key.source)
            except Exception:  # impossible sizes: the run itself reports them better
                return key.source

        key = ResultKey(description=describe(parts), modules=modules, find_program=program)
        return key

    @property
    def plan(self) -> Plan:
        """The plan that the training loop executes."""
        start = self.network if self.start is None else self.start
        source = source_digest(start)
        return Plan(
            init=lambda key: _initial(start, key, source),
            phases=self.phases,
            recording=self.recording,
        )

    @property
    def quantities(self) -> dict[str, Quantity]:
        """Map the name of every recorded quantity to its axes and its meaning."""
        return self.recording.quantities

    @property
    def named_places(self) -> dict[str, tuple[str, ...]]:
        """Map the name of an axis to the names of the positions along it, where the law or the user
        gives them.
        """
        return {**getattr(self.law, "labels", {}), **self.labels}

    @property
    def reductions(self) -> tuple[Reduction, ...]:
        """The reductions that make the summary; by default they take the last value of every scalar
        quantity.
        """
        if self.summary:
            return tuple(self.summary)
        return tuple(Last(quantity=name) for name, q in self.quantities.items() if not q.dims)

    def sample(self, seed: int, points: int | None = None) -> Batch:
        """Return the points that a seed is trained on in its first phase, in their order of use.

        Args:
            seed: the seed of the run.
            points: how many of the first points; None means all, with fresh batches those of all
                steps.
        """
        phase = self.phases[0]
        key = stream(seed, "sample")
        data, law = _data_of(phase), self.law
        if isinstance(data, Sample):
            drawn = law.sample(data.samples, key=key)
            return Batch(x=drawn.x[:points], y=drawn.y[:points])
        require(
            isinstance(data, Fresh) and hasattr(phase, "fresh_batch"),
            "sample",
            "training on a sample or on fresh points in their own coordinates",
            type(phase).__name__,
        )
        assert isinstance(data, Fresh)
        steps = phase.steps if points is None else min(phase.steps, -(-points // data.batch))
        params = jax.eval_shape(self.plan.init, stream(seed, "init"))
        batches = [
            phase.fresh_batch(params, t, key=stream(seed, "data-0"))  # type: ignore[attr-defined]
            for t in range(steps)
        ]
        joined = jax.tree.map(lambda *parts: jax.numpy.concatenate(parts), *batches)
        return Batch(x=joined.x[:points], y=joined.y[:points])


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """An experiment that is trained by another library than JAX, such as torch, which supplies the
    training plan.
    """

    plan: Trainable
    quantities: dict[str, Quantity]
    reductions: tuple[Reduction, ...]
    key: ResultKey
    """The key of its results."""
    named_places: dict[str, tuple[str, ...]] = field(default_factory=dict)


@functools.partial(jax.jit, static_argnums=2)
def _initial(start: DrawsParameters, key: Key[Array, ""], source: str) -> PyTree:
    """Draw the initial parameters; networks of equal shape share one compiled program."""
    return start.init(key=key)


def summarised(reductions: Iterable[Reduction], dataset: xr.Dataset) -> dict[str, np.ndarray]:
    """Apply each reduction to a dataset; return one number per seed for each, which is NaN where
    the seed diverged.
    """
    diverged = dataset["diverged_at"].notnull().values
    if diverged.all():  # then even the steps that a reduction asks for may be missing
        return {each.name: diverged * float("nan") for each in reductions}
    found: dict[str, np.ndarray] = {}
    for each in reductions:
        values = each.reduce(dataset).astype(float)
        values[diverged] = float("nan")
        found[each.name] = values
    return found


def _loss_of(phase: Phase) -> Loss | None:
    return getattr(getattr(phase, "descent", phase), "loss", None)


def _data_of(phase: Phase) -> Data | None:
    return getattr(getattr(phase, "descent", phase), "data", None)


def _require_parts(experiment: Experiment) -> None:
    """Raise `InputError` for a part without the methods it needs, and for a measurement that does
    not suit the coordinates of the experiment.
    """
    kinds: tuple[tuple[str, str, Iterable[object], tuple[str, ...]], ...] = (
        ("law", "something with d and sample(m, key=…)", (experiment.law,), ("d", "sample")),
        ("network", "a network with init and forward", (experiment.network,), ("init", "forward")),
        ("training", "a phase such as fl.SGD(…)", experiment.training, ("bind", "steps", "step")),
        ("record", "measurements such as fl.HeldOut()", experiment.record, ("measure",)),
        ("summary", "reductions such as fl.Last(…)", experiment.summary, ("reduce", "name")),
    )
    for where, expected, parts, wanted in kinds:
        for part in parts:
            fits = not isinstance(part, type) and all(hasattr(part, name) for name in wanted)
            got = part.__name__ if isinstance(part, type) else type(part).__name__
            hint = f"Write {got}()." if isinstance(part, type) else ""
            require(fits, f"Experiment({where})", expected, got, hint)
    require(len(experiment.training) > 0, "Experiment(training)", "at least one phase", "none")
    sizes = getattr(experiment.law, "d", None), getattr(experiment.network, "d", None)
    require(
        None in sizes or sizes[0] == sizes[1],
        "Experiment(network)",
        f"a network of the law's d = {sizes[0]} inputs",
        f"d = {sizes[1]}",
    )
    if experiment.axis != "input":
        require_any_basis(experiment.record, "Experiment(record)")


def require_any_basis(record: Iterable[object], where: str) -> None:
    """Raise `InputError` for a measurement that works only in the coordinates of the input."""
    for each in record:
        if not getattr(each, "any_basis", False):
            raise InputError(
                where,
                "measurements that do not ask for the coordinates of the input",
                type(each).__name__,
                "Set any_basis = True in it if it sees weights only through law, network and "
                "products; or do not accelerate (simulation='plain').",
            )

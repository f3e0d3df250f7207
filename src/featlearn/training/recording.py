"""What is recorded of a trajectory, and at which steps; the weights only if asked for."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, cast, runtime_checkable

import jax
import numpy as np
from jax import Array
from jaxtyping import Key, PyTree

from featlearn._check import require
from featlearn._record import bound, filled, record
from featlearn.distributions import Distribution
from featlearn.networks import Params
from featlearn.training.gradient import DrawsParameters, Network, part_name
from featlearn.training.losses import Loss

MOST_RECORDS = 10**6
"""Recorded steps of a run."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """The description of a recorded array: the names of its axes, and its meaning in words."""

    dims: tuple[str, ...]
    """The names of its axes, beside seed and step."""
    meaning: str
    """What it is in words, as figures and reports explain it."""
    finite: bool = False
    """Whether a trajectory counts as diverged from the step on at which it is not finite."""


@runtime_checkable
class Measures(Protocol):
    """A measurement as it is given to an experiment: its law or network may still be None."""

    def measure(self, params: PyTree, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays by name; `key` is the same at every step of a seed."""
        ...


@runtime_checkable
class Measurement(Measures, Protocol):
    """A measurement maps parameters to named arrays; it is a frozen record with traced numbers.

    Fields `law`, `network`, `loss` and `samples` that are None are filled in by the
    experiment; a measurement that needs more of the experiment has a method `bind(setting)` that
    returns a complete copy. If ``stream = "sample"``, its key is the one with which the training
    sample was drawn. With ``any_basis = True`` it can also be used in an experiment in other
    coordinates: then it uses the weights only through the law, the network and inner products of
    neurons.
    """

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The axes and the meaning of each array that `measure` returns, by name."""
        ...


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The values of an experiment that fill in the open fields of its measurements."""

    law: Distribution
    """The law of a point that training does not see."""
    sample_law: Distribution
    """What a fixed sample is drawn from; the same but for samples in other coordinates."""
    network: Network
    losses: tuple[Loss, ...]
    """The losses of the phases, each once."""
    samples: int | None
    """The number of points that are drawn once; None for fresh points."""
    axis: str = "input"
    """The name of the axis of a neuron's weights."""

    def bind(self, measurement: Measures) -> Measurement:
        """Return the measurement with its open fields filled in."""
        if hasattr(measurement, "bind"):
            finished: Measurement = measurement.bind(self)
            return finished
        require(
            len(self.losses) == 1 or getattr(measurement, "loss", self.losses) is not None,
            f"{type(measurement).__name__}(loss)",
            "a loss, for the phases have several",
            ", ".join(each.name for each in self.losses) or "none",
            "Give loss=… to the measurement.",
        )
        of_sample = getattr(measurement, "stream", "test") == "sample"
        named = type(measurement).__name__
        require(
            not of_sample or self.samples is not None,
            named,
            "training on a fixed sample",
            "fresh points at every step",
            "Leave the measurement out, or give samples=… to the training.",
        )
        found = filled(
            measurement,
            law=self.sample_law if of_sample else self.law,
            network=self.network,
            loss=self.losses[0] if self.losses else None,
            samples=self.samples,
        )
        return cast(Measurement, found)


@dataclass(frozen=True, kw_only=True)
class Recording:
    """The measurements to take and the steps to take them at."""

    measurements: tuple[Measurement, ...]
    steps: tuple[int, ...]
    """Increasing; counted over all phases, 0 being the start."""

    def __post_init__(self) -> None:
        increasing = all(a < b for a, b in zip(self.steps, self.steps[1:], strict=False))
        require(
            len(self.steps) > 0 and increasing and self.steps[0] >= 0,
            "Recording(steps)",
            "at least one step, increasing from 0 or more",
            self.steps,
        )
        names = [name for each in self.measurements for name in getattr(each, "quantities", ())]
        twice = ", ".join(name for name, times in Counter(names).items() if times > 1)
        hint = "Only one could be kept: leave a measurement out."
        require(not twice, "Experiment(record)", "every quantity once", f"{twice} twice", hint)

    def of_stream(self, name: str) -> tuple[Measurement, ...]:
        """Return the measurements whose key belongs to the stream "test" or "sample"."""
        return tuple(m for m in self.measurements if getattr(m, "stream", "test") == name)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The axes and the meaning of everything that is recorded, by name."""
        return {name: q for each in self.measurements for name, q in each.quantities.items()}


@record()
class Weights:
    """Records the parameters themselves, as ``weights_w``, ``weights_a``, …"""

    network: DrawsParameters | None = None
    axis: str = "input"
    """The name of the axis of a neuron's weights: "input", or "coordinate" in another basis."""
    any_basis = True

    def bind(self, setting: Setting) -> "Weights":
        """Return a copy with the setting's network and name of the weights' axis."""
        return Weights(network=self.network or setting.network, axis=setting.axis)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """What is recorded: one array for each part of the parameters."""
        network = bound(self.network, "Weights", "a network")
        start = jax.eval_shape(lambda key: network.init(key=key), jax.random.key(0))
        return {
            f"weights_{part_name(path)}": Quantity(
                dims=self._dims(start, part_name(path), len(leaf.shape)), meaning="weights"
            )
            for path, leaf in jax.tree.leaves_with_path(start)
        }

    def measure(self, params: PyTree, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the parameters, unchanged."""
        leaves = jax.tree_util.tree_leaves_with_path(params)
        return {f"weights_{part_name(path)}": leaf for path, leaf in leaves}

    def _dims(self, params: PyTree, part: str, sides: int) -> tuple[str, ...]:
        if isinstance(params, Params):
            return ("neuron", self.axis)[:sides]
        return tuple(f"weights_{part}_{axis}" for axis in range(sides))


def log_spaced(total: int, count: int) -> tuple[int, ...]:
    """Return about `count` whole steps from 0 to `total`, evenly spaced in log(1 + t).

    Example:
        >>> log_spaced(100, 8)
        (0, 1, 3, 6, 13, 26, 51, 100)
    """
    require(total >= 0, "log_spaced(total)", "total >= 0", total)
    require(count >= 2, "log_spaced(count)", "at least 2 records", count)
    if count > MOST_RECORDS:
        got = f"{count}, for {total} steps"
        require(total < MOST_RECORDS, "records", f"at most {MOST_RECORDS} steps of a run", got)
        return tuple(range(total + 1))  # so many more than steps that each of them is recorded
    points = np.expm1(np.linspace(0, np.log1p(total), count))
    return tuple(sorted({int(t) for t in np.rint(points)}))


def steps_of(at: int | Iterable[int], total: int) -> tuple[int, ...]:
    """Return the steps in `at`, sorted; for a number, about so many, even in log(1 + t)."""
    return log_spaced(total, at) if isinstance(at, int) else tuple(sorted(set(at)))

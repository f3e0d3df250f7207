"""A job: one configuration with its seeds, to be computed in any process.

The same job can run in this process, in another one, or on a cluster; only its value is sent back,
and the caller writes the store. `ExperimentJob` trains; `theory.job` has the job of a statement.
"""

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, runtime_checkable

import numpy as np

from featlearn._choices import EntryKind
from featlearn._config import Dataclass
from featlearn.experiments.named import Config
from featlearn.experiments.scheduler import Task
from featlearn.experiments.trajectory import trajectory_task
from featlearn.results.dataset import Trajectory, to_dataset
from featlearn.results.key import ResultKey
from featlearn.results.seeds import Numbers, finished, read_seeds, write_seeds
from featlearn.results.store import BUDGET, Entry
from featlearn.training import Trainable

if TYPE_CHECKING:
    import xarray as xr

DIVERGED = "diverged_at"
"""The name in a summary of the step at which a seed diverged."""


class FittedNumbers(TypedDict):
    """A constant that was fitted, and the two ends of its interval."""

    value: float | None
    ci: list[float | None] | None


class JobSummary(TypedDict, total=False):
    """What a sweep's row says of its job: of a run its summary, of a statement its verdict."""

    summary: Numbers
    """One number a seed for every quantity."""
    diverged: list[float | None]
    """For every seed the step at which it diverged, if it did."""
    verdict: str | None
    reason: str
    measured: float | None
    stderr: float | None
    predicted: float | None
    constants: dict[str, "FittedNumbers"]


@runtime_checkable
class Job(Protocol):
    """The interface that sweeps require of a job."""

    @property
    def identity(self) -> str:
        """The id of the experiment or statement."""
        ...

    @property
    def config(self) -> Dataclass:
        """The configuration."""
        ...

    @property
    def kind(self) -> EntryKind:
        """The kind of its entry in the store: "run" or "evidence"."""
        ...

    def key(self) -> ResultKey:
        """The key of its value in the store."""
        ...

    def code(self) -> object:
        """The object whose code decides the value: an experiment, or a statement's function."""
        ...

    def remaining(self, entry: Entry, *, fresh: bool) -> "Job | None":
        """The part of the job that the store does not have; None if it has all."""
        ...

    def tasks(self, entry: Entry | None) -> Sequence[Task]:
        """The tasks to compute; with an entry they save checkpoints there if they can."""
        ...

    def assemble(self, values: Sequence[Any]) -> Any:
        """Combine the values of the tasks into the value of the job."""
        ...

    def write(self, entry: Entry, value: Any) -> JobSummary:
        """Write the value into the store, and return its columns as `row_from_value` does."""
        ...

    def row_from_entry(self, entry: Entry) -> JobSummary:
        """The columns of this job in the table of a sweep, read from the store."""
        ...

    def row_from_value(self, value: Any) -> JobSummary:
        """The columns of this job in the table of a sweep, from its computed value."""
        ...


@dataclass(frozen=True, kw_only=True)
class ExperimentJob:
    """Train one configuration over some seeds."""

    identity: str
    config: Config
    seeds: tuple[int, ...]
    kind: EntryKind = "run"

    def key(self) -> ResultKey:
        """The key of the experiment."""
        return self.config.experiment().key

    def code(self) -> object:
        """The experiment."""
        return self.config.experiment()

    def remaining(self, entry: Entry, *, fresh: bool) -> "ExperimentJob | None":
        """The seeds that the store does not have; with `fresh` all, and old checkpoints are
        removed.

        All seeds of a result come from one engine; seeds of another engine are used only if they
        are complete.
        """
        if fresh:
            entry.clear_partial(map(_checkpoint, self.seeds))
            return self
        have = finished(entry)
        if not all(seed in have for seed in self.seeds):
            have = finished(entry, same_engine=True)
        missing = tuple(seed for seed in self.seeds if seed not in have)
        if missing:
            entry.require_writable()
        return replace(self, seeds=missing) if missing else None

    def tasks(self, entry: Entry | None) -> list[Task]:
        """One task per seed; seeds that run on the same thread share one plan on its device."""
        plans: dict[int, Trainable] = {}

        def build() -> Trainable:
            thread = threading.get_ident()
            if thread not in plans:
                plans[thread] = self.config.experiment().plan
            return plans[thread]

        folders = [entry.partial(_checkpoint(seed)) if entry else None for seed in self.seeds]
        budget = BUDGET // len(self.seeds) if entry else None
        return [
            trajectory_task(build, seed, folder, budget, alone=len(self.seeds) == 1)
            for seed, folder in zip(self.seeds, folders, strict=True)
        ]

    def assemble(self, values: Sequence[Trajectory]) -> "xr.Dataset":
        """The labelled arrays of all seeds."""
        experiment = self.config.experiment()
        trajectories = dict(zip(self.seeds, values, strict=True))
        return to_dataset(trajectories, experiment.quantities, experiment.named_places)

    def summarise(self, dataset: "xr.Dataset") -> Numbers:
        """One number per seed for every quantity of the summary, and the step of divergence."""
        from featlearn.experiments.experiment import summarised

        numbers: dict[str, np.ndarray] = summarised(self.config.experiment().reductions, dataset)
        numbers[DIVERGED] = dataset[DIVERGED].values
        return {
            name: [float(value) if math.isfinite(value) else None for value in values]
            for name, values in numbers.items()
        }

    def write(self, entry: Entry, value: "xr.Dataset") -> JobSummary:
        """Store arrays and summary, replacing older ones, and remove the checkpoints."""
        numbers = self.summarise(value)
        write_seeds(entry, value, numbers)
        entry.clear_partial(map(_checkpoint, self.seeds))
        return _row(numbers)

    def row_from_entry(self, entry: Entry) -> JobSummary:
        """The summary, reduced again from the stored arrays: it is not part of their key."""
        reductions = self.config.experiment().reductions
        needed = [getattr(each, "needs", None) for each in reductions]
        known = [name for names in needed if names is not None for name in names]
        only = None if None in needed else dict.fromkeys(known)
        return _row(self.summarise(read_seeds(entry, self.seeds, only)))

    def row_from_value(self, value: "xr.Dataset") -> JobSummary:
        """The summary of the computed arrays."""
        return _row(self.summarise(value))


def _checkpoint(seed: int) -> str:
    return f"seed-{seed}"


def _row(numbers: Numbers) -> JobSummary:
    summary = {name: values for name, values in numbers.items() if name != DIVERGED}
    return {"summary": summary, "diverged": numbers.get(DIVERGED, [])}

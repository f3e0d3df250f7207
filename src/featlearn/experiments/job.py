"""A job: one configuration with its seeds, which any process can compute.

The same job can be computed in this process, in another one, or on a cluster. A worker sends back
only the value, and the caller writes it into the store. An `ExperimentJob` trains an experiment;
`theory.job` has the job that evaluates a statement.
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
    """A fitted constant and the two ends of its confidence interval."""

    value: float | None
    ci: list[float | None] | None


class JobSummary(TypedDict, total=False):
    """The columns of a job in the table of a sweep: the summary of a run, or the verdict on a
    statement.
    """

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
    """A configuration to compute; sweeps use only the attributes and methods listed in this
    interface.
    """

    @property
    def identity(self) -> str:
        """The id of the experiment or statement."""
        ...

    @property
    def config(self) -> Dataclass:
        """The configuration of the experiment or statement."""
        ...

    @property
    def kind(self) -> EntryKind:
        """The kind of the job's entry in the store: "run" or "evidence"."""
        ...

    def key(self) -> ResultKey:
        """Return the key under which the store keeps the job's value."""
        ...

    def code(self) -> object:
        """Return the object whose code decides the value: an experiment, or the function of a
        statement.
        """
        ...

    def remaining(self, entry: Entry, *, fresh: bool) -> "Job | None":
        """Return the part of the job that is not yet in the store; None if nothing remains."""
        ...

    def tasks(self, entry: Entry | None) -> Sequence[Task]:
        """Return the tasks that compute the job; given an entry, tasks that can save checkpoints
        save them there.
        """
        ...

    def assemble(self, values: Sequence[Any]) -> Any:
        """Combine the values of the tasks into the value of the job."""
        ...

    def write(self, entry: Entry, value: Any) -> JobSummary:
        """Write the value into the store, and return the same columns as `row_from_value`."""
        ...

    def row_from_entry(self, entry: Entry) -> JobSummary:
        """Return the columns of this job in the table of a sweep, read from the store."""
        ...

    def row_from_value(self, value: Any) -> JobSummary:
        """Return the columns of this job in the table of a sweep, taken from its computed value."""
        ...


@dataclass(frozen=True, kw_only=True)
class ExperimentJob:
    """Train one configuration over some seeds."""

    identity: str
    config: Config
    seeds: tuple[int, ...]
    kind: EntryKind = "run"

    def key(self) -> ResultKey:
        """Return the key under which the store keeps the experiment's results."""
        return self.config.experiment().key

    def code(self) -> object:
        """Return the experiment, whose code decides the value."""
        return self.config.experiment()

    def remaining(self, entry: Entry, *, fresh: bool) -> "ExperimentJob | None":
        """Return the job with only the seeds that are not yet in the store; None if none is
        missing.

        With `fresh`, all seeds remain and old checkpoints are removed. All seeds of a result must
        come from one engine: stored seeds from another engine are used only if no requested seed
        is missing.
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
        """Return one task per seed; seeds that are trained on the same thread share one plan on its
        device.
        """
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
        """Return the trajectories of all seeds as one dataset of labelled arrays."""
        experiment = self.config.experiment()
        trajectories = dict(zip(self.seeds, values, strict=True))
        return to_dataset(trajectories, experiment.quantities, experiment.named_places)

    def summarise(self, dataset: "xr.Dataset") -> Numbers:
        """Return one number per seed for every quantity of the summary, and the step at which each
        seed diverged.
        """
        from featlearn.experiments.experiment import summarised

        numbers: dict[str, np.ndarray] = summarised(self.config.experiment().reductions, dataset)
        numbers[DIVERGED] = dataset[DIVERGED].values
        return {
            name: [float(value) if math.isfinite(value) else None for value in values]
            for name, values in numbers.items()
        }

    def write(self, entry: Entry, value: "xr.Dataset") -> JobSummary:
        """Store the arrays and the summary, replacing older ones, remove the checkpoints, and
        return the summary.
        """
        numbers = self.summarise(value)
        write_seeds(entry, value, numbers)
        entry.clear_partial(map(_checkpoint, self.seeds))
        return _row(numbers)

    def row_from_entry(self, entry: Entry) -> JobSummary:
        """Return the summary, computed again from the stored arrays, because the choice of
        reductions is not part of their key.
        """
        reductions = self.config.experiment().reductions
        needed = [getattr(each, "needs", None) for each in reductions]
        known = [name for names in needed if names is not None for name in names]
        only = None if None in needed else dict.fromkeys(known)
        return _row(self.summarise(read_seeds(entry, self.seeds, only)))

    def row_from_value(self, value: "xr.Dataset") -> JobSummary:
        """Return the summary of the computed arrays."""
        return _row(self.summarise(value))


def _checkpoint(seed: int) -> str:
    return f"seed-{seed}"


def _row(numbers: Numbers) -> JobSummary:
    summary = {name: values for name, values in numbers.items() if name != DIVERGED}
    return {"summary": summary, "diverged": numbers.get(DIVERGED, [])}

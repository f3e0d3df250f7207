"""A job: one configuration and its seeds, computed by whoever has a device free.

The same job runs in this process, in another one, or on a cluster; only its value travels, and
whoever asked for it writes the store. `ExperimentJob` trains; statements have a job of their own.
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
"""The name under which a summary tells at which step a seed diverged."""


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
    """What a sweep asks of its jobs."""

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
        """What its entry is: a "run" or "evidence"."""
        ...

    def key(self) -> ResultKey:
        """What names its value."""
        ...

    def code(self) -> object:
        """What its code is found by: the experiment, or the statement's evidence."""
        ...

    def remaining(self, entry: Entry, *, fresh: bool) -> "Job | None":
        """The part of the job that the store does not have; None if it has all."""
        ...

    def tasks(self, entry: Entry | None) -> Sequence[Task]:
        """What is to be computed; with an entry, resumable where it can be."""
        ...

    def assemble(self, values: Sequence[Any]) -> Any:
        """The value of the job from those of its tasks."""
        ...

    def write(self, entry: Entry, value: Any) -> None:
        """Put the value into the store."""
        ...

    def read(self, entry: Entry) -> JobSummary:
        """What a sweep's row says of it, from the store."""
        ...

    def told(self, value: Any) -> JobSummary:
        """What a sweep's row says of it, from its value."""
        ...


@dataclass(frozen=True, kw_only=True)
class ExperimentJob:
    """Train one configuration over some seeds."""

    identity: str
    config: Config
    seeds: tuple[int, ...]
    kind: EntryKind = "run"

    def key(self) -> ResultKey:
        """That of the experiment."""
        return self.config.experiment().key

    def code(self) -> object:
        """The experiment."""
        return self.config.experiment()

    def remaining(self, entry: Entry, *, fresh: bool) -> "ExperimentJob | None":
        """The seeds that are not there yet; with `fresh`, all of them, old checkpoints gone.

        A result has the seeds of one engine: those of another count where all are there.
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
        """One per seed; seeds that one thread trains share the plan, on the thread's device."""
        plans: dict[int, Trainable] = {}

        def build() -> Trainable:
            thread = threading.get_ident()
            if thread not in plans:
                plans[thread] = self.config.experiment().plan
            return plans[thread]

        folders = [entry.partial(_checkpoint(seed)) if entry else None for seed in self.seeds]
        budget = BUDGET // len(self.seeds) if entry else None
        return [
            trajectory_task(build, seed, folder, budget)
            for seed, folder in zip(self.seeds, folders, strict=True)
        ]

    def assemble(self, values: Sequence[Trajectory]) -> "xr.Dataset":
        """Labelled arrays of all seeds."""
        experiment = self.config.experiment()
        trajectories = dict(zip(self.seeds, values, strict=True))
        return to_dataset(trajectories, experiment.quantities, experiment.named_places)

    def summarise(self, dataset: "xr.Dataset") -> Numbers:
        """One number a seed for every quantity of the experiment's summary, and divergence."""
        from featlearn.experiments.experiment import summarised

        numbers: dict[str, np.ndarray] = summarised(self.config.experiment().reductions, dataset)
        numbers[DIVERGED] = dataset[DIVERGED].values
        return {
            name: [float(value) if math.isfinite(value) else None for value in values]
            for name, values in numbers.items()
        }

    def write(self, entry: Entry, value: "xr.Dataset") -> None:
        """Store arrays and summary in the place of any older ones, and drop the checkpoints."""
        write_seeds(entry, value, self.summarise(value))
        entry.clear_partial(map(_checkpoint, self.seeds))

    def read(self, entry: Entry) -> JobSummary:
        """The summary, reduced anew from the stored arrays: it is no part of what names them."""
        reductions = self.config.experiment().reductions
        needed = [getattr(each, "needs", None) for each in reductions]
        known = [name for names in needed if names is not None for name in names]
        only = None if None in needed else dict.fromkeys(known)
        return _row(self.summarise(read_seeds(entry, self.seeds, only)))

    def told(self, value: "xr.Dataset") -> JobSummary:
        """The summary."""
        return _row(self.summarise(value))


def _checkpoint(seed: int) -> str:
    return f"seed-{seed}"


def _row(numbers: Numbers) -> JobSummary:
    summary = {name: values for name, values in numbers.items() if name != DIVERGED}
    return {"summary": summary, "diverged": numbers.get(DIVERGED, [])}

"""Run a named experiment over seeds: read what is stored, compute the rest, sum it up."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from featlearn._check import InputError
from featlearn._config import config_hash, replace
from featlearn.experiments.executor import Watch, execute
from featlearn.experiments.job import ExperimentJob, Job, Numbers
from featlearn.experiments.named import NamedExperiment, seed_range
from featlearn.experiments.showing import as_html, curves
from featlearn.results.store import Entry, Store

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A quantity over seeds: the mean of those that reached it, and its standard error."""

    values: tuple[float | None, ...]
    """One a seed; None where an event was never reached or a number is not finite."""

    @property
    def reached(self) -> int:
        """How many seeds have a value."""
        return len(self._known)

    @property
    def mean(self) -> float | None:
        """The mean of the known values."""
        return float(np.mean(self._known)) if self._known else None

    @property
    def stderr(self) -> float | None:
        """The standard error of that mean; None with fewer than two values."""
        n = len(self._known)
        return float(np.std(self._known, ddof=1) / math.sqrt(n)) if n >= 2 else None

    def document(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "mean": self.mean,
            "stderr": self.stderr,
            "values": list(self.values),
            "reached": self.reached,
        }

    @property
    def _known(self) -> list[float]:
        return [value for value in self.values if value is not None]


@dataclass(frozen=True, kw_only=True)
class Result:
    """What `run` gives back: labelled arrays, their summary, and where they are stored."""

    id: str
    config: Any
    seeds: tuple[int, ...]
    dataset: "xr.Dataset"
    summary: dict[str, Estimate]
    status: str
    """"computed", "read" (all of it from the store) or "completed" (some of it)."""
    path: Path | None

    @property
    def hash(self) -> str:
        """The name of the configuration."""
        return config_hash(self.id, self.config)

    def plot(self, name: str, *, seed: int | None = None, **style: Any) -> Any:
        """Draw a recorded quantity over steps with matplotlib: a line a seed, or a neuron.

        Args:
            name: what was recorded; `dataset` lists it.
            seed: this seed alone; where a line is a neuron, the first if none is given.
            style: handed on to xarray's `plot.line`: ax, yscale, color, …
        """
        return curves(self.dataset, name, seed, **style)

    def _repr_html_(self) -> str:
        return as_html(self)


def run(
    named: NamedExperiment,
    *,
    seeds: int = 5,
    first_seed: int = 0,
    out: Path | str | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
    **changes: Any,
) -> Result:
    """Train one experiment over seeds.

    Args:
        named: the experiment, with its default configuration.
        seeds: how many.
        first_seed: the first of them; the others follow.
        out: the store to read from and write to; None computes in memory.
        fresh: compute again what the store has.
        watch: told the share of the work that is done, for a progress bar.
        changes: fields of the configuration to change.
    """
    config = replace(named.config, changes, where=named.id)
    wanted = seed_range(seeds, first_seed)
    job = ExperimentJob(identity=named.id, config=config, seeds=tuple(wanted))
    if out is None:
        dataset = compute(job, None, watch)
        return _result(job, dataset, job.summarise(dataset), "computed", None)
    entry = Store(Path(out)).open().entry(named.id, config)
    with entry.lock():
        missing = job.remaining(entry, fresh=fresh)
        if missing is not None:
            if len(missing.seeds) < len(wanted):
                entry.read(seed for seed in wanted if seed not in missing.seeds)
            missing.write(entry, compute(missing, entry, watch))
        dataset = entry.read(wanted)
    computed = len(missing.seeds) if missing else 0
    status = {0: "read", len(wanted): "computed"}.get(computed, "completed")
    return _result(job, dataset, entry.summary(wanted), status, entry.path)


def compute(job: Job, entry: Entry | None, watch: Watch | None = None) -> Any:
    """The value of a job, computed in this process; the first failure is raised."""
    tasks = list(job.tasks(entry))
    values: dict[int, Any] = {}
    for outcome in execute(tasks, total=len(tasks), watch=watch):
        if outcome.error is not None:
            raise _told(outcome.error, job.identity)
        values[id(outcome.task)] = outcome.value
    return job.assemble([values[id(task)] for task in tasks])


def _told(error: Exception, identity: str) -> Exception:
    """The error itself, or a sentence if it is that the sizes do not fit."""
    text = str(error)
    short = isinstance(error, MemoryError) or "Out of memory" in text
    short = short or "RESOURCE_EXHAUSTED" in text
    if not short:
        return error
    got = text.splitlines()[0] if text else "no memory left"
    hint = "Try a smaller d, width or batch."
    return InputError(identity, "sizes that fit into memory", got, hint)


def _result(
    job: ExperimentJob, dataset: "xr.Dataset", summary: Numbers, status: str, path: Path | None
) -> Result:
    return Result(
        id=job.identity,
        config=job.config,
        seeds=job.seeds,
        dataset=dataset,
        summary={name: Estimate(values=tuple(values)) for name, values in summary.items()},
        status=status,
        path=path,
    )

"""Run a named experiment over seeds: read what is stored, compute the rest, sum it up."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from featlearn._check import require
from featlearn._config import config_hash, replace
from featlearn.experiments.executor import Task, Trajectory, Watch, execute
from featlearn.experiments.named import NamedExperiment
from featlearn.results.dataset import to_dataset
from featlearn.results.provenance import provenance
from featlearn.results.store import Entry, Store
from featlearn.training import Plan

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
    if out is None:
        trajectories = _compute(config, wanted, lambda seed: None, watch)
        return _result(named.id, config, wanted, _dataset(config, trajectories), "computed", None)
    entry = Store(Path(out)).open().entry(named.id, config)
    with entry.lock():
        dataset, status = _read_or_compute(entry, config, wanted, fresh, watch)
    return _result(named.id, config, wanted, dataset, status, entry.path)


def seed_range(seeds: int, first_seed: int) -> list[int]:
    """The seeds asked for, checked."""
    require(seeds >= 1, "seeds", "at least 1", seeds)
    require(0 <= first_seed < 2**31, "first-seed", "a number from 0 to 2^31 - 1", first_seed)
    return list(range(first_seed, first_seed + seeds))


def _read_or_compute(
    entry: Entry, config: Any, wanted: list[int], fresh: bool, watch: Watch | None
) -> tuple["xr.Dataset", str]:
    if fresh:
        entry.clear_partial(wanted)
    missing = [seed for seed in wanted if fresh or seed not in entry.seeds()]
    if len(missing) < len(wanted):
        entry.read([seed for seed in wanted if seed not in missing])
    if missing:
        trajectories = _compute(config, missing, entry.partial, watch)
        computed = _dataset(config, trajectories)
        if fresh:
            entry.forget(missing)
        entry.write(computed, provenance())
        entry.clear_partial(missing)
    status = {0: "read", len(wanted): "computed"}.get(len(missing), "completed")
    return entry.read(wanted), status


def _compute(
    config: Any, seeds: list[int], folder: Callable[[int], Path | None], watch: Watch | None
) -> dict[int, Trajectory]:
    def build() -> Plan:
        plan: Plan = config.experiment().plan
        return plan

    tasks = [Task(build=build, seed=seed, checkpoints=folder(seed)) for seed in seeds]
    trajectories: dict[int, Trajectory] = {}
    for seed, outcome in zip(seeds, execute(tasks, watch=watch), strict=True):
        if isinstance(outcome, Exception):
            raise outcome
        trajectories[seed] = outcome
    return trajectories


def _dataset(config: Any, trajectories: Mapping[int, Trajectory]) -> "xr.Dataset":
    experiment = config.experiment()
    return to_dataset(trajectories, experiment.recording.quantities, experiment.labels)


def _result(
    identity: str,
    config: Any,
    seeds: Iterable[int],
    dataset: "xr.Dataset",
    status: str,
    path: Path | None,
) -> Result:
    numbers = config.experiment().summarise(dataset)
    summary = {
        name: Estimate(values=tuple(float(v) if math.isfinite(v) else None for v in values))
        for name, values in numbers.items()
    }
    return Result(
        id=identity,
        config=config,
        seeds=tuple(seeds),
        dataset=dataset,
        summary=summary,
        status=status,
        path=path,
    )

"""Run an experiment over seeds: read what is stored, compute the rest, sum it up."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError
from featlearn._choices import Origin
from featlearn._config import fields, replace
from featlearn.experiments.dry_call import dry_call
from featlearn.experiments.job import DIVERGED, ExperimentJob, Job
from featlearn.experiments.named import named, seed_range
from featlearn.experiments.result import Estimate as Estimate
from featlearn.experiments.result import Result as Result
from featlearn.experiments.scheduler import Stopped, Watch, execute, waiting
from featlearn.results.seeds import Numbers, read_seeds
from featlearn.results.store import Entry, Store

if TYPE_CHECKING:
    import xarray as xr


def run(
    target: object,
    *,
    seeds: int | Sequence[int] = 5,
    first_seed: int = 0,
    out: Store | Path | str | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
    **changes: object,
) -> Result:
    """Train one experiment over seeds.

    Args:
        target: an experiment; a function that returns one; a configuration; a named experiment.
        seeds: how many, or which.
        first_seed: the first of them; the others follow.
        out: the store to read from and write to; None computes in memory.
        fresh: compute again what the store has.
        watch: told the share of the work that is done, for a progress bar.
        changes: fields of the configuration to change, or arguments of the function.
    """
    chosen = named(target)
    config = replace(chosen.config, changes, where=chosen.id)
    wanted = seed_range(seeds, first_seed) if isinstance(seeds, int) else list(seeds)
    job = ExperimentJob(identity=chosen.id, config=config, seeds=tuple(wanted))
    dry_call(config.experiment())
    store = as_store(out)
    if store is None:
        dataset = compute(job, None, watch)
        return _result(job, dataset, job.summarise(dataset), "computed", None)
    entry = entry_of(store, job)
    with held(entry):
        missing = job.remaining(entry, fresh=fresh)
        if missing is not None:
            if len(missing.seeds) < len(wanted):
                read_seeds(entry, [seed for seed in wanted if seed not in missing.seeds])
            missing.write(entry, compute(missing, entry, watch))
        dataset = read_seeds(entry, wanted)
    computed = len(missing.seeds) if missing else 0
    status = {0: entry.found, len(wanted): "computed"}.get(computed, "completed")
    return _result(job, dataset, job.summarise(dataset), status, entry.path)


def as_store(out: Store | Path | str | None) -> Store | None:
    """The store of that folder, opened; None for none."""
    if out is None:
        return None
    return (out if isinstance(out, Store) else Store(root=Path(out))).open()


def entry_of(store: Store, job: Job) -> Entry:
    """The place of a job in a store."""
    return store.entry(job.identity, job.key(), fields(job.config), job.kind)


@contextlib.contextmanager
def held(entry: Entry) -> Iterator[None]:
    """The lock of an entry; whoever waits for it gives up his place at the devices."""
    with contextlib.ExitStack() as lock:
        if not lock.enter_context(entry.lock(wait=False)):
            lock.close()
            with waiting():
                lock.enter_context(entry.lock())
        yield


def compute(job: Job, entry: Entry | None, watch: Watch | None = None) -> Any:
    """The value of a job, computed in this process; the first failure is raised."""
    tasks = list(job.tasks(entry))
    values: dict[int, object] = {}
    for outcome in execute(tasks, total=len(tasks), watch=watch):
        if outcome.error is not None:
            raise _told(outcome.error, job.identity)
        values[id(outcome.task)] = outcome.value
    if len(values) < len(tasks):
        raise Stopped
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
    job: ExperimentJob, dataset: "xr.Dataset", summary: Numbers, status: Origin, path: Path | None
) -> Result:
    told = {name: values for name, values in summary.items() if name != DIVERGED}
    return Result(
        id=job.identity,
        config=job.config,
        seeds=job.seeds,
        dataset=dataset,
        summary={name: Estimate(values=tuple(values)) for name, values in told.items()},
        status=status,
        path=path,
    )

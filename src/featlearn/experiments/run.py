"""Run an experiment over seeds: read the stored seeds, compute the others, and summarise all."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError, as_sentence, require
from featlearn._choices import Origin
from featlearn._config import fields, replace
from featlearn.experiments.dry_call import dry_call
from featlearn.experiments.job import DIVERGED, ExperimentJob, Job
from featlearn.experiments.named import named, seed_list
from featlearn.experiments.result import Estimate as Estimate
from featlearn.experiments.result import Result as Result
from featlearn.experiments.scheduler import Stopped, Watch, execute, slot_released
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
    """Train one experiment over seeds and return its result.

    Args:
        target: an experiment, a function that returns one, a configuration or a named experiment.
        seeds: the number of seeds, or a list of them.
        first_seed: the first seed, if `seeds` is a number.
        out: the store to read from and write to; None computes in memory.
        fresh: compute again what the store has.
        watch: called with the fraction of the work that is done, for a progress bar.
        changes: fields of the configuration to change, or arguments of the function.
    """
    chosen = named(target)
    require(
        bool(fields(chosen.config)) or not changes,
        chosen.id,
        "no fields beside an Experiment",
        ", ".join(changes),
        "Change it with its replace, or give a function with these arguments that returns one.",
    )
    config = replace(chosen.config, changes, where=chosen.id)
    wanted = seed_list(seeds, first_seed)
    job = ExperimentJob(identity=chosen.id, config=config, seeds=tuple(wanted))
    dry_call(built(config, chosen.id))
    store = as_store(out)
    if store is None:
        dataset = compute(job, None, watch)
        return _result(job, dataset, job.summarise(dataset), "computed", None)
    entry = entry_of(store, job)
    with locked(entry):
        missing = job.remaining(entry, fresh=fresh)
        if missing is not None:
            if len(missing.seeds) < len(wanted):
                read_seeds(entry, [seed for seed in wanted if seed not in missing.seeds])
            missing.write(entry, compute(missing, entry, watch))
        dataset = read_seeds(entry, wanted)
    computed = len(missing.seeds) if missing else 0
    status = {0: entry.status_if_read, len(wanted): "computed"}.get(computed, "completed")
    return _result(job, dataset, job.summarise(dataset), status, entry.path)


def built(config: Any, identity: str) -> Any:
    """Return the experiment of a configuration; raise `InputError` if numbers overflow while it is
    built.
    """
    try:
        return config.experiment()
    except ArithmeticError as error:
        raise as_sentence(error, identity, "numbers one can compute with") from None


def as_store(out: Store | Path | str | None) -> Store | None:
    """Open the store in a folder and return it; None stays None."""
    if out is None:
        return None
    if isinstance(out, Store):
        return out.open()
    known = isinstance(out, str | Path) and str(out) not in ("", ".") and "\0" not in str(out)
    require(known, "out", "the folder of a store, or None", repr(out))
    try:
        return Store(root=Path(out).expanduser()).open()
    except RuntimeError as error:  # the home of nobody
        raise as_sentence(error, "out", "a folder") from None


def entry_of(store: Store, job: Job) -> Entry:
    """Return the entry of a job in a store."""
    return store.entry(job.identity, job.key(), fields(job.config), job.kind)


@contextlib.contextmanager
def locked(entry: Entry) -> Iterator[None]:
    """Hold the lock of an entry inside a `with` block; a task that waits for the lock meanwhile
    releases its device.
    """
    with contextlib.ExitStack() as lock:
        if not lock.enter_context(entry.lock(wait=False)):
            lock.close()
            with slot_released():
                lock.enter_context(entry.lock())
        yield


def compute(job: Job, entry: Entry | None, watch: Watch | None = None) -> Any:
    """Compute a job in this process and return its value; raise the exception of the first task
    that fails.
    """
    tasks = list(job.tasks(entry))
    values: dict[int, object] = {}
    for outcome in execute(tasks, total=len(tasks), watch=watch):
        if outcome.error is not None:
            raise _explain_memory_error(outcome.error, job.identity)
        values[id(outcome.task)] = outcome.value
    if len(values) < len(tasks):
        raise Stopped
    return job.assemble([values[id(task)] for task in tasks])


def _explain_memory_error(error: Exception, identity: str) -> Exception:
    """Return an `InputError` if the error says that memory was exhausted, else return the error
    unchanged.
    """
    text = str(error)
    exhausted = isinstance(error, MemoryError) or "Out of memory" in text
    exhausted = exhausted or "RESOURCE_EXHAUSTED" in text
    if not exhausted:
        return error
    got = text.splitlines()[0] if text else "no memory left"
    hint = "Try a smaller d, width or batch."
    return InputError(identity, "sizes that fit into memory", got, hint)


def _result(
    job: ExperimentJob, dataset: "xr.Dataset", summary: Numbers, status: Origin, path: Path | None
) -> Result:
    quantities = {name: values for name, values in summary.items() if name != DIVERGED}
    return Result(
        id=job.identity,
        config=job.config,
        seeds=job.seeds,
        dataset=dataset,
        summary={name: Estimate(values=tuple(values)) for name, values in quantities.items()},
        status=status,
        path=path,
    )

"""Sweeps compute many jobs on one store; jobs whose results are in the store are only read.

A job is claimed by the lock of its entry, at the moment a device is free, so that two processes on
one store share the work and compute nothing twice. A job that another process has claimed is read
at the end. A job that fails gives a row with its error.
"""

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from featlearn._check import InputError, disk_is_full
from featlearn._choices import Origin
from featlearn._config import fields
from featlearn.experiments.job import Job, JobSummary
from featlearn.experiments.result import Estimate
from featlearn.experiments.run import entry_of, locked
from featlearn.experiments.scheduler import Stopped, Task, Watch, execute
from featlearn.results.store import Entry, Store


@dataclass(frozen=True, kw_only=True)
class Point:
    """One row of the table of a sweep."""

    identity: str
    hash: str | None
    config: dict[str, object]
    status: Origin
    """"read", "adopted", "computed" or "failed"."""
    values: JobSummary = field(default_factory=lambda: JobSummary())
    """The values of the job: a summary, or a verdict with its constants."""
    error: str = ""
    """Why it failed, in one sentence."""
    address: str = ""
    """The address of its entry in the store."""

    @property
    def outcome(self) -> str:
        """The status of the row or, if seeds diverged, how many did and at which step the first one
        did.
        """
        steps = [int(step) for step in self.values.get("diverged", ()) if step is not None]
        if not steps:
            return self.status
        return f"{len(steps)} diverged at step {min(steps)}{' or later' if len(steps) > 1 else ''}"

    def estimate(self, quantity: str) -> Estimate | None:
        """Return the estimate of a quantity over the seeds; None if the row does not have the
        quantity.
        """
        values = self.values.get("summary", {}).get(quantity)
        return None if values is None else Estimate(values=tuple(values))


@runtime_checkable
class Pool(Protocol):
    """Computes claimed jobs: in this process, in worker processes, or on a cluster."""

    def compute(
        self, claims: Iterator["Claim"], *, total: int, watch: Watch | None
    ) -> Generator[tuple["Claim", object, Exception | None], None, None]:
        """Yield (claim, value, error) for each claim; closing the generator stops the work."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """A job that this process will compute: the remaining part of the job, and its locked entry."""

    place: int
    job: Job
    entry: Entry | None
    release: Callable[[], None]


class InProcessPool:
    """A pool in this process, which distributes the tasks of all jobs over the process's
    devices.
    """

    def compute(
        self, claims: Iterator[Claim], *, total: int, watch: Watch | None
    ) -> Generator[tuple[Claim, object, Exception | None], None, None]:
        """Compute the claims and yield each when the last of its tasks has ended."""
        values: dict[Claim, dict[int, object]] = {}
        wanted: dict[Claim, int] = {}

        def tasks() -> Iterator[Task]:
            for claim in claims:
                each = list(claim.job.tasks(claim.entry))
                wanted[claim], values[claim] = len(each), {}
                for number, task in enumerate(each):
                    yield Task(name=(claim, number), work=task.work)

        failed: set[Claim] = set()
        for outcome in execute(tasks(), total=total, watch=watch):
            claim, number = outcome.task.name
            if outcome.error is not None:
                if isinstance(outcome.error, Stopped):
                    raise KeyboardInterrupt
                if claim not in failed:
                    failed.add(claim)
                    yield claim, None, outcome.error
                continue
            values[claim][number] = outcome.value
            if len(values[claim]) == wanted[claim] and claim not in failed:
                done = values.pop(claim)
                yield claim, claim.job.assemble([done[i] for i in range(wanted[claim])]), None


def sweep(
    jobs: Sequence[Job | Point],
    *,
    store: Store | None = None,
    pool: Pool | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
) -> list[Point]:
    """Compute or read all jobs and return one row per job, in their order.

    Args:
        jobs: what to compute; a `Point`, from a configuration that was refused, is returned as it
            is.
        store: the store to read from and write to; None stores nothing.
        pool: where to compute; this process by default.
        fresh: compute again what the store has.
        watch: called with the fraction of the work that is done.
    """
    points: dict[int, Point] = {i: job for i, job in enumerate(jobs) if isinstance(job, Point)}
    todo = {i: job for i, job in enumerate(jobs) if not isinstance(job, Point)}
    held_elsewhere: list[int] = []
    total = sum(_size(job) for job in todo.values())
    with contextlib.ExitStack() as locks:
        claims = _claims(todo, store, fresh, locks, points, held_elsewhere)
        # However this block ends, all work stops before a lock is released.
        with contextlib.closing(
            (pool or InProcessPool()).compute(claims, total=total, watch=watch)
        ) as ends:
            for claim, value, error in ends:
                points[claim.place] = _ended(todo[claim.place], claim, value, error)
                claim.release()
    for place in held_elsewhere:
        assert store is not None
        points[place] = _wait_for(todo[place], store)
    return [points[i] for i in range(len(jobs))]


def _ended(job: Job, claim: Claim, value: object, error: Exception | None) -> Point:
    """Return the row of a job that was computed; an error that says that the disk is full is
    raised.
    """
    try:
        if error is not None:
            raise error
        if claim.entry is None:
            return _row(job, "computed", claim.job.row_from_value(value))
        values = claim.job.write(claim.entry, value)
        if claim.job != job:  # some seeds were stored before
            values = job.row_from_entry(claim.entry)
        return _row(job, "computed", values, claim.entry)
    except Exception as problem:
        if disk_is_full(problem):
            raise
        return _failed(job, problem)


def _claims(
    todo: dict[int, Job],
    store: Store | None,
    fresh: bool,
    locks: contextlib.ExitStack,
    points: dict[int, Point],
    held_elsewhere: list[int],
) -> Iterator[Claim]:
    """Yield the unfinished jobs that this process can lock; each is locked when it is requested."""
    for place, job in todo.items():
        if store is None:
            yield Claim(place=place, job=job, entry=None, release=lambda: None)
            continue
        try:
            entry = entry_of(store, job)
        except Exception as problem:
            points[place] = _failed(job, problem)
            continue
        lock = contextlib.ExitStack()
        if not lock.enter_context(entry.lock(wait=False)):
            lock.close()
            held_elsewhere.append(place)
            continue
        remaining = job.remaining(entry, fresh=fresh)
        if remaining is None:
            points[place] = _read(job, entry)
            lock.close()
        else:
            locks.push(lock)
            yield Claim(place=place, job=remaining, entry=entry, release=lock.close)


def _wait_for(job: Job, store: Store) -> Point:
    """Wait for a job that another process had claimed and read its row, or compute the job if that
    process did not finish it.
    """
    entry = entry_of(store, job)
    with locked(entry):
        remaining = job.remaining(entry, fresh=False)
        if remaining is None:
            return _read(job, entry)
        claim = Claim(place=0, job=remaining, entry=entry, release=lambda: None)
        (outcome,) = InProcessPool().compute(iter([claim]), total=_size(job), watch=None)
        return _ended(job, *outcome)


def _size(job: Job) -> int:
    return len(getattr(job, "seeds", (0,)))


def _read(job: Job, entry: Entry) -> Point:
    """Return the row of a stored job; a damaged entry gives a row that contains the error."""
    try:
        return _row(job, entry.status_if_read, job.row_from_entry(entry), entry)
    except InputError as error:
        return _failed(job, error)


def _row(job: Job, status: Origin, values: JobSummary, entry: Entry | None = None) -> Point:
    return Point(
        identity=job.identity,
        hash=entry.path.parent.name if entry else None,
        config=fields(job.config),
        status=status,
        values=values,
        address=entry.address if entry else "",
    )


def _failed(job: Job, error: Exception) -> Point:
    said = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    return Point(
        identity=job.identity,
        hash=_name(job),
        config=fields(job.config),
        status="failed",
        error=said,
    )


def _name(job: Job) -> str | None:
    """Return the name of the job's key; None if its experiment could not be built."""
    try:
        return job.key().name
    except Exception:
        return None


def refused(identity: str, point: dict[str, object], error: InputError) -> Point:
    """Return the row of a grid point whose configuration was refused with an error."""
    return Point(identity=identity, hash=None, config=point, status="failed", error=str(error))

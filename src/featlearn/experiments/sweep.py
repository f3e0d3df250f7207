"""Sweeps: many jobs on one store, here or elsewhere; what is there is read, the rest computed.

Jobs are claimed one by one with the store's lock, at the moment a device is free for them, so
that two processes on one store share the work and compute nothing twice. A job that another
process holds is left to it and read at the end. Failures are rows like any other.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from featlearn._check import InputError
from featlearn._config import config_hash, fields
from featlearn.experiments.executor import Stopped, Task, Watch, execute
from featlearn.experiments.job import Job
from featlearn.results.store import Entry, Store


@dataclass(frozen=True, kw_only=True)
class Point:
    """One row of a sweep."""

    identity: str
    hash: str | None
    config: dict[str, Any]
    status: str
    """"read", "computed" or "failed"."""
    told: dict[str, Any] = field(default_factory=dict)
    """What the job tells of itself: a summary, a verdict."""
    error: str = ""
    """Why it failed, in one sentence."""


@runtime_checkable
class Pool(Protocol):
    """Somewhere to compute: takes claimed jobs, gives back their values or errors."""

    def compute(
        self, claims: Iterator["Claim"], *, total: int, watch: Watch | None
    ) -> Iterator[tuple["Claim", Any, Exception | None]]:
        """Work on claims as they come."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """A job that is ours to compute: what remains of it, and its locked place in the store."""

    place: int
    job: Job
    entry: Entry
    release: Callable[[], None]


class Here:
    """This process: the tasks of all jobs shared out over its devices."""

    def compute(
        self, claims: Iterator[Claim], *, total: int, watch: Watch | None
    ) -> Iterator[tuple[Claim, Any, Exception | None]]:
        """Jobs finish when the last of their tasks does."""
        values: dict[Claim, dict[int, Any]] = {}
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
    store: Store,
    pool: Pool | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
) -> list[Point]:
    """Complete all jobs and return a row for each, in their order.

    Args:
        jobs: what to compute; a `Point` (a configuration that was refused) passes through.
        store: read from and written to.
        pool: where to compute; this process by default.
        fresh: compute again what the store has.
        watch: told the share that is done.
    """
    points: dict[int, Point] = {i: job for i, job in enumerate(jobs) if isinstance(job, Point)}
    todo = {i: job for i, job in enumerate(jobs) if not isinstance(job, Point)}
    held_elsewhere: list[int] = []
    with contextlib.ExitStack() as locks:
        claims = _claims(todo, store, fresh, locks, points, held_elsewhere)
        total = sum(_size(job) for job in todo.values())
        for claim, value, error in (pool or Here()).compute(claims, total=total, watch=watch):
            job = todo[claim.place]
            if error is None:
                try:
                    claim.job.write(claim.entry, value)
                except OSError as problem:
                    error = InputError(str(store.root), "room to write", problem.strerror)
            points[claim.place] = (
                _told(job, claim.entry, "computed") if error is None else _failed(job, error)
            )
            claim.release()
    for place in held_elsewhere:
        points[place] = _wait_for(todo[place], store, fresh=False)
    return [points[i] for i in range(len(jobs))]


def _claims(
    todo: dict[int, Job],
    store: Store,
    fresh: bool,
    locks: contextlib.ExitStack,
    points: dict[int, Point],
    held_elsewhere: list[int],
) -> Iterator[Claim]:
    """The jobs that are ours and not finished, each locked when it is asked for."""
    for place, job in todo.items():
        entry = store.entry(job.identity, job.config)
        lock = contextlib.ExitStack()
        if not lock.enter_context(entry.lock(wait=False)):
            lock.close()
            held_elsewhere.append(place)
            continue
        try:
            remaining = job.remaining(entry, fresh=fresh)
            if remaining is None:
                points[place] = _told(job, entry, "read")
        except Exception as error:
            points[place], remaining = _failed(job, error), None
        if remaining is None:
            lock.close()
        else:
            locks.push(lock)
            yield Claim(place=place, job=remaining, entry=entry, release=lock.close)


def _wait_for(job: Job, store: Store, *, fresh: bool) -> Point:
    """A job that another process held: read it, or compute it if that process gave up."""
    entry = store.entry(job.identity, job.config)
    with entry.lock():
        remaining = job.remaining(entry, fresh=fresh)
        if remaining is None:
            return _told(job, entry, "read")
        claim = Claim(place=0, job=remaining, entry=entry, release=lambda: None)
        for _, value, error in Here().compute(iter([claim]), total=_size(job), watch=None):
            if error is not None:
                return _failed(job, error)
            remaining.write(entry, value)
    return _told(job, entry, "computed")


def _size(job: Job) -> int:
    return len(getattr(job, "seeds", (0,)))


def _told(job: Job, entry: Entry, status: str) -> Point:
    return Point(
        identity=job.identity,
        hash=entry.path.name,
        config=fields(job.config),
        status=status,
        told=job.read(entry),
    )


def _failed(job: Job, error: Exception) -> Point:
    said = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    return Point(
        identity=job.identity,
        hash=config_hash(job.identity, job.config),
        config=fields(job.config),
        status="failed",
        error=said,
    )


def refused(identity: str, point: dict[str, Any], error: InputError) -> Point:
    """The row of a point of the grid that has no configuration."""
    return Point(identity=identity, hash=None, config=point, status="failed", error=str(error))

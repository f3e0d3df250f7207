"""Sweeps: many jobs on one store, here or elsewhere; what is there is read, the rest computed.

Jobs are claimed one by one with the store's lock, at the moment a device is free for them, so
that two processes on one store share the work and compute nothing twice. A job that another
process holds is left to it and read at the end. Failures are rows like any other.
"""

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from featlearn._check import InputError, no_room
from featlearn._choices import Origin
from featlearn._config import fields
from featlearn.experiments.job import Job, JobSummary
from featlearn.experiments.result import Estimate
from featlearn.experiments.run import entry_of, held
from featlearn.experiments.scheduler import Stopped, Task, Watch, execute
from featlearn.results.store import Entry, Store


@dataclass(frozen=True, kw_only=True)
class Point:
    """One row of a sweep."""

    identity: str
    hash: str | None
    config: dict[str, object]
    status: Origin
    """"read", "adopted", "computed" or "failed"."""
    told: JobSummary = field(default_factory=lambda: JobSummary())
    """What the job tells of itself: a summary, a verdict."""
    error: str = ""
    """Why it failed, in one sentence."""
    address: str = ""
    """Its entry in the store."""

    @property
    def outcome(self) -> str:
        """The status, or in how many seeds it diverged and from which step on."""
        steps = [int(step) for step in self.told.get("diverged", ()) if step is not None]
        if not steps:
            return self.status
        return f"{len(steps)} diverged at step {min(steps)}{' or later' if len(steps) > 1 else ''}"

    def estimate(self, quantity: str) -> Estimate | None:
        """A quantity over the seeds; None where the row has none."""
        values = self.told.get("summary", {}).get(quantity)
        return None if values is None else Estimate(values=tuple(values))


@runtime_checkable
class Pool(Protocol):
    """Somewhere to compute: takes claimed jobs, gives back their values or errors."""

    def compute(
        self, claims: Iterator["Claim"], *, total: int, watch: Watch | None
    ) -> Generator[tuple["Claim", object, Exception | None], None, None]:
        """Work on claims as they come; closed early, it stops what is under way."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """A job that is ours to compute: what remains of it, and its locked place in the store."""

    place: int
    job: Job
    entry: Entry | None
    release: Callable[[], None]


class InProcessPool:
    """This process: the tasks of all jobs shared out over its devices."""

    def compute(
        self, claims: Iterator[Claim], *, total: int, watch: Watch | None
    ) -> Generator[tuple[Claim, object, Exception | None], None, None]:
        """Jobs finish when the last of their tasks does."""
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
    """Complete all jobs and return a row for each, in their order.

    Args:
        jobs: what to compute; a `Point` (a configuration that was refused) passes through.
        store: read from and written to; None keeps nothing.
        pool: where to compute; this process by default.
        fresh: compute again what the store has.
        watch: told the share that is done.
    """
    points: dict[int, Point] = {i: job for i, job in enumerate(jobs) if isinstance(job, Point)}
    todo = {i: job for i, job in enumerate(jobs) if not isinstance(job, Point)}
    held_elsewhere: list[int] = []
    total = sum(_size(job) for job in todo.values())
    with contextlib.ExitStack() as locks:
        claims = _claims(todo, store, fresh, locks, points, held_elsewhere)
        # Whatever ends this, all work has stopped before a lock is given up.
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
    """The row of a job that was computed; where there is no room for it, there is for no other."""
    try:
        if error is not None:
            raise error
        if claim.entry is None:
            return _row(job, "computed", claim.job.told(value))
        claim.job.write(claim.entry, value)
        told = claim.job.told(value) if claim.job == job else job.read(claim.entry)
        return _row(job, "computed", told, claim.entry)
    except Exception as problem:
        if no_room(problem):
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
    """The jobs that are ours and not finished, each locked when it is asked for."""
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
    """A job that another process held: read it, or compute it if that process gave up."""
    entry = entry_of(store, job)
    with held(entry):
        remaining = job.remaining(entry, fresh=False)
        if remaining is None:
            return _read(job, entry)
        claim = Claim(place=0, job=remaining, entry=entry, release=lambda: None)
        (outcome,) = InProcessPool().compute(iter([claim]), total=_size(job), watch=None)
        return _ended(job, *outcome)


def _size(job: Job) -> int:
    return len(getattr(job, "seeds", (0,)))


def _read(job: Job, entry: Entry) -> Point:
    """The row of what the store has; what is damaged is a failure like any other."""
    try:
        told = job.read(entry)
        return _row(job, entry.found, told, entry)
    except InputError as error:
        return _failed(job, error)


def _row(job: Job, status: Origin, told: JobSummary, entry: Entry | None = None) -> Point:
    return Point(
        identity=job.identity,
        hash=entry.path.parent.name if entry else None,
        config=fields(job.config),
        status=status,
        told=told,
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
    """The name of what was to be computed, if it could be built."""
    try:
        return job.key().name
    except Exception:
        return None


def refused(identity: str, point: dict[str, object], error: InputError) -> Point:
    """The row of a point of the grid that has no configuration."""
    return Point(identity=identity, hash=None, config=point, status="failed", error=str(error))

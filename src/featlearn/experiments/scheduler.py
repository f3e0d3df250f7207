"""The one scheduler: tasks shared out over the devices of this process, and one way to stop them.

Every device is a place; a thread that has a place works on one task alone, so that the numbers of a
seed cannot depend on what runs beside it. The last tasks take turns (see `places`). All tasks of
equal shape share one compiled program. Tasks are taken from an iterator only when a place is free,
so they may be made as one goes.

A task may hand out tasks of its own: a statement that trains, an item that sweeps. It gives up its
place while it waits for them, and they stop when it is told to stop.
"""

import contextlib
import contextvars
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import jax

from featlearn._check import require
from featlearn._interrupt import raise_if_interrupted, watching
from featlearn.experiments.places import Places
from featlearn.training.engine import share_threads

Watch = Callable[[float], None]
"""Told the share of the work that is done."""
Stop = Callable[[], bool]
"""Whether to stop at the next opportunity."""
FRESH = "a process that was not forked from one that computes, whose threads it lacks"
GRACE = 1.5
"""Seconds that tasks have to save and stop; what takes longer is left behind."""


class Stopped(Exception):
    """A task was asked to stop, and did, having saved what it had."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """Something to compute on one device."""

    name: Any
    """What it is, for whoever receives the outcome."""
    work: Callable[[Stop, Watch], Any]
    """Computes the value, reporting its own share; raises `Stopped` when told to stop."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A task that ended: its value, or the exception that ended it."""

    task: Task
    value: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class Cancel:
    """Told once, all work below stops; work that was left behind may not save any more."""

    above: "Cancel | None" = None
    told: threading.Event = field(default_factory=threading.Event)
    left_behind: bool = False

    def __call__(self) -> bool:
        if self._was_left_behind():
            raise Stopped
        return self.told.is_set() or (self.above is not None and self.above())

    def _was_left_behind(self) -> bool:
        return self.left_behind or (self.above is not None and self.above._was_left_behind())


@dataclass(frozen=True, kw_only=True, eq=False)
class _ThreadState:
    """What a thread of the scheduler knows of itself."""

    places: Places
    cancel: Cancel
    worker: object
    load: list[int]
    """How many tasks are on each device."""


_here: contextvars.ContextVar[_ThreadState | None] = contextvars.ContextVar(
    "scheduler", default=None
)


def stopping() -> bool:
    """Whether the work that this is part of was told to stop."""
    here = _here.get()
    return here is not None and here.cancel()


@contextlib.contextmanager
def waiting() -> Iterator[None]:
    """Gives up the place of this thread, if it has one, while it waits for others."""
    here = _here.get()
    if here is None:
        yield
        return
    here.places.leave()
    try:
        yield
    finally:
        here.places.enter(here.worker, 0.0)


def execute(tasks: Iterable[Task], *, total: int, watch: Watch | None = None) -> Iterator[Outcome]:
    """Work on every task, yielding outcomes as they come; a failure disturbs no other task.

    On Ctrl-C every task under way stops and saves, then `KeyboardInterrupt` goes on.

    Args:
        tasks: taken one by one, from the threads but never from two at once.
        total: how many there will be, for the progress.
        watch: told the share that is done.
    """
    with waiting(), watching():
        yield from _execute(iter(tasks), total, watch)


class _Forked:
    """Whether this process has computed, and whether it was forked from one that had."""

    computed = False
    child = False


def _in_child() -> None:
    _Forked.child = _Forked.computed


os.register_at_fork(after_in_child=_in_child)


def _execute(pending: Iterator[Task], total: int, watch: Watch | None) -> Iterator[Outcome]:
    hint = "Start it with multiprocessing's spawn, or use sweep(workers=…)."
    require(not _Forked.child, "this process", FRESH, "a forked child of one", hint)
    _Forked.computed = True
    above, devices = _here.get(), jax.devices()
    cancel = Cancel(above.cancel if above else None)
    places = above.places if above else Places(len(devices))
    load = above.load if above else [0] * len(devices)
    share_threads(min(places.number, max(1, total)))
    turn, shares = threading.Lock(), dict[int, float]()
    # Bounded, lest quick tasks pile up outcomes that nobody has written yet.
    done: queue.Queue[Outcome | BaseException] = queue.Queue(maxsize=places.number)
    last = places.begin(total, cancel)

    def work(number: int) -> None:
        worker = object()
        _here.set(_ThreadState(places=places, cancel=cancel, worker=worker, load=load))
        if number >= places.number:
            last.wait()
        with turn:
            device = load.index(min(load))
            load[device] += 1
        try:
            with jax.default_device(devices[device]):
                while not cancel():
                    if not one(worker):
                        return
        except Stopped:
            return
        finally:
            with turn:
                load[device] -= 1

    def one(worker: object) -> bool:
        """Work on the next task; whether there may be more."""
        places.enter(worker, 0.0, cancel)
        if cancel():
            places.leave()
            return False
        try:
            with turn:
                task = next(pending, None)
                place = len(shares)
                shares[place] = 0.0
        except BaseException as error:
            places.leave()
            last.exhausted()
            done.put(error)
            return False
        if task is None:
            places.leave()
            last.exhausted()
            return False

        def report(share: float) -> None:
            shares[place] = share
            places.offer(worker, share, cancel)

        outcome = _attempt(task, cancel, report)
        shares[place] = 1.0
        places.leave()
        last.finished()
        done.put(outcome)
        return True

    number = max(1, min(total, 2 * places.number - 1))
    threads = [
        threading.Thread(target=contextvars.copy_context().run, args=(work, i), daemon=True)
        for i in range(number)
    ]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads) or not done.empty():
            raise_if_interrupted()
            try:
                outcome = done.get(timeout=0.05)
            except queue.Empty:
                outcome = None
            if watch:
                watch(min(1.0, sum(shares.values()) / max(1, total)))
            if isinstance(outcome, BaseException):
                raise outcome
            if outcome is not None:
                yield outcome
    finally:
        cancel.told.set()
        places.wake()
        until = time.monotonic() + GRACE
        while any(thread.is_alive() for thread in threads):
            with contextlib.suppress(queue.Empty):
                done.get(timeout=0.05)
            if above is None and time.monotonic() > until:
                cancel.left_behind = True
                break


def _attempt(task: Task, stop: Stop, report: Watch) -> Outcome:
    try:
        return Outcome(task=task, value=task.work(stop, report))
    except KeyboardInterrupt:
        return Outcome(task=task, error=Stopped())
    except Exception as error:
        return Outcome(task=task, error=error)

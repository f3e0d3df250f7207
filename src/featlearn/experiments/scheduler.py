"""The scheduler distributes tasks over the devices of this process, and can stop all of them.

Every device is a slot. A thread that holds a slot works on one task alone, so that the numbers of a
seed do not depend on other tasks. The last tasks share the slots in turn (see `slots`). All tasks
of equal shape share one compiled program. A task is taken from the iterator only when a slot is
free, so a generator may create tasks as they are needed.

A task may start tasks of its own: a statement trains, an item sweeps. It releases its slot while it
waits for them, and they stop when it has to stop.
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
from featlearn.experiments.slots import Slots
from featlearn.training.engine import share_threads

Watch = Callable[[float], None]
"""A progress callback: it is called with the fraction of the work that is done."""
Stop = Callable[[], bool]
"""A function that returns whether the work should stop at the next opportunity."""
FRESH = "a process that was not forked from one that computes, whose threads it lacks"
GRACE_SECONDS = 1.5
"""How many seconds tasks have to save and stop; after that they are abandoned."""


class Stopped(Exception):
    """Raised by a task that has saved its work and stopped, because it was asked to stop."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """A piece of work that is computed on one device."""

    name: Any
    """Identifies the task in its outcome."""
    work: Callable[[Stop, Watch], Any]
    """Computes the value and reports its progress; raises `Stopped` if it has to stop."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The end of a task: the task with its value, or with the exception that ended it."""

    task: Task
    value: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class Cancel:
    """A request to stop some tasks and the tasks that those have started; tasks that were abandoned
    may no longer save.
    """

    parent: "Cancel | None" = None
    requested: threading.Event = field(default_factory=threading.Event)
    abandoned: bool = False

    def __call__(self) -> bool:
        if self._was_abandoned():
            raise Stopped
        return self.requested.is_set() or (self.parent is not None and self.parent())

    def _was_abandoned(self) -> bool:
        return self.abandoned or (self.parent is not None and self.parent._was_abandoned())


@dataclass(frozen=True, kw_only=True, eq=False)
class _ThreadState:
    """What the scheduler knows about one thread."""

    slots: Slots
    cancel: Cancel
    worker: object
    load: "_Load"
    """How many workers are on each device."""


class _Load:
    """Counts the workers on each device, over all executions that share the devices."""

    def __init__(self, devices: int) -> None:
        self._lock, self._workers = threading.Lock(), [0] * devices

    @contextlib.contextmanager
    def least_busy(self) -> Iterator[int]:
        """The number of the device with the fewest workers, which counts one more meanwhile."""
        with self._lock:
            device = self._workers.index(min(self._workers))
            self._workers[device] += 1
        try:
            yield device
        finally:
            with self._lock:
                self._workers[device] -= 1


_thread_state: contextvars.ContextVar[_ThreadState | None] = contextvars.ContextVar(
    "scheduler", default=None
)


def stopping() -> bool:
    """Return whether the task that this thread works on has to stop."""
    state = _thread_state.get()
    return state is not None and state.cancel()


@contextlib.contextmanager
def slot_released() -> Iterator[None]:
    """Release the device slot of this thread, if it has one, inside a `with` block, in which the
    thread waits for others.
    """
    state = _thread_state.get()
    if state is None or not state.slots.holds(state.worker):
        yield
        return
    state.slots.leave(state.worker)
    try:
        yield
    finally:
        state.slots.enter(state.worker, 0.0)


def execute(tasks: Iterable[Task], *, total: int, watch: Watch | None = None) -> Iterator[Outcome]:
    """Compute all tasks and yield their outcomes as they end; a task that fails does not stop the
    others.

    On Ctrl-C all running tasks save and stop, then `KeyboardInterrupt` is raised.

    Args:
        tasks: an iterable of tasks, which several threads use, but only one at a time.
        total: the number of tasks, for the progress.
        watch: called with the fraction of the work that is done.
    """
    with slot_released(), watching():
        yield from _execute(iter(tasks), total, watch)


class _Forked:
    """Whether this process has computed with JAX, and whether it was forked from one that had."""

    computed = False
    child = False


def _in_child() -> None:
    _Forked.child = _Forked.computed


os.register_at_fork(after_in_child=_in_child)


def _execute(pending: Iterator[Task], total: int, watch: Watch | None) -> Iterator[Outcome]:
    hint = "Start it with multiprocessing's spawn, or use sweep(workers=…)."
    require(not _Forked.child, "this process", FRESH, "a forked child of one", hint)
    _Forked.computed = True
    parent, devices = _thread_state.get(), jax.devices()
    cancel = Cancel(parent.cancel if parent else None)
    slots = parent.slots if parent else Slots(len(devices))
    load = parent.load if parent else _Load(len(devices))
    share_threads(min(slots.number, max(1, total)))
    lock, shares = threading.Lock(), dict[int, float]()
    # Bounded, so that outcomes of quick tasks do not pile up before they are written.
    done: queue.Queue[Outcome | BaseException] = queue.Queue(maxsize=slots.number)
    last = slots.begin(total, cancel)

    def work(number: int) -> None:
        worker = object()
        _thread_state.set(_ThreadState(slots=slots, cancel=cancel, worker=worker, load=load))
        if number >= slots.number:
            last.wait()
        try:
            with load.least_busy() as device, jax.default_device(devices[device]):
                while not cancel():
                    if not work_on_next(worker):
                        return
        except Stopped:
            return

    def work_on_next(worker: object) -> bool:
        """Work on the next task; return whether there may be more."""
        slots.enter(worker, 0.0, cancel)
        if cancel():
            slots.leave(worker)
            return False
        try:
            with lock:
                task = next(pending, None)
                place = len(shares)
                shares[place] = 0.0
        except BaseException as error:
            slots.leave(worker)
            last.exhausted()
            done.put(error)
            return False
        if task is None:
            slots.leave(worker)
            last.exhausted()
            return False

        def report(share: float) -> None:
            shares[place] = share
            slots.offer(worker, share, cancel)

        outcome = _attempt(task, cancel, report)
        shares[place] = 1.0
        slots.leave(worker)
        last.finished()
        done.put(outcome)
        return True

    number = max(1, min(total, 2 * slots.number - 1))
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
        cancel.requested.set()
        slots.wake()
        until = time.monotonic() + GRACE_SECONDS
        while any(thread.is_alive() for thread in threads):
            with contextlib.suppress(queue.Empty):
                done.get(timeout=0.05)
            if parent is None and time.monotonic() > until:
                cancel.abandoned = True
                break


def _attempt(task: Task, stop: Stop, report: Watch) -> Outcome:
    try:
        return Outcome(task=task, value=task.work(stop, report))
    except KeyboardInterrupt:
        return Outcome(task=task, error=Stopped())
    except Exception as error:
        return Outcome(task=task, error=error)

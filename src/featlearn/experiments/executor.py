"""The one executor: tasks shared out over the devices of this process.

Every device has a thread that takes the next task and works on it alone, so that the numbers of a
seed cannot depend on what runs beside it; the last tasks take turns (see `turns`). All tasks of
equal shape share one compiled program. Tasks are taken from an iterator only when a device is free,
so they may be made as one goes.
"""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import jax

from featlearn.experiments.turns import Turns
from featlearn.training.engine import share_threads

Watch = Callable[[float], None]
"""Told the share of the work that is done."""
Stop = Callable[[], bool]
"""Whether to stop at the next opportunity."""


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


def execute(tasks: Iterable[Task], *, total: int, watch: Watch | None = None) -> Iterator[Outcome]:
    """Work on every task, yielding outcomes as they come; a failure disturbs no other task.

    On Ctrl-C every task under way stops and saves, then `KeyboardInterrupt` goes on.

    Args:
        tasks: taken one by one, from the threads but never from two at once.
        total: how many there will be, for the progress.
        watch: told the share that is done.
    """
    waiting, turn, stop = iter(tasks), threading.Lock(), threading.Event()
    shares: dict[int, float] = {}
    devices = jax.devices()[: max(1, total)]
    share_threads(len(devices))
    # Bounded, lest quick tasks pile up outcomes that nobody has written yet.
    done: queue.Queue[Outcome | BaseException] = queue.Queue(maxsize=len(devices))
    turns = Turns(len(devices), total, stop.is_set)

    def work(worker: int) -> None:
        if worker >= len(devices):
            turns.await_the_last()
        with jax.default_device(devices[worker % len(devices)]):
            while not stop.is_set():
                turns.enter(worker)
                try:
                    with turn:
                        task = next(waiting, None)
                        place = len(shares)
                        shares[place] = 0.0
                except BaseException as error:
                    turns.leave(exhausted=True)
                    done.put(error)
                    return
                if task is None:
                    turns.leave(exhausted=True)
                    return

                def report(share: float, worker: int = worker, place: int = place) -> None:
                    shares[place] = share
                    turns.offer(worker, share)

                outcome = _attempt(task, stop.is_set, report)
                shares[place] = 1.0
                turns.leave(finished=1)
                done.put(outcome)

    threads = [
        threading.Thread(target=work, args=(worker,), daemon=True)
        for worker in range(turns.workers())
    ]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads) or not done.empty():
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
        stop.set()
        turns.stop()
        while any(thread.is_alive() for thread in threads):
            with contextlib.suppress(queue.Empty):
                done.get(timeout=0.05)


def _attempt(task: Task, stop: Stop, report: Watch) -> Outcome:
    try:
        return Outcome(task=task, value=task.work(stop, report))
    except Exception as error:
        return Outcome(task=task, error=error)

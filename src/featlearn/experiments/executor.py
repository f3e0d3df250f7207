"""The one executor: seeds and configurations shared out over the devices of this process.

Every device has a thread that takes the next task and trains it alone, so that the numbers of a
seed cannot depend on what runs beside it. All tasks of equal shape share one compiled program.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import jax
import numpy as np

from featlearn._streams import stream
from featlearn.results.checkpoint import Checkpoint
from featlearn.training import Plan, Position, train

CHECKPOINT_SECONDS = 5.0

Trajectory = dict[int, dict[str, np.ndarray]]
"""step -> name -> array."""
Watch = Callable[[float], None]
"""Told the share of the work that is done."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One seed of one configuration."""

    build: Callable[[], Plan]
    seed: int
    checkpoints: Path | None = None


def execute(tasks: Sequence[Task], *, watch: Watch | None = None) -> list[Trajectory | Exception]:
    """Train every task; a task that fails gives its exception and disturbs no other.

    On Ctrl-C every task under way is saved at its last chunk, then `KeyboardInterrupt` is raised.
    """
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in range(len(tasks)):
        todo.put(index)
    outcomes: list[Trajectory | Exception | None] = [None] * len(tasks)
    shares = [0.0] * len(tasks)
    stop = threading.Event()

    def work(device: jax.Device) -> None:
        with jax.default_device(device):
            while not stop.is_set():
                try:
                    index = todo.get_nowait()
                except queue.Empty:
                    return
                try:
                    outcomes[index] = _train(tasks[index], stop, _report(shares, index))
                except Exception as error:
                    outcomes[index] = error

    devices = jax.devices()[: max(1, len(tasks))]
    threads = [threading.Thread(target=work, args=(device,), daemon=True) for device in devices]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(timeout=0.05)
            if watch:
                watch(sum(shares) / len(tasks))
    except KeyboardInterrupt:
        stop.set()
        for thread in threads:
            thread.join()
        raise
    if stop.is_set():
        raise KeyboardInterrupt
    return [outcome if outcome is not None else RuntimeError("not run") for outcome in outcomes]


def _report(shares: list[float], index: int) -> Watch:
    def report(share: float) -> None:
        shares[index] = share

    return report


def _train(task: Task, stop: threading.Event, report: Watch) -> Trajectory | None:
    plan = task.build()
    checkpoint = Checkpoint(task.checkpoints) if task.checkpoints else None
    resume, trajectory = _resume(plan, task.seed, checkpoint)
    unsaved: Trajectory = {}
    saved = time.monotonic()
    position = resume
    for position in train(plan, seed=task.seed, resume=resume):
        trajectory.update(position.records)
        unsaved.update(position.records)
        report(position.step / max(1, plan.steps))
        if checkpoint and (stop.is_set() or time.monotonic() - saved > CHECKPOINT_SECONDS):
            checkpoint.save(position, unsaved)
            unsaved, saved = {}, time.monotonic()
        if stop.is_set():
            return None
    if checkpoint and position is not None:
        checkpoint.save(position, unsaved)
    report(1.0)
    return trajectory


def _resume(
    plan: Plan, seed: int, checkpoint: Checkpoint | None
) -> tuple[Position | None, Trajectory]:
    if checkpoint is None:
        return None, {}

    def structure(phase: int) -> object:
        params = jax.eval_shape(plan.init, stream(seed, "init"))
        return jax.eval_shape(plan.phases[phase].start, params)

    return checkpoint.load(structure) or (None, {})

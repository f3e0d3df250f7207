"""One seed of one experiment as a task: trained chunk by chunk, saved on the way, resumable."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from featlearn.experiments.engine import pinned
from featlearn.experiments.executor import Stop, Stopped, Task, Watch
from featlearn.results.checkpoint import Checkpoint, Records
from featlearn.results.dataset import Trajectory
from featlearn.training import Position, Trainable

CHECKPOINT_SECONDS = 5.0
SPENT = 20.0
"""A checkpoint that took long to write is followed by this many times as much work."""


def trajectory_task(build: Callable[[], Trainable], seed: int, checkpoints: Path | None) -> Task:
    """The task of training one seed.

    Args:
        build: makes the plan, on the device that will run it.
        seed: all randomness comes from it.
        checkpoints: where to save positions on the way; None saves nothing.
    """

    def work(stop: Stop, report: Watch) -> Trajectory:
        with pinned():
            return _train(build(), seed, checkpoints, stop, report)

    return Task(name=seed, work=work)


def _train(
    plan: Trainable, seed: int, checkpoints: Path | None, stop: Stop, report: Watch
) -> Trajectory:
    checkpoint = Checkpoint(checkpoints) if checkpoints else None
    resume, records = _resume(plan, seed, checkpoint)
    unsaved: Records = {}
    saved, pause, position = time.monotonic(), CHECKPOINT_SECONDS, resume
    onwards: Any = () if resume and resume.diverged else plan.train(seed=seed, resume=resume)
    for position in onwards:
        records.update(position.records)
        unsaved.update(position.records)
        report(position.step / max(1, plan.steps))
        began = time.monotonic()
        if checkpoint and (stop() or began - saved > pause):
            checkpoint.save(position, unsaved)
            unsaved, saved = {}, time.monotonic()
            pause = max(CHECKPOINT_SECONDS, SPENT * (saved - began))
        if stop():
            raise Stopped
    if checkpoint and position is not None:
        checkpoint.save(position, unsaved)
    return Trajectory(records=records, diverged=position.diverged if position else None)


def _resume(
    plan: Trainable, seed: int, checkpoint: Checkpoint | None
) -> tuple[Position | None, Records]:
    if checkpoint is None:
        return None, {}
    found = checkpoint.load(lambda phase: plan.structure(phase, seed=seed))
    return found or (None, {})

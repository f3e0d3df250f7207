"""One seed of one experiment as a task: trained chunk by chunk, saved on the way, resumable."""

import time
from collections.abc import Callable
from pathlib import Path

import jax
import numpy as np

from featlearn._streams import stream
from featlearn.experiments.executor import Stop, Stopped, Task, Watch
from featlearn.results.checkpoint import Checkpoint
from featlearn.training import Plan, Position, train

CHECKPOINT_SECONDS = 5.0

Trajectory = dict[int, dict[str, np.ndarray]]
"""step -> name -> array."""


def trajectory_task(build: Callable[[], Plan], seed: int, checkpoints: Path | None) -> Task:
    """The task of training one seed.

    Args:
        build: makes the plan, on the device that will run it.
        seed: all randomness comes from it.
        checkpoints: where to save positions on the way; None saves nothing.
    """

    def work(stop: Stop, report: Watch) -> Trajectory:
        return _train(build(), seed, checkpoints, stop, report)

    return Task(name=seed, work=work)


def _train(
    plan: Plan, seed: int, checkpoints: Path | None, stop: Stop, report: Watch
) -> Trajectory:
    checkpoint = Checkpoint(checkpoints) if checkpoints else None
    resume, trajectory = _resume(plan, seed, checkpoint)
    unsaved: Trajectory = {}
    saved, position = time.monotonic(), resume
    for position in train(plan, seed=seed, resume=resume):
        trajectory.update(position.records)
        unsaved.update(position.records)
        report(position.step / max(1, plan.steps))
        if checkpoint and (stop() or time.monotonic() - saved > CHECKPOINT_SECONDS):
            checkpoint.save(position, unsaved)
            unsaved, saved = {}, time.monotonic()
        if stop():
            raise Stopped
    if checkpoint and position is not None:
        checkpoint.save(position, unsaved)
    return trajectory


def _resume(
    plan: Plan, seed: int, checkpoint: Checkpoint | None
) -> tuple[Position | None, Trajectory]:
    if checkpoint is None:
        return None, {}

    def structure(phase: int) -> object:
        dynamics = plan.phases[phase]
        params = jax.eval_shape(plan.init, stream(seed, "init"))
        fixed = jax.eval_shape(lambda key: dynamics.fixed(key=key), stream(seed, "sample"))
        return jax.eval_shape(dynamics.start, params, fixed)

    return checkpoint.load(structure) or (None, {})

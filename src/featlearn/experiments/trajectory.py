"""Train one seed of a plan as a task, which works in chunks and saves checkpoints to resume
from.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from featlearn._check import require
from featlearn.experiments.engine import pinned
from featlearn.experiments.scheduler import Stop, Stopped, Task, Watch
from featlearn.results.checkpoint import Checkpoint, Records
from featlearn.results.dataset import Trajectory
from featlearn.training import Position, Trainable

CHECKPOINT_SECONDS = 5.0
SPENT = 20.0
"""After a checkpoint at least this many times its writing time is spent on training."""
SHORT_SECONDS = 0.5
"""A seed whose result is written at once is not saved at its end if this is all it could lose."""


def trajectory_task(
    build: Callable[[], Trainable],
    seed: int,
    checkpoints: Path | None,
    budget: int | None = None,
    *,
    alone: bool = False,
) -> Task:
    """Return the task that trains one seed.

    Args:
        build: makes the plan; it is called on the device that will run it.
        seed: the source of all randomness.
        checkpoints: the folder for checkpoints; None saves none.
        budget: the most bytes that the records may have; None is no limit.
        alone: whether its result is written without waiting for other seeds.
    """

    def work(stop: Stop, report: Watch) -> Trajectory:
        with pinned():
            position, records = trained(
                build(), seed, checkpoints, stop, report, budget, alone=alone
            )
        return Trajectory(records=records, diverged=position.diverged)

    return Task(name=seed, work=work)


def trained(
    plan: Trainable,
    seed: int,
    checkpoints: Path | None,
    stop: Stop,
    report: Watch,
    budget: int | None = None,
    *,
    alone: bool = False,
) -> tuple[Position, Records]:
    """Train one seed; return its last position and its records; raise `Stopped` if it was asked to
    stop.

    Args:
        plan: the phases and what is recorded.
        seed: the source of all randomness.
        checkpoints: the folder for checkpoints, from which training continues; None saves none.
        stop: returns whether to stop at the next opportunity.
        report: called with the fraction of the steps that are done.
        budget: the most bytes that the records may have; None is no limit.
        alone: whether its result is written without waiting for other seeds.
    """
    checkpoint = Checkpoint(checkpoints) if checkpoints else None
    resume, records = _resume(plan, seed, checkpoint)
    unsaved: Records = {}
    saved, pause, position = time.monotonic(), CHECKPOINT_SECONDS, resume
    ended = resume is not None and (resume.diverged is not None or resume.step >= plan.steps)
    onwards: Iterable[Position] = () if ended else plan.train(seed=seed, resume=resume)
    for position in onwards:
        if budget is not None and position.records and not records:
            _require_room(plan, position.records, budget)
        records.update(position.records)
        unsaved.update(position.records)
        report(position.step / max(1, plan.steps))
        began = time.monotonic()
        stopped = stop()
        if checkpoint and (stopped or began - saved > pause):
            checkpoint.save(position, unsaved)
            unsaved, saved = {}, time.monotonic()
            pause = max(CHECKPOINT_SECONDS, SPENT * (saved - began))
        if stopped and position.step < plan.steps:
            raise Stopped
    assert position is not None
    if checkpoint and not (alone and time.monotonic() - saved < SHORT_SECONDS):
        checkpoint.save(position, unsaved)
    return position, records


def _require_room(plan: Trainable, first: Records, budget: int) -> None:
    """Raise `InputError` at the first record if the records of the whole run would not fit into the
    store.
    """
    each = sum(array.nbytes for record in first.values() for array in record.values()) / len(first)
    steps = len(getattr(getattr(plan, "recording", None), "steps", ())) or len(first)
    size = round(each * steps)
    require(
        size <= budget,
        "what is recorded",
        f"at most {budget / 2**20:.0f} MB a seed",
        f"{size / 2**20:.0f} MB at {steps} steps",
        "Record fewer steps or quantities, or run fewer seeds at a time.",
    )


def _resume(
    plan: Trainable, seed: int, checkpoint: Checkpoint | None
) -> tuple[Position | None, Records]:
    if checkpoint is None:
        return None, {}
    found = checkpoint.load(lambda phase: plan.structure(phase, seed=seed))
    return found or (None, {})

"""Fits on disk, each a file under a checksum of its recipe and its data.

One that is done is read and not made again; one that was interrupted goes on to the same bits. A
fit is saved when it ends, when it is told to stop, and about every twenty seconds before.
"""

import hashlib
import os
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax
import numpy as np

from featlearn.training.learner import Job, Watch
from featlearn.training.loop import Position, Record, Trainable

SAVE_SECONDS = 20.0
Records = dict[int, Record]


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """A folder of them."""

    folder: Path
    fresh: bool = False
    """Read none but those that were made through this very object."""
    made: set[Path] = field(default_factory=set, init=False, repr=False)

    def file(self, recipe: str, job: Job) -> Path:
        """Where a fit is, whether it was made or not."""
        text = hashlib.sha256(repr((recipe, job.size, job.seed, job.train.classes)).encode())
        for name, each in (("", job.train), *job.watched.items()):
            text.update(name.encode())
            text.update(np.ascontiguousarray(each.x).data)
            text.update(np.ascontiguousarray(each.labels).data)
        if job.unlabelled is not None:
            text.update(np.ascontiguousarray(job.unlabelled).data)
        return self.folder / f"{text.hexdigest()[:24]}.npz"

    def read(self, file: Path, plan: Trainable, seed: int) -> tuple[Position | None, Records]:
        """Where the last attempt stood, and what it had recorded."""
        known = not self.fresh or file in self.made
        self.made.add(file)
        return load(file, plan, seed) if known else (None, {})


def trained(
    plan: Trainable,
    recipe: str,
    job: Job,
    *,
    fits: Fits | None,
    stop: Callable[[], bool],
    told: Watch,
) -> tuple[Position, Records]:
    """The last position and all records; an earlier position if it was told to stop.

    Args:
        plan: how it is trained.
        recipe: all that the plan has from its learner, in words that no other recipe has.
        job: what is trained, with its seed.
        fits: where it is kept; None keeps nothing.
        stop: whether to stop at the next opportunity.
        told: told the share of the steps that are done.
    """
    file = fits.file(recipe, job) if fits else None
    kept, records = fits.read(file, plan, job.seed) if fits and file else (None, {})
    position, saved = kept, time.monotonic()
    if kept is None or kept.step < plan.steps:
        for position in plan.train(seed=job.seed, resume=kept):
            records |= position.records
            told(position.step / plan.steps)
            over = position.step == plan.steps or stop()
            if file and (over or time.monotonic() - saved > SAVE_SECONDS):
                save(file, position, records)
                saved = time.monotonic()
            if over:
                break
    assert position is not None
    told(position.step / plan.steps)
    return position, records


def save(file: Path, position: Position, records: Records) -> None:
    """Keep a position and all that was recorded, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    arrays = {f"leaf-{i}": np.asarray(v) for i, v in enumerate(jax.tree.leaves(position.state))}
    arrays |= {f"{t}|{name}": v for t, each in records.items() for name, v in each.items()}
    aside = file.with_name(f".{file.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        with aside.open("wb") as handle:
            np.savez(handle, step=np.asarray(position.step), **arrays)  # type: ignore[arg-type]
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


def load(file: Path, plan: Trainable, seed: int) -> tuple[Position | None, Records]:
    """What `save` kept; nothing if there is none, or none that can be read."""
    structure: Any = jax.tree.structure(plan.structure(0, seed=seed))
    try:
        with file.open("rb") as handle, np.load(handle) as kept:
            arrays = {name: kept[name] for name in kept.files}
        leaves = [arrays[f"leaf-{i}"] for i in range(structure.num_leaves)]
        step = int(arrays["step"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None, {}
    records: Records = {}
    for key in arrays:
        if "|" in key:
            t, name = key.split("|", 1)
            records.setdefault(int(t), {})[name] = arrays[key]
    state = jax.tree.unflatten(structure, leaves)
    return Position(phase=0, step=step, state=state), records

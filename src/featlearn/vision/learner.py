"""ResNet(m) as a family of classifiers, for whoever asks for sizes (algorithm 1 of S).

Fits run side by side, one core each. With a folder, every fit is kept there under a checksum of its
recipe and its images: one that is done is read, one that was interrupted goes on to the same bits.
"""

import concurrent.futures as futures
import hashlib
import os
import threading
import time
import zipfile
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import jax
import numpy as np

from featlearn.training import Position, log_spaced
from featlearn.training.learner import Fit, Inputs, Job, Shape, Watch
from featlearn.training.loop import Record
from featlearn.vision.descent import Descent, Sample, State, epochs, on_device
from featlearn.vision.extra import require_torch
from featlearn.vision.filters import channels_first, judge
from featlearn.vision.plan import ImagePlan, Measure, Scores, prepared, scorer
from featlearn.vision.resnet import ResNet

SAVE_SECONDS = 20.0
NUMERICS = 0
"""Raised whenever a change alters what a fit gives: kept ones are then not read."""


@dataclass(frozen=True, kw_only=True)
class ResNets:
    """The family ResNet(1), ResNet(2), … with its way of training."""

    epochs: int
    batch: int = 64
    eta: float = 0.1
    momentum: float = 0.9
    decay: float = 5e-4
    lam: float = 1.0
    """Weight of R2 in the penalty on unlabelled images."""
    records: int = 8
    """About how many steps are recorded."""
    folder: Path | None = field(default=None, compare=False)
    """Where fits are kept; None keeps nothing."""

    @property
    def name(self) -> str:
        """As in ResNet(5)."""
        return "ResNet"

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """How many numbers a member of that size has to learn."""
        return _network(size, shape, classes).parameters

    def fit(self, jobs: Sequence[Job], watch: Watch | None = None) -> list[Fit]:
        """Train all of them, in the order given."""
        require_torch("ResNet")
        work = [max(1, job.size) * self._steps(job) for job in jobs]
        shares, stop = [0.0] * len(jobs), threading.Event()

        def one(place: int) -> Fit:
            def told(share: float) -> None:
                shares[place] = share

            return self._fit(jobs[place], told, stop)

        with futures.ThreadPoolExecutor(max_workers=_cores()) as pool:
            # The largest first, so that no core waits for a long one at the end.
            order = sorted(range(len(jobs)), key=lambda place: -work[place])
            running = {place: pool.submit(one, place) for place in order}
            try:
                waiting: set[futures.Future[Fit]] = set(running.values())
                while waiting:
                    done, waiting = futures.wait(waiting, 0.2, futures.FIRST_EXCEPTION)
                    for each in done:
                        each.result()
                    if watch:
                        watch(sum(s * w for s, w in zip(shares, work, strict=True)) / sum(work))
            finally:
                stop.set()
                for each in running.values():
                    each.cancel()
        return [running[place].result() for place in range(len(jobs))]

    def plan(self, job: Job) -> ImagePlan:
        """How one of them is trained."""
        train = job.train
        network = _network(job.size, train.shape, train.classes)
        others = None if job.unlabelled is None else channels_first(job.unlabelled)
        sample = Sample(x=channels_first(train.x), y=train.labels, unlabelled=others)
        descent = Descent(
            network=network,
            steps=self._steps(job),
            batch=self.batch,
            eta=self.eta,
            momentum=self.momentum,
            decay=self.decay,
            lam=self.lam,
        )

        def measure(scores: Scores, state: State) -> Record:
            record: Record = {}
            for name, held_out in job.watched.items():
                found = judge(scores, held_out)
                record[f"loss|{name}"], record[f"accuracy|{name}"] = map(np.asarray, found)
            return record

        def measured(seed: int) -> Measure:
            return measure

        recorded = tuple(sorted({1, *log_spaced(descent.steps, max(2, self.records))} - {0}))
        return ImagePlan(
            descent=descent, sample=lambda seed: sample, measure=measured, recorded=recorded
        )

    def _steps(self, job: Job) -> int:
        return epochs(self.epochs, self.batch, len(job.train))

    def _fit(self, job: Job, told: Watch, stop: threading.Event) -> Fit:
        plan = self.plan(job)
        file = self.folder / f"{self._digest(job)}.npz" if self.folder else None
        kept, records = load(file, plan, job.seed) if file else (None, {})
        position, saved = kept, time.monotonic()
        if kept is None or kept.step < plan.steps:
            for position in plan.train(seed=job.seed, resume=kept):
                records |= position.records
                told(position.step / plan.steps)
                late = time.monotonic() - saved > SAVE_SECONDS
                if file and (stop.is_set() or late or position.step == plan.steps):
                    save(file, position, records)
                    saved = time.monotonic()
                if stop.is_set():
                    break
        told(1.0)
        assert position is not None
        return _fitted(plan, job, position, records)

    def _digest(self, job: Job) -> str:
        recipe = (*astuple(self)[:-1], job.size, job.seed, job.train.classes, NUMERICS)
        text = hashlib.sha256(repr(recipe).encode())
        for x, labels in [(s.x, s.labels) for s in (job.train, *job.watched.values())]:
            text.update(np.ascontiguousarray(x).tobytes() + labels.tobytes())
        if job.unlabelled is not None:
            text.update(np.ascontiguousarray(job.unlabelled).tobytes())
        text.update(repr(sorted(job.watched)).encode())
        return text.hexdigest()[:24]


def save(file: Path, position: Position, records: dict[int, Record]) -> None:
    """Keep a position and all that was recorded, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    arrays = {f"leaf-{i}": np.asarray(v) for i, v in enumerate(jax.tree.leaves(position.state))}
    arrays |= {f"{t}|{name}": v for t, each in records.items() for name, v in each.items()}
    aside = file.with_name(f".{file.name}.{os.getpid()}-{threading.get_ident()}")
    with aside.open("wb") as handle:
        np.savez(handle, step=np.asarray(position.step), **arrays)  # type: ignore[arg-type]
    aside.replace(file)


def load(file: Path, plan: ImagePlan, seed: int) -> tuple[Position | None, dict[int, Record]]:
    """What `save` kept; nothing if there is none, or none that can be read."""
    structure: Any = jax.tree.structure(plan.structure(0, seed=seed))
    try:
        with file.open("rb") as handle, np.load(handle) as kept:
            arrays = {name: kept[name] for name in kept.files}
        leaves = [arrays[f"leaf-{i}"] for i in range(structure.num_leaves)]
        step = int(arrays["step"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None, {}
    records: dict[int, Record] = {}
    for key in arrays:
        if "|" in key:
            t, name = key.split("|", 1)
            records.setdefault(int(t), {})[name] = arrays[key]
    state = jax.tree.unflatten(structure, leaves)
    return Position(phase=0, step=step, state=state), records


def _fitted(plan: ImagePlan, job: Job, at: Position, records: dict[int, Record]) -> Fit:
    state: Any = jax.tree.map(np.array, at.state)
    steps = np.array(sorted(records))

    def curves(what: str) -> dict[str, np.ndarray]:
        return {
            name: np.array([float(records[int(t)][f"{what}|{name}"]) for t in steps])
            for name in job.watched
        }

    def probabilities(x: Inputs) -> np.ndarray:
        device = prepared(plan.threads)
        z = scorer(plan.descent, on_device(state, device), device)(channels_first(x)).astype(float)
        f = np.exp(z - z.max(axis=1, keepdims=True))
        return np.asarray(f / f.sum(axis=1, keepdims=True))

    return Fit(
        size=job.size,
        seed=job.seed,
        steps=steps,
        loss=curves("loss"),
        accuracy=curves("accuracy"),
        probabilities=probabilities,
    )


def _network(size: int, shape: Shape, classes: int) -> ResNet:
    height, _, channels = shape
    return ResNet(filters=size, classes=classes, channels=channels, side=height)


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1

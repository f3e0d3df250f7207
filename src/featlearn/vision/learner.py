"""ResNet(m) as a family of classifiers, for whoever asks for sizes (algorithm 1 of S).

Fits run side by side, one core each, and are kept if there is a place for them.
"""

import concurrent.futures as futures
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from featlearn._source import source_digest
from featlearn.training import Position, log_spaced
from featlearn.training.kept import Fits, Records, trained
from featlearn.training.learner import Fit, Inputs, Job, Shape, Watch
from featlearn.training.loop import Record
from featlearn.vision.descent import Descent, Sample, State, epochs, on_device
from featlearn.vision.extra import require_torch
from featlearn.vision.filters import channels_first, judge
from featlearn.vision.plan import ImagePlan, Measure, Scores, prepared, scorer
from featlearn.vision.resnet import ResNet


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
    fits: Fits | None = field(default=None, compare=False, repr=False)
    """Where they are kept; None keeps nothing."""

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
        plan, recipe = self.plan(job), f"{self!r}, {source_digest()}"
        end = trained(plan, recipe, job, fits=self.fits, stop=stop.is_set, told=told)
        return _fitted(plan, job, *end)


def _fitted(plan: ImagePlan, job: Job, at: Position, records: Records) -> Fit:
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

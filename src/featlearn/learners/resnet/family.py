"""ResNet(m) as a family of classifiers, for algorithm 1 of Shi, Wei & Liang (2022)."""

import os
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import PyTree

from featlearn.learners.family import Fit, Inputs, Job, Records, Shape
from featlearn.learners.resnet.descent import Descent, Sample, State, epochs, on_device
from featlearn.learners.resnet.extra import require_torch
from featlearn.learners.resnet.filters import channels_first, judge
from featlearn.learners.resnet.network import ResNet
from featlearn.learners.resnet.plan import ImagePlan, Measure, Scores, prepared, scorer
from featlearn.training import log_spaced
from featlearn.training.loop import Record


@dataclass(frozen=True, kw_only=True)
class ResNets:
    """The family ResNet(1), ResNet(2), …, and how its members are trained."""

    epochs: int
    batch: int = 64
    eta: float = 0.1
    momentum: float = 0.9
    decay: float = 5e-4
    lam: float = 1.0
    """The weight of R2 in the penalty on unlabelled images."""
    records: int = 8
    """About how many steps are recorded."""

    @property
    def name(self) -> str:
        """The name of the family."""
        return "ResNet"

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """Return the number of trained parameters of a classifier of that size."""
        return _network(size, shape, classes).parameters

    def plan(self, job: Job) -> ImagePlan:
        """Return the training plan of a classifier."""
        require_torch("ResNet")
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

    def work(self, job: Job) -> float:
        """Return an estimate of the training time, in any unit."""
        return float(max(1, job.size) * self._steps(job))

    def as_fit(self, job: Job, state: PyTree, records: Records) -> Fit:
        """Return the trained classifier, made from the last state and the records."""
        return _as_fit(self.plan(job), job, state, records)


def _as_fit(plan: ImagePlan, job: Job, end: PyTree, records: Records) -> Fit:
    state: PyTree = jax.tree.map(np.array, end)
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

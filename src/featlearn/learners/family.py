r"""The interface of families of classifiers with a size m, such as FC(m) and ResNet(m).

    K   classes      f(x)   probabilities of the classes, >= 0 with sum 1      U   unlabelled inputs

A fit minimises the mean of -ln f(x)_y over its sample, and, where U is given, also

    R1 + lambda R2,    R1 = sum_j fbar_j ln fbar_j,    R2 = -mean over U of sum_j f_j ln f_j,

where fbar is the mean of f over U. R1 is least when all classes are equally frequent on U, R2
when every point of U belongs to one class with certainty (Shi, Wei & Liang 2022, equations 291 to
293).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int, PyTree

from featlearn._check import require
from featlearn.training.loop import Record, Trainable

Inputs = Float[np.ndarray, "images height width channels"]
Shape = tuple[int, int, int]
"""Height, width and channels."""
Records = dict[int, Record]
"""Step -> what was recorded at that step."""
Watch = Callable[[float], None]
"""A progress callback: it is called with the fraction of the work that is done."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Labelled:
    """Labelled inputs, whose classes are numbered 0, …, K - 1."""

    x: Inputs
    labels: Int[np.ndarray, " images"]
    classes: int

    def __post_init__(self) -> None:
        n, labels = len(self.x), len(self.labels)
        require(n == labels, "Labelled(labels)", f"{n} labels", labels)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def shape(self) -> Shape:
        """The shape of one input."""
        _, height, width, channels = self.x.shape
        return height, width, channels


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """The description of one classifier that is to be trained."""

    size: int
    """The m of FC(m) or ResNet(m)."""
    seed: int
    train: Labelled
    watched: Mapping[str, Labelled]
    """Name -> a set of inputs on which loss and accuracy are recorded."""
    unlabelled: Inputs | None = None
    """U: unlabelled inputs with the penalty R1 + lambda R2; None for no penalty."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """A trained classifier, with its loss and accuracy during training."""

    size: int
    seed: int
    steps: Int[np.ndarray, " records"]
    """The recorded steps; the last is the end of training."""
    loss: Mapping[str, Float[np.ndarray, " records"]]
    """The mean of -ln f(x)_y on each of the watched sets."""
    accuracy: Mapping[str, Float[np.ndarray, " records"]]
    probabilities: Callable[[Inputs], Float[np.ndarray, "images classes"]]
    """The function f at the end of training."""

    def labels(self, x: Inputs) -> Int[np.ndarray, " images"]:
        """Return the most probable class of every input."""
        return self.probabilities(x).argmax(axis=1)


@runtime_checkable
class Family(Protocol):
    """The description of a family of classifiers and of its training; `Lab.learner` trains it."""

    @property
    def name(self) -> str:
        """The name of the family, such as "FC" for FC(9)."""
        ...

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """Return the number of trained parameters of a classifier of that size."""
        ...

    def plan(self, job: Job) -> Trainable:
        """Return the training plan of a classifier."""
        ...

    def as_fit(self, job: Job, state: PyTree, records: Records) -> Fit:
        """Return the trained classifier, made from the last state and the records."""
        ...

    def work(self, job: Job) -> float:
        """Return an estimate of the training time, in any unit, so that long jobs start first."""
        ...


@runtime_checkable
class Learner(Protocol):
    """The interface of an object that trains the classifiers of a family."""

    @property
    def name(self) -> str:
        """The name of the family, such as "FC" for FC(9)."""
        ...

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """Return the number of trained parameters of a classifier of that size."""
        ...

    def fit(self, jobs: Sequence[Job], watch: Watch | None = None) -> list[Fit]:
        """Train a classifier for each job, and return them in the same order."""
        ...

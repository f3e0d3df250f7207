r"""Classifiers that come in sizes, such as FC(m) and ResNet(m): what is asked of a family of them.

    K   classes      f(x)   probabilities of the classes, >= 0 with sum 1      U   unlabelled inputs

A fit minimises the mean of -ln f(x)_y over its sample, and, where U is given, also

    R1 + lambda R2,    R1 = sum_j fbar_j ln fbar_j,    R2 = -mean over U of sum_j f_j ln f_j,

fbar being the mean of f over U: R1 is least when all classes are equally frequent on U, R2 when
every point of U has one class for sure (Shi, Wei & Liang 2022, equations 291 to 293).
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
"""Step -> what was recorded there."""
Watch = Callable[[float], None]
"""Told the share of the work that is done."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Labelled:
    """Inputs and their classes 0, …, K - 1."""

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
        """Of one input."""
        _, height, width, channels = self.x.shape
        return height, width, channels


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """One classifier to be trained."""

    size: int
    """The m of FC(m) or ResNet(m)."""
    seed: int
    train: Labelled
    watched: Mapping[str, Labelled]
    """Sets on which loss and accuracy are recorded, by name."""
    unlabelled: Inputs | None = None
    """U, where R1 + lambda R2 is to be small too."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """A classifier that was trained, and how it went."""

    size: int
    seed: int
    steps: Int[np.ndarray, " records"]
    """The steps that were recorded; the last is the end."""
    loss: Mapping[str, Float[np.ndarray, " records"]]
    """Mean of -ln f(x)_y on each of the watched sets."""
    accuracy: Mapping[str, Float[np.ndarray, " records"]]
    probabilities: Callable[[Inputs], Float[np.ndarray, "images classes"]]
    """f at the end of training."""

    def labels(self, x: Inputs) -> Int[np.ndarray, " images"]:
        """The likeliest class of every input."""
        return self.probabilities(x).argmax(axis=1)


@runtime_checkable
class Family(Protocol):
    """A family of classifiers and its way of training, as a description: see `Lab.learner`."""

    @property
    def name(self) -> str:
        """As in "FC" of FC(9)."""
        ...

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """How many numbers a member of that size has to learn."""
        ...

    def plan(self, job: Job) -> Trainable:
        """How one of them is trained."""
        ...

    def fitted(self, job: Job, state: PyTree, records: Records) -> Fit:
        """The classifier that its training ended with."""
        ...

    def work(self, job: Job) -> float:
        """About how long one of them takes, in any unit."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A family whose members can be trained."""

    @property
    def name(self) -> str:
        """As in "FC" of FC(9)."""
        ...

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """How many numbers a member of that size has to learn."""
        ...

    def fit(self, jobs: Sequence[Job], watch: Watch | None = None) -> list[Fit]:
        """Train all of them, in the order given."""
        ...

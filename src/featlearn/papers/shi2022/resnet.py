"""ResNet(m) on two classes of images: S appendix E.4.1, table 7, figures 20 and 21.

x        images, each channel less its mean and over its standard deviation in the training images
network  ResNet(m) of `learners.resnet.network`: m, 2m, 4m, 8m filters in its four residual blocks
training cross-entropy, minibatches, momentum, weight decay, step size eta (1 + cos(pi t/T))/2

The paper trains ResNet(128) and ResNet(256) on airplanes and automobiles of CIFAR-10 for 20 epochs;
batch, step size, momentum, decay and schedule are not given. It needs torch, the extra `vision`.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    from featlearn.distributions.images import Images
    from featlearn.experiments.experiment import PlannedRun
    from featlearn.learners.family import Labelled
    from featlearn.learners.resnet.plan import ImagePlan


@dataclass(frozen=True, kw_only=True)
class ResNetTraining:
    """A ResNet on some classes of an image set."""

    dataset: Literal["digits", "mnist", "cifar10", "svhn"] = "digits"
    """The images: those that scikit-learn carries, or a set whose files are in --data."""
    data: str | None = field(default=None, metadata={"hashed": False})
    """Folder of image files; none: FEATLEARN_DATA, then the user's data folder."""
    classes: tuple[int, ...] = (0, 1)
    """The classes that are told apart."""
    filters: int = 8
    """Filters of the first residual block (m); the others have 2m, 4m and 8m."""
    epochs: int = 20
    """Passes through the sample."""
    batch: int = 64
    """Images a step."""
    eta: float = 0.05
    """Step size at the start; it falls to 0 along half a cosine."""
    momentum: float = 0.9
    """What a step keeps of the last one."""
    decay: float = 5e-4
    """What is added to the gradient, times the weights."""
    samples: int | None = None
    """Training images, the first of the file; none: all."""
    test: int | None = None
    """Held-out images, the first of the file; none: all."""
    records: int = 4
    """About how many steps are recorded, besides the start, 3 epochs and the end."""
    threads: int = 1
    """Threads of torch on a CPU for every seed; seeds run side by side, and bits depend on it."""

    def __post_init__(self) -> None:
        require(len(set(self.classes)) >= 2, "classes", "at least 2 classes", self.classes)
        require(self.filters >= 1, "filters", "at least 1", self.filters)
        require(self.epochs >= 1, "epochs", "at least 1", self.epochs)
        require(self.batch >= 2, "batch", "at least 2 images", self.batch)
        require_positive(self.eta, "eta")
        require(0 <= self.momentum < 1, "momentum", "0 to below 1", self.momentum)
        require(self.decay >= 0, "decay", "0 or more", self.decay)
        for name in ("samples", "test"):
            count = getattr(self, name)
            require(count is None or count >= 2, name, "at least 2 images or none", count)
        require(self.records >= 2, "records", "at least 2", self.records)
        require(self.threads >= 1, "threads", "at least 1", self.threads)

    def images(self) -> "tuple[Labelled, Labelled]":
        """Training and held-out images, normalised alike."""
        from featlearn.distributions.images import load
        from featlearn.learners.family import Labelled

        folder = Path(self.data) if self.data else None
        train, test = (
            load(self.dataset, split, folder).only(*self.classes) for split in ("train", "test")
        )
        train = train.first(self.samples) if self.samples else train
        test = test.first(self.test) if self.test else test
        mean, sd = train.scaled.mean(axis=(0, 1, 2)), train.scaled.std(axis=(0, 1, 2))
        sd = sd + (sd == 0)

        def labelled(images: "Images") -> "Labelled":
            x = ((images.scaled - mean) / sd).astype("float32")
            return Labelled(x=x, labels=images.labels.astype("int64"), classes=len(self.classes))

        return labelled(train), labelled(test)

    def plan(self) -> "ImagePlan":
        """How it is trained, and what is recorded."""
        import numpy as np

        from featlearn.learners.resnet.descent import Descent, Sample, State, epochs
        from featlearn.learners.resnet.filters import channels_first, filter_record, judge
        from featlearn.learners.resnet.network import ResNet
        from featlearn.learners.resnet.plan import ImagePlan, Measure, Scores
        from featlearn.training.loop import Record

        train, test = self.images()
        height, _, channels = train.shape
        network = ResNet(
            filters=self.filters, classes=train.classes, channels=channels, side=height
        )
        steps = epochs(self.epochs, self.batch, len(train))
        descent = Descent(
            network=network,
            steps=steps,
            batch=self.batch,
            eta=self.eta,
            momentum=self.momentum,
            decay=self.decay,
            early=True,
        )
        sample = Sample(x=channels_first(train.x), y=train.labels)

        def measure(scores: Scores, state: State) -> Record:
            record = filter_record(network, state)
            for name, labelled in (("train", train), ("test", test)):
                loss, accuracy = judge(scores, labelled)
                record[f"{name}_loss"] = np.asarray(loss, np.float32)
                record[f"{name}_accuracy"] = np.asarray(accuracy, np.float32)
            return record

        def measured(seed: int) -> Measure:
            return measure

        third = min(epochs(3, self.batch, len(train)), steps)
        return ImagePlan(
            descent=descent,
            sample=lambda seed: sample,
            measure=measured,
            recorded=tuple(sorted({third, *fl.log_spaced(steps, self.records)})),
            threads=self.threads,
        )

    def experiment(self) -> "PlannedRun":
        """The experiment; its images are read when it is trained."""
        from featlearn._describe import describe
        from featlearn._source import sources
        from featlearn.distributions.images import checksum_of
        from featlearn.experiments.experiment import PlannedRun
        from featlearn.learners.resnet.filters import PAIRS
        from featlearn.learners.resnet.plan import ImagePlan
        from featlearn.results.key import ResultKey

        return PlannedRun(
            plan=self.plan(),
            quantities=self._quantities(),
            reductions=fl.last("test_accuracy", "train_accuracy", "test_loss", "train_loss"),
            named_places={"pair": PAIRS},
            key=ResultKey(
                description=[describe(self), checksum_of(self.dataset, self.data)],
                modules=sources(self, ImagePlan),
            ),
        )

    def _quantities(self) -> "dict[str, fl.Quantity]":
        from featlearn.learners.resnet.filters import quantities

        told = {"loss": "mean of -ln f(x)_y", "accuracy": "share of images classified right"}
        where = {"train": "on the training images", "test": "on the held-out images"}
        described = {
            f"{name}_{what}": fl.Quantity(dims=(), meaning=f"{meaning}, {place}")
            for name, place in where.items()
            for what, meaning in told.items()
        }
        return described | quantities()


RESNET = NamedExperiment(
    id="shi2022.resnet",
    title="Features of a ResNet on two classes of images (table 7, figures 20 and 21)",
    config=ResNetTraining(),
    references=("shi2022",),
)

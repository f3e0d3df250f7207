"""ResNet(m) on two classes of images: S appendix E.4.1, table 7, figures 20 and 21.

x        images, each channel less its mean and over its standard deviation in the training images
network  ResNet(m) of `learners.resnet.network`: m, 2m, 4m, 8m filters in its four residual blocks
training cross-entropy, minibatches, momentum, weight decay, step size eta (1 + cos(pi t/T))/2

The paper trains ResNet(128) and ResNet(256) on airplanes and automobiles of CIFAR-10 for 20 epochs;
batch, step size, momentum, decay and schedule are not given. It needs torch, the extra `vision`.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    from featlearn.experiments.experiment import PlannedRun


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

    def experiment(self) -> "PlannedRun":
        """The experiment; its images are read when it is trained."""
        from featlearn.papers.shi2022.resnet_run import planned  # torch and images only when run

        return planned(self)


RESNET = NamedExperiment(
    id="shi2022.resnet",
    title="Features of a ResNet on two classes of images (table 7, figures 20 and 21)",
    config=ResNetTraining(),
    references=("shi2022",),
)

"""Two-layer networks on two classes of images: S appendix E.4, figures 3 and 17 to 19.

x        pixels from 0 to 1, less their mean over the training images          y = -1, +1
network  f(x) = sum_i a_i relu(w_i.x + b_i), 50 neurons, w ~ N(0, omega²), a ~ N(0, 1/50), b = 0
training logistic loss, minibatches, momentum .95, no regularisation

The paper gives the width, a Gaussian start, SGD and the momentum. Activation, loss, batch, step
size, number of steps and the scale of the start are ours. The last decides: with omega = sqrt(2/d),
as networks are often started, a neuron hardly turns; with a small one it turns at once.
"""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    from collections.abc import Callable

    import xarray as xr

    from featlearn.distributions.images import PointSet
    from featlearn.experiments.experiment import Experiment
    from featlearn.measurements import Gathering, Reduction


ImageSet = Literal["digits", "mnist", "cifar10", "svhn"]
"""The sets of images that experiments take."""


@dataclass(frozen=True, kw_only=True)
class ImageTraining:
    """A two-layer network on two classes of an image set."""

    dataset: ImageSet = "digits"
    """The images: those that scikit-learn carries, or a set whose files are in --data."""
    data: str | None = field(default=None, metadata={"hashed": False})
    """Folder of image files; none: FEATLEARN_DATA, then the user's data folder."""
    classes: tuple[int, ...] = (0, 1)
    """The two classes, of label -1 and +1."""
    width: int = 50
    """Number of neurons (the paper's m)."""
    omega: float | None = 0.001
    """Standard deviation of the entries of the initial w; none: sqrt(2/d)."""
    eta: float = 0.01
    """Step size."""
    momentum: float = 0.95
    """What a step keeps of the last one."""
    batch: int = 128
    """Images a step."""
    steps: int = 1000
    """Number of steps."""
    records: int = 13
    """About how many steps are recorded."""

    def __post_init__(self) -> None:
        require(len(set(self.classes)) == len(self.classes) == 2, "classes", "two", self.classes)
        require(self.width >= 1, "width", "at least 1 neuron", self.width)
        if self.omega is not None:
            require_positive(self.omega, "omega")
        require_positive(self.eta, "eta")
        require(0 <= self.momentum < 1, "momentum", "0 to below 1", self.momentum)
        require(self.batch >= 1, "batch", "at least 1 image", self.batch)
        require(self.steps >= 1, "steps", "at least 1", self.steps)
        require(self.records >= 2, "records", "at least 2", self.records)

    def laws(self) -> "tuple[PointSet, PointSet]":
        """Training and held-out images, centred alike."""
        from featlearn.distributions.images import load, two_classes

        train, test = (
            load(self.dataset, split, self.data).only(*self.classes) for split in ("train", "test")
        )
        centre = train.flat.mean(axis=0)
        return two_classes(train, centre), two_classes(test, centre)

    def experiment(self) -> "Experiment":
        """The experiment with its measurements; the weights are kept at every recorded step."""

        law, held_out = self.laws()
        omega = math.sqrt(2 / law.d) if self.omega is None else self.omega
        network = fl.TwoLayer(
            d=law.d,
            width=self.width,
            w=fl.Gaussian(sd=omega),
            a=fl.Gaussian(sd=1 / math.sqrt(self.width)),
            b=fl.Constant(value=0.0),
            scaling="one",
        )
        phase = fl.Descent(
            loss=fl.loss("logistic"),
            data=fl.Sample(samples=law.points, batch=min(self.batch, law.points)),
            steps=self.steps,
            rule=fl.Momentum(eta=self.eta, beta=self.momentum),
        )
        return fl.Experiment(
            law,
            network,
            phase,
            record=(fl.OnPopulation(law=held_out), fl.OnPopulation(name="train"), fl.Weights()),
            at=(self.early, *fl.log_spaced(self.steps, self.records)),
            summary=self._summary(),
        )

    @property
    def early(self) -> int:
        """A tenth of the steps: by then features have emerged."""
        return max(1, self.steps // 10)

    def _summary(self) -> "tuple[Reduction, ...]":
        """Accuracy, and clusters by the rule of `measurements.gathering`."""

        def of_groups(step: int, number: "Callable[[Gathering], float]") -> "Callable[..., Any]":
            def numbers(dataset: "xr.Dataset") -> list[float]:
                w = dataset["weights_w"].sel(step=step).values
                return [float(number(fl.measurements.gathering(each))) for each in w]

            return numbers

        found = [
            fl.Computed(name=f"{what}_{when}", function=of_groups(step, number))
            for when, step in (("early", self.early), ("end", self.steps))
            for what, number in (("clusters", _count), ("gathered", _share))
        ]
        return (*fl.last("test_accuracy", "train_accuracy", "test_loss", "train_loss"), *found)


def _count(groups: "Gathering") -> float:
    return groups.count


def _share(groups: "Gathering") -> float:
    return groups.share


IMAGES = NamedExperiment(
    id="shi2022.images",
    title="Neurons of a two-layer network on two classes of images (figures 3, 17, 18, 19)",
    config=ImageTraining(),
    references=("shi2022",),
)

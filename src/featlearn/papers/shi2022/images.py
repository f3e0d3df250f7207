"""Two-layer networks on two classes of images: S appendix E.4, figures 3 and 17 to 19.

x        pixels from 0 to 1, less their mean over the training images          y = -1, +1
network  f(x) = sum_i a_i relu(w_i.x + b_i), 50 neurons, w ~ N(0, omega²), a ~ N(0, 1/50), b = 0
training logistic loss, minibatches, momentum .95, no regularisation

The paper gives the width, a Gaussian start, SGD and the momentum. Activation, loss, batch, step
size, number of steps and the scale of the start are ours. The last decides: with omega = sqrt(2/d),
as networks are often started, a neuron hardly turns; with a small one it turns at once.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

    from featlearn.distributions.images import PointSet
    from featlearn.experiments.experiment import Experiment


@dataclass(frozen=True, kw_only=True)
class ImageTraining:
    """A two-layer network on two classes of an image set."""

    dataset: Literal["digits", "mnist", "cifar10", "svhn"] = "digits"
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

    @property
    def numerics(self) -> int:
        """The contents of the image files, and 1 since epochs are shuffled otherwise."""
        from featlearn.distributions.images import checksum_of

        return int(checksum_of(self.dataset, self.data)[:12], 16) + 1

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
        import math

        from featlearn.experiments.experiment import Experiment
        from featlearn.measurements import OnPopulation
        from featlearn.networks import Constant, Gaussian, TwoLayer
        from featlearn.training import Descent, Momentum, Recording, Sample, log_spaced, loss

        (law, held_out), of = self.laws(), loss("logistic")
        omega = math.sqrt(2 / law.d) if self.omega is None else self.omega
        network = TwoLayer(
            d=law.d,
            width=self.width,
            w=Gaussian(sd=omega),
            a=Gaussian(sd=1 / math.sqrt(self.width)),
            b=Constant(value=0.0),
            scaling="one",
        )
        phase = Descent(
            distribution=law,
            network=network,
            loss=of,
            data=Sample(samples=law.points, batch=min(self.batch, law.points)),
            steps=self.steps,
            eta=self.eta,
            rule=Momentum(beta=self.momentum),
        )
        recording = Recording(
            measurements=tuple(
                OnPopulation(distribution=each, network=network, loss=of, name=name)
                for name, each in (("test", held_out), ("train", law))
            ),
            steps=tuple(sorted({self.early, *log_spaced(self.steps, self.records)})),
            keep_weights=True,
        )
        return Experiment(
            network=network, phases=(phase,), recording=recording, summarise=self._summarise
        )

    @property
    def early(self) -> int:
        """A tenth of the steps: by then features have emerged."""
        return max(1, self.steps // 10)

    def _summarise(self, dataset: "xr.Dataset") -> "dict[str, np.ndarray]":
        """One number a seed: accuracy, and clusters by the rule of `measurements.gathering`."""
        import numpy as np

        from featlearn.measurements import gathering

        found: dict[str, np.ndarray] = {}
        for name, step in (("early", self.early), ("end", self.steps)):
            w = dataset["weights_w"].sel(step=step).values
            groups = [gathering(each) for each in w]
            found[f"clusters_{name}"] = np.array([float(each.count) for each in groups])
            found[f"gathered_{name}"] = np.array([each.share for each in groups])
        end = dataset.isel(step=-1)
        names = ("test_accuracy", "train_accuracy", "test_loss", "train_loss")
        return {**{name: end[name].values for name in names}, **found}


IMAGES = NamedExperiment(
    id="shi2022.images",
    title="Neurons of a two-layer network on two classes of images (figures 3, 17, 18, 19)",
    config=ImageTraining(),
    references=("shi2022",),
)

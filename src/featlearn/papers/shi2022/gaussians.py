"""The experiment of Shi, Wei & Liang (2022), appendix E.3.2: parity of a mixture of Gaussians.

Two layers of ReLU with biases on x = sum eps_i M_i + g, y = prod eps_i; "typical practice", which
we read as logistic loss, a small start, all parts trained by SGD on fresh batches in the mean-field
scaling. Biases matter: without them relu(c.x) has no odd part but the linear one, so that no
network of such neurons has the parity of 5 signs.
"""

from dataclasses import dataclass

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment


@dataclass(frozen=True, kw_only=True)
class GaussianTraining:
    """Two-layer ReLU network on 2^k Gaussian clusters labelled by parity."""

    d: int = 100
    """Input dimension."""
    k: int = 4
    """Relevant directions; there are 2^k clusters."""
    sigma_r: float = 1.0
    """Length of the noise over that of a centre."""
    width: int = 800
    """Number of neurons."""
    eta: float = 0.5
    """Step size; gradients are multiplied by the width."""
    theta: float = 0.2
    """Radius of the initial neurons, and size of the initial second layer."""
    steps: int = 3000
    """Number of steps."""
    batch: int = 500
    """Fresh points per step."""
    near: float = 0.8
    """Cosine from which a neuron counts as pointing to a centre."""
    test: int = 5000
    """Held-out points."""
    records: int = 12
    """About how many steps are recorded."""
    keep_weights: bool = False
    """Keep the weights themselves at every recorded step."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.d, "k", f"1 to d = {self.d}", self.k)
        require(self.k <= 12, "k", "at most 12, for 4096 clusters", self.k)
        require_positive(self.sigma_r, "sigma-r")
        require(self.width >= 1, "width", "at least 1 neuron", self.width)
        require_positive(self.eta, "eta")
        require_positive(self.theta, "theta")
        require(self.steps >= 1, "steps", "at least 1", self.steps)
        require(self.batch >= 1, "batch", "at least 1", self.batch)
        require(0 < self.near < 1, "near", "a cosine between 0 and 1", self.near)
        require(self.test >= 1, "test", "at least 1 point", self.test)
        require(self.records >= 2, "records", "at least 2", self.records)

    def law(self) -> "fl.GaussianParity":
        """The clusters."""

        return fl.GaussianParity(d=self.d, k=self.k, sigma_r=self.sigma_r)

    def experiment(self) -> "fl.Experiment":
        """The experiment with its measurements."""

        network = fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Sphere(radius=self.theta),
            a=fl.Signs(size=self.theta),
            b=fl.Constant(value=0.0),
            scaling="mean-field",
        )
        return fl.Experiment(
            self.law(),
            network,
            fl.SGD(eta=self.eta, steps=self.steps, loss="logistic", batch=self.batch),
            record=(
                fl.HeldOut(samples=self.test),
                fl.Coverage(near=self.near),
                *((fl.Weights(),) if self.keep_weights else ()),
            ),
            at=self.records,
            summary=(
                *fl.last("test_accuracy", "test_loss", "covered", "same_sign"),
                fl.Last(quantity="nearest", name="least_cosine", by="min"),
            ),
        )


GAUSSIANS = NamedExperiment(
    id="shi2022.gaussians",
    title="Neurons cover the centres of a mixture of Gaussians (table 6)",
    config=GaussianTraining(),
    references=("shi2022",),
)

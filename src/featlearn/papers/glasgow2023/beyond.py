"""Beyond the paper: what its section 5 and its readers ask, each a named experiment.

gaussian     Gaussian inputs, the label still the sign of -x_1 x_2
frozen       second layer fixed at ±1 (Remark 4.3)
full-batch   gradient descent on one fixed sample of 12 d points instead of fresh ones
squared      squared loss (regression);  hinge: hinge loss
parity       parity of k = 3, 4 bits, with biases or without

They are the experiment of `xor` with some fields changed, and a second configuration for parities
of more bits, which have no signal and opposite direction. What came out is told in docs/papers.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment
from featlearn.papers.glasgow2023.xor import XOR, Xor


@dataclass(frozen=True, kw_only=True)
class KParity:
    """Two-layer ReLU network on the parity of k bits, trained as in XOR."""

    d: int = 20
    """Input dimension."""
    k: int = 3
    """Bits that make the label."""
    width: int = 200
    """Number of neurons (the paper's p)."""
    biases: bool = True
    """Biases, trained from 0: without them f is linear plus even, and no odd parity but k = 1."""
    theta: float = 0.3
    """Radius of the initial neurons, and size of the initial second layer."""
    eta: float = 0.2
    """Step size."""
    steps: int = 2000
    """Number of steps."""
    batch_ratio: float = 32.0
    """Fresh samples per step, divided by d."""
    noise: Literal["boolean", "gaussian"] = "boolean"
    """Law of the coordinates that the label does not depend on."""
    simulation: Literal["auto", "plain", "gram"] = "auto"
    """How it is computed: plain, or exactly in law without d (Gaussian noise, d >= k + 2 width)."""
    test: int = 2000
    """Held-out points on which loss and accuracy are measured."""
    records: int = 60
    """About how many steps are recorded, log-spaced."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.d, "k", "1 <= k <= d", f"k={self.k}, d={self.d}")
        require(self.width >= 1, "width", "at least 1 neuron", self.width)
        for name in ("theta", "eta", "batch_ratio"):
            require_positive(getattr(self, name), name.replace("_", "-"))
        for name in ("steps", "test"):
            require(getattr(self, name) >= 1, name, "at least 1", getattr(self, name))
        require(self.records >= 2, "records", "at least 2", self.records)

    def experiment(self) -> "fl.Experiment":
        """The experiment of section 2 with another label."""

        network = fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Sphere(radius=self.theta),
            a=fl.Signs(size=self.theta),
            b=fl.Constant(value=0.0) if self.biases else None,
            scaling="mean-field",
        )
        batch = max(1, round(self.batch_ratio * self.d))
        learned = fl.Reaches(quantity="test_accuracy", level=0.95)
        experiment = fl.Experiment(
            fl.Parity(d=self.d, k=self.k, noise=self.noise),
            network,
            fl.SGD(eta=self.eta, steps=self.steps, loss="doubled-logistic", batch=batch),
            record=(fl.HeldOut(samples=self.test),),
            at=self.records,
            summary=(
                *fl.last("test_accuracy", "test_loss"),
                fl.Crossing(name="learned_at", when=(learned,)),
            ),
        )
        return fl.accelerate(experiment, self.simulation)


def _changed(name: str, title: str, **fields: Any) -> NamedExperiment[Xor]:
    config = replace(XOR.config, **fields)
    return replace(XOR, id=f"glasgow2023.{name}", title=title, config=config)


GAUSSIAN = _changed(
    "gaussian", "XOR of signs, Gaussian inputs", signal="gaussian", noise="gaussian"
)
FROZEN = _changed("frozen", "XOR, second layer fixed at ±1", trained="first", second=1.0)
FULL_BATCH = _changed(
    "full-batch", "XOR, gradient descent on 12 d fixed points", d=100, samples=1200, steps=300
)
SQUARED = _changed("squared", "XOR, squared loss", loss="squared")
HINGE = _changed("hinge", "XOR, hinge loss", loss="hinge")
PARITY = NamedExperiment(
    id="glasgow2023.parity",
    title="Parity of k bits, trained as XOR is",
    config=KParity(),
    references=("glasgow2023",),
)
BEYOND = (GAUSSIAN, FROZEN, FULL_BATCH, SQUARED, HINGE, PARITY)

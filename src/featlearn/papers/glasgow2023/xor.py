"""The experiment of Glasgow (2023): minibatch SGD on both layers finds and then tunes XOR.

x is uniform on {-1,1}^d, y = -x_1 x_2; f(x) = (1/p) sum_j a_j relu(w_j.x) with w_j uniform on the
sphere of radius theta and a_j = ±theta; the loss is 2 log(1 + exp(-y f)); every step takes m fresh
samples and moves both layers, gradients scaled by p (section 2 of the paper).
"""

import math
from dataclasses import dataclass
from typing import Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment


@dataclass(frozen=True, kw_only=True)
class Xor:
    """Two-layer ReLU network on XOR, both layers trained by minibatch SGD."""

    d: int = 200
    """Input dimension."""
    width: int = 200
    """Number of neurons (the paper's p)."""
    theta: float = 0.3
    """Radius of the initial neurons, and size of the initial second layer."""
    eta: float = 0.2
    """Step size."""
    steps: int | None = None
    """Number of steps; none takes 7 log(d)/eta, the order of theorem 3.1, and at least 200."""
    batch_ratio: float = 4.0
    """Fresh samples per step, divided by d (the paper's m/d)."""
    batch: int | None = None
    """Fresh samples per step (m); overrides batch-ratio."""
    samples: int | None = None
    """Train on a fixed sample of this size, batch by batch (all of it if batch is none)."""
    signal: Literal["boolean", "gaussian"] = "boolean"
    """Law of the two coordinates that make the label."""
    noise: Literal["boolean", "gaussian"] = "boolean"
    """Law of the other coordinates."""
    simulation: Literal["auto", "plain", "gram"] = "auto"
    """How it is computed: plain, or exactly in law without d (Gaussian noise, d >= 2 + 2 width);
    auto does the latter from d = 4 (2 + width) on."""
    rotated: bool = False
    """Turn the cube by a random rotation (Remark 2.1), drawn from the seed 0."""
    trained: Literal["both", "first"] = "both"
    """Train both layers, or the first only (Remark 4.3)."""
    second: float | None = None
    """Size of the initial second layer; theta if none (Remark 4.3 speaks of 1)."""
    loss: Literal["doubled-logistic", "logistic", "hinge", "squared"] = "doubled-logistic"
    """Loss; the paper's is 2 log(1 + exp(-y f))."""
    log_power: float = 0.0
    """c in the threshold log(d)^c theta that ends phase 1."""
    test: int = 2000
    """Held-out points on which loss and accuracy are measured."""
    records: int = 100
    """About how many steps are recorded, log-spaced."""
    keep_weights: bool = False
    """Keep the weights themselves at every recorded step."""

    def __post_init__(self) -> None:
        require(self.d >= 2, "d", "at least 2", self.d, "XOR needs two signal coordinates.")
        require(self.width >= 1, "width", "at least 1 neuron", self.width)
        require_positive(self.theta, "theta")
        require_positive(self.eta, "eta")
        if self.second is not None:
            require_positive(self.second, "second")
        require(self.steps is None or self.steps >= 1, "steps", "at least 1", self.steps)
        require_positive(self.batch_ratio, "batch-ratio")
        require(self.batch is None or self.batch >= 1, "batch", "at least 1", self.batch)
        require(self.samples is None or self.samples >= 1, "samples", "at least 1", self.samples)
        if self.samples is not None and self.batch is not None:
            require(
                self.batch <= self.samples, "batch", f"at most samples = {self.samples}", self.batch
            )
        require(abs(self.log_power) <= 20, "log-power", "a number from -20 to 20", self.log_power)
        require(self.test >= 1, "test", "at least 1 point", self.test)
        require(self.records >= 2, "records", "at least 2", self.records)

    @property
    def batch_size(self) -> int:
        """m."""
        return max(1, round(self.batch_ratio * self.d)) if self.batch is None else self.batch

    @property
    def total_steps(self) -> int:
        """The steps asked for, or 7 log(d)/eta, rounded, and at least 200."""
        return (
            max(200, round(7 * math.log(self.d) / self.eta)) if self.steps is None else self.steps
        )

    def experiment(self) -> "fl.Experiment":
        """The experiment of section 2, with all of its measurements.

        Phase 1 ends when for every mu a tenth of the neurons have w_sig.mu > 0 and ||w_sig|| >=
        log(d)^c theta, and E||w_perp + w_opp||^2 <= 4 theta^2 (lemma 4.1); phase 2 when the
        held-out loss is at most 1/log d (theorem 3.1, its Theta(1) read as 1).
        """

        basis = fl.rotation(self.d, key=fl.stream(0, "rotation")) if self.rotated else None
        network = fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Sphere(radius=self.theta),
            a=fl.Signs(size=self.theta if self.second is None else self.second),
            scaling="mean-field",
            trained=("w", "a") if self.trained == "both" else ("w",),
        )
        experiment = fl.Experiment(
            fl.Parity(d=self.d, signal=self.signal, noise=self.noise, basis=basis),
            network,
            fl.SGD(
                eta=self.eta,
                steps=self.total_steps,
                loss=self.loss,
                batch=self.batch if self.samples else self.batch_size,
                samples=self.samples,
            ),
            record=(
                fl.SignalParts(threshold=math.log(self.d) ** self.log_power * self.theta),
                fl.Margins(),
                fl.HeldOut(samples=self.test),
                *((fl.Weights(),) if self.keep_weights else ()),
            ),
            at=self.records,
            summary=(
                *fl.last("test_accuracy", "test_loss"),
                fl.Crossing(
                    name="phase_1_end",
                    when=(
                        fl.Reaches(quantity="found", level=0.1),
                        fl.Reaches(quantity="rest", level=4 * self.theta**2, side="<="),
                    ),
                ),
                fl.Crossing(
                    name="phase_2_end",
                    when=(fl.Reaches(quantity="test_loss", level=1 / math.log(self.d), side="<="),),
                ),
                fl.Last(quantity="gamma", name="gamma_min", by="min"),
                *fl.last("heavy_share"),
            ),
        )
        return fl.accelerate(experiment, self.simulation)


XOR = NamedExperiment(
    id="glasgow2023.xor",
    title="SGD finds, then tunes, the features of XOR",
    config=Xor(),
    references=("glasgow2023",),
)

"""One-pass SGD of a two-layer network on any Boolean target (Abbe et al. 2022).

x is uniform on {-1,1}^d, y = h(k hidden bits); f(x) = (1/p) sum_j a_j s(w_j.x + b_j), a_j uniform
on [-1, 1], entries of w_j of size 1/sqrt d, b_j = -1/2; the loss is (f - y)^2/2, every step takes
fresh points and moves both layers and biases. The paper leaves activation and sizes open, without
biases; sigmoid(. - 1/2) has all derivatives at 0 other than 0, as its theorems ask for, and learns
some ten times more slowly while the shift is held fixed (see docs/papers/abbe2022.md).
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import featlearn as fl
from featlearn._check import InputError, require, require_positive
from featlearn.experiments.named import NamedExperiment

SHIFT = -0.5
"""The bias at the start: s(z) = sigmoid(z - 1/2)."""


@dataclass(frozen=True, kw_only=True)
class Staircase:
    """Two-layer network on a Boolean target of your choice, one pass of SGD."""

    formula: str = "x1 + x1*x2 + x1*x2*x3"
    """The target: a formula of bits x1, x2, …: + - * / ** and sign(…)."""
    d: int = 64
    """Input dimension."""
    width: int = 128
    """Number of neurons."""
    eta: float = 0.5
    """Step size; the flow's time is eta times steps."""
    steps: int = 1200
    """Number of steps."""
    batch_ratio: float = 1.0
    """Fresh samples per step, divided by d."""
    noise: Literal["boolean", "gaussian"] = "boolean"
    """Law of the inputs that the target ignores."""
    simulation: Literal["auto", "plain", "gram"] = "auto"
    """How it is computed: plain, or exactly in law without d (Gaussian noise, d >= k + 2 width);
    auto does the latter from d = 4 (k + width) on."""
    task: Literal["regression", "classification"] = "regression"
    """Labels h, or their signs."""
    loss: Literal["squared", "logistic", "hinge"] = "squared"
    """Loss; the paper's is the squared one."""
    activation: Literal["sigmoid", "relu", "tanh"] = "sigmoid"
    """Activation, shifted by -1/2."""
    trained: Literal["both", "first"] = "both"
    """Train both layers, or the first only."""
    rotated: bool = False
    """Turn the cube by a random rotation, drawn from the seed 0."""
    hidden: bool = False
    """Put the bits at random places, drawn from the seed 0, instead of first."""
    test: int = 2000
    """Held-out points on which loss and learned terms are measured."""
    records: int = 60
    """About how many steps are recorded, log-spaced."""

    def __post_init__(self) -> None:
        require(len(self.formula.strip()) >= 1, "formula", "a formula such as x1 + x1*x2", "none")
        require(self.d >= 1, "d", "at least 1", self.d)
        require(self.width >= 1, "width", "at least 1 neuron", self.width)
        require_positive(self.eta, "eta")
        require(self.steps >= 1, "steps", "at least 1", self.steps)
        require_positive(self.batch_ratio, "batch-ratio")
        require(self.test >= 1, "test", "at least 1 point", self.test)
        require(self.records >= 2, "records", "at least 2", self.records)

    @property
    def batch(self) -> int:
        """Fresh samples per step."""
        return max(1, round(self.batch_ratio * self.d))

    def law(self) -> Any:
        """The Boolean law, with its truth."""
        try:
            law = fl.Boolean(d=self.d, target=self.formula, task=self.task, noise=self.noise)
        except InputError as error:  # of the knob, not of the law that is made from it
            if error.where != "Boolean(target)":
                raise
            raise InputError("formula", error.expected, error.got, error.hint) from None
        law = law.hidden(key=fl.stream(0, "hidden")) if self.hidden else law
        if self.rotated:
            law = replace(law, basis=fl.rotation(self.d, key=fl.stream(0, "rotation")))
        return law

    def experiment(self) -> "fl.Experiment":
        """Law, network, one phase of SGD, and what neurons and network make of the bits.

        `learned` is the time eta t at which the held-out error, (f - y)^2 in the mean, is a tenth
        of the variance of the target (squared loss).
        """

        law = self.law()
        network = fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Gaussian(sd=1 / math.sqrt(self.d)),
            a=fl.Uniform(bound=1.0),
            b=fl.Constant(value=SHIFT),
            scaling="mean-field",
            activation=activation_of(self.activation),
            trained=("w", "a", "b") if self.trained == "both" else ("w",),
        )
        level = law.mean_label.variance / 20
        reached = fl.Reaches(quantity="test_loss", level=level, side="<=")
        squared = self.loss == "squared"
        experiment = fl.Experiment(
            law,
            network,
            fl.SGD(eta=self.eta, batch=self.batch, steps=self.steps, loss=self.loss),
            record=(
                fl.BitParts(),
                fl.LearnedTerms(samples=self.test),
                fl.HeldOut(samples=self.test),
            ),
            at=self.records,
            summary=(
                *fl.last("test_loss", "test_accuracy", "on_others"),
                *((fl.Crossing(name="learned_at", when=(reached,)),) if squared else ()),
            ),
        )
        return fl.accelerate(experiment, self.simulation)


def activation_of(name: str) -> Any:
    """The activation of that name, without its shift."""
    import jax

    known: dict[str, Any] = {"sigmoid": jax.nn.sigmoid, "relu": "relu", "tanh": jax.numpy.tanh}
    return fl.activation(known[name])


STAIRCASE = NamedExperiment(
    id="abbe2022.staircase",
    title="SGD climbs the staircase of a Boolean target",
    config=Staircase(),
    references=("abbe2022",),
)

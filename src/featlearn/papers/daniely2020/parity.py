"""The experiment of Daniely & Malach (2020): gradient descent learns a parity that leaks.

x in {±1/sqrt d}^d from D_A = (D1 + D2)/2, y the parity of the k bits of A; f(x) = sum_i a_i
relu6(w_i.x + b_i) with w_i in {-1,0,1}^d, b_i = 1/(8k), a_i uniform on [-d/k, d/k]; hinge loss. The
first step has eta = 1 and lambda = 1/2, so that the old w and a are forgotten, and finds A; what
follows trains the read-out (sections 2 and 3 of the paper).

*Starts.* "mirrored" gives the twin of neuron i the same w and b and the opposite a, so that f = 0:
this is what the proofs use. "negated" is what the text prints (-w, -b, -a), with which f is not 0.
*First step.* Exact over the population where the start is mirrored, else on a large fresh batch.
*Schedules* (see `schedules`). "literal" with large fresh batches that stand for the population,
"practical" with small ones.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment
from featlearn.papers.daniely2020.schedules import Schedule, descent, step_size

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

    from featlearn.distributions import LeakyParity
    from featlearn.experiments.experiment import Experiment
    from featlearn.networks import TwoLayer


@dataclass(frozen=True, kw_only=True)
class Parities:
    """Two-layer ReLU6 network on a leaky parity: one large step, then many small ones."""

    d: int = 301
    """Input dimension (the paper's n)."""
    k: int = 5
    """Number of relevant bits, odd."""
    width: int = 600
    """Number of neurons, twins counted (the paper's 2q)."""
    relevant: tuple[int, ...] = ()
    """The set A of relevant bits, counted from 0; empty for the first k."""
    pairing: Literal["mirrored", "negated"] = "mirrored"
    """The start: mirrored (f = 0, meant) or negated (printed)."""
    first: Literal["exact", "sampled"] = "exact"
    """Gradient of the first step: the population's, in closed form, or a fresh batch's."""
    first_batch: int = 100_000
    """Fresh samples of a sampled first step."""
    schedule: Schedule = "practical"
    """After the first step: Adam with a falling step size, or the paper's plain descent."""
    eta: float | None = None
    """Step size after the first step; none for .01 (practical) or k^2/(T sqrt q) (literal)."""
    lam: float = 0.0
    """Weight decay after the first step; the paper allows up to k/d."""
    steps: int = 4000
    """Number of steps after the first (T)."""
    batch: int = 500
    """Fresh samples per step."""
    test: int = 10_000
    """Held-out points, as many from each half."""
    records: int = 40
    """About how many steps are recorded, log-spaced."""
    keep_weights: bool = False
    """Keep the weights themselves at every recorded step."""

    def __post_init__(self) -> None:
        require(
            self.k >= 1 and self.k % 2 == 1,
            "k",
            "an odd number of relevant bits",
            self.k,
            "With an even k the leaky half has one label only.",
        )
        require(self.k <= self.d, "k", f"at most d = {self.d}", self.k)
        if self.relevant:
            require(
                len(self.relevant) == len(set(self.relevant)) == self.k,
                "relevant",
                f"k = {self.k} different bits",
                ",".join(map(str, self.relevant)),
            )
            within = min(self.relevant) >= 0 and max(self.relevant) < self.d
            require(within, "relevant", f"bits from 0 to {self.d - 1}", self.relevant)
        require(
            self.width >= 2 and self.width % 2 == 0,
            "width",
            "an even number of neurons, at least 2",
            self.width,
            "Neurons come in pairs; the paper's q is width/2.",
        )
        require(
            self.first == "sampled" or self.pairing == "mirrored",
            "first",
            "a sampled first step for the negated start",
            self.first,
            "The exact step needs f = 0, which the printed start does not give.",
        )
        require(self.eta is None or self.eta > 0, "eta", "a positive number or none", self.eta)
        require(0 <= self.lam < math.inf, "lam", "at least 0", self.lam)
        require_positive(self.first_batch, "first-batch", least=1)
        require(self.steps >= 1, "steps", "at least 1", self.steps)
        require(self.batch >= 1, "batch", "at least 1", self.batch)
        require(self.test >= 1, "test", "at least 1 point", self.test)
        require(self.records >= 2, "records", "at least 2", self.records)

    @property
    def step_size(self) -> float:
        """eta after the first step."""
        return step_size(self.schedule, eta=self.eta, k=self.k, width=self.width, steps=self.steps)

    def distribution(self) -> "LeakyParity":
        """D_A."""

        return fl.LeakyParity(d=self.d, k=self.k, relevant=self.relevant)

    def network(self) -> "TwoLayer":
        """The network of section 2, before its weights are drawn."""

        return fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Ternary(),
            a=fl.Uniform(bound=self.d / self.k),
            b=fl.Constant(value=1 / (8 * self.k)),
            activation=fl.relu6,
            scaling="one",
            pairing=self.pairing,
        )

    def experiment(self) -> "Experiment":
        """First step, read-out, and what is seen of both.

        In the summary `found` is the share of neurons whose cosine with sum_A e_j after the first
        step is at least .99; `learned` when the accuracy on the uniform half reaches .99.
        """

        law, hinge = self.distribution(), fl.loss("hinge")
        forget = fl.DecoupledDecay(lam={"w": 0.5, "a": 0.5})
        first = (
            fl.ParityStep(decay=forget)
            if self.first == "exact"
            else fl.SGD(eta=1.0, steps=1, loss=hinge, batch=self.first_batch, decay=forget)
        )
        kept = fl.DecoupledDecay(lam={"w": self.lam, "a": self.lam}) if self.lam else None
        later = fl.Descent(
            loss=hinge,
            data=fl.Fresh(batch=self.batch),
            steps=self.steps,
            decay=kept,
            **descent(self.schedule, self.step_size),
        )
        halves = (("test", "mixture"), ("uniform", "uniform"), ("leaky", "leaky"))
        held_out = (
            fl.HeldOut(samples=self.test, name=name, law=law.of_half(half)) for name, half in halves
        )
        learned = fl.Reaches(quantity="uniform_accuracy", level=0.99)
        return fl.Experiment(
            law,
            self.network(),
            (first, later),
            record=(
                fl.Relevance(),
                *held_out,
                fl.GradientError(batch=self.batch),
                *((fl.Weights(),) if self.keep_weights else ()),
            ),
            at=(0, *(1 + t for t in fl.log_spaced(self.steps, self.records))),
            summary=(
                *fl.last("test_accuracy", "uniform_accuracy", "leaky_accuracy", "test_loss"),
                fl.Computed(name="found", function=_found),
                fl.Crossing(name="learned", when=(learned,)),
                *fl.last("gradient_error"),
            ),
        )


def _found(dataset: "xr.Dataset") -> "np.ndarray":
    values = (dataset["cos"].sel(step=1) >= 0.99).mean("neuron").values
    return values


PARITY = NamedExperiment(
    id="daniely2020.parity",
    title="One exact population step finds the parity's bits, Adam trains the read-out",
    config=Parities(),
    references=("daniely2020",),
)
LITERAL = NamedExperiment(
    id="daniely2020.parity-literal",
    title="The same with the paper's own step sizes: plain descent, eta = k^2/(T sqrt q)",
    config=Parities(d=101, k=3, schedule="literal", batch=5000, steps=2000),
    references=("daniely2020",),
)
PRINTED = NamedExperiment(
    id="daniely2020.parity-printed",
    title="The same from the start as printed (twins -w, -b, -a), where f is not 0",
    config=Parities(pairing="negated", first="sampled"),
    references=("daniely2020",),
)

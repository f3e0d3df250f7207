"""k-sparse parity of d bits, learned by SGD on fresh points (Barak et al. 2022; their n is our d).

A two-layer ReLU network, weights and biases uniform on ±1/sqrt(inputs of the layer), both layers
trained by plain SGD on the hinge loss. The paper's text was not at hand, and this start is
that of the usual library; docs/papers/barak2022.md says what was read.
"""

import math
from dataclasses import dataclass
from typing import Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment


@dataclass(frozen=True, kw_only=True)
class SparseParity:
    """Two-layer ReLU network on the parity of k of d bits."""

    d: int = 30
    """Input dimension (the paper's n)."""
    k: int = 3
    """Bits that make the label."""
    width: int = 100
    """Number of neurons."""
    eta: float = 0.1
    """Step size."""
    steps: int = 20000
    """Number of steps."""
    batch: int = 32
    """Points a step, fresh ones unless there is a sample."""
    samples: int | None = None
    """Train on a fixed sample of this size, in shuffled epochs."""
    flips: float = 0.0
    """Probability that a label is flipped, in training."""
    lam: float = 0.0
    """Weight decay: the penalty is lam times the square of all weights."""
    loss: Literal["hinge", "logistic", "squared"] = "hinge"
    """Loss."""
    test: int = 2000
    """Held-out points with clean labels."""
    records: int = 100
    """About how many steps are recorded, log-spaced."""
    keep_weights: bool = False
    """Keep the weights themselves at every recorded step."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.d, "k", "1 <= k <= d", f"k={self.k}, d={self.d}")
        require(self.width >= 1, "width", "at least 1 neuron", self.width)
        require_positive(self.eta, "eta")
        require(self.steps >= 1, "steps", "at least 1", self.steps)
        require(self.batch >= 1, "batch", "at least 1", self.batch)
        require(0 <= self.flips < 0.5, "flips", "from 0 to below 1/2", self.flips)
        require(self.lam >= 0, "lam", "at least 0", self.lam)
        require(self.records >= 2, "records", "at least 2", self.records)

    @property
    def target(self) -> str:
        """The parity as a formula."""
        return "*".join(f"x{i + 1}" for i in range(self.k))

    def experiment(self) -> "fl.Experiment":
        """Law, network, one phase of SGD; loss and accuracy on clean points, progress on bits."""

        law = fl.Boolean(d=self.d, target=self.target, task="classification", flips=self.flips)
        clean = law.replace(flips=0.0)  # type: ignore[attr-defined]
        inputs, hidden = (fl.Uniform(bound=1 / math.sqrt(n)) for n in (self.d, self.width))
        network = fl.TwoLayer(
            d=self.d, width=self.width, w=inputs, a=hidden, b=inputs, scaling="one"
        )
        decay = {"decay": fl.DecoupledDecay(lam=self.lam)} if self.lam else {}
        how = fl.SGD(
            eta=self.eta,
            steps=self.steps,
            loss=self.loss,
            batch=self.batch,
            samples=self.samples,
            **decay,
        )
        solved = fl.Reaches(quantity="test_accuracy", level=0.98)
        return fl.Experiment(
            law,
            network,
            how,
            record=(
                fl.BitParts(law=clean),
                fl.HeldOut(samples=self.test, law=clean),
                *((fl.OnSample(),) if self.samples else ()),
                *((fl.Weights(),) if self.keep_weights else ()),
            ),
            at=self.records,
            summary=(
                *fl.last("test_accuracy", "test_loss"),
                fl.Crossing(name="solved_at", when=(solved,)),
            ),
        )


PARITY = NamedExperiment(
    id="barak2022.parity",
    title="SGD learns a sparse parity, in silence until late",
    config=SparseParity(),
    references=("barak2022",),
)

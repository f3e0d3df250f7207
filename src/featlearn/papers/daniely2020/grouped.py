"""Population gradients at every step: the good neurons alone, on the 2^k patterns of the bits of A.

A neuron whose initial weights on A sum to 0 comes out of the first step with weights on A alone and
its old bias, exactly (see `neurons`); every later gradient outside A is then 0, because those bits
are fair and independent of all the network sees. So a network of such neurons trains on the law of
x_A, which has 2^k points, and each of its steps is the population's, at any d. What is left out are
the other neurons of the start. Daniely & Malach (2020), sections 3 and 4.2.
"""

from dataclasses import dataclass

import featlearn as fl
from featlearn._check import require
from featlearn.experiments.named import NamedExperiment
from featlearn.papers.daniely2020.schedules import Schedule, descent, step_size


@dataclass(frozen=True, kw_only=True)
class Grouped:
    """The good neurons of a leaky parity, trained with exact population gradients."""

    d: int = 1_000_000
    """Input dimension (the paper's n)."""
    k: int = 7
    """Number of relevant bits, odd."""
    width: int = 2000
    """Number of good neurons, twins counted."""
    schedule: Schedule = "literal"
    """After the first step: the paper's plain descent, or Adam with a falling step size."""
    eta: float | None = None
    """Step size; none for k^2/(T sqrt q) (literal) or .01 (practical)."""
    frozen: bool = False
    """Keep the first layer as the first step leaves it: the read-out alone is trained."""
    steps: int = 4000
    """Number of steps after the first (T)."""
    records: int = 40
    """About how many steps are recorded, log-spaced."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1 and 1 <= self.k <= 15, "k", "an odd number from 1 to 15", self.k)
        require(self.k <= self.d, "k", f"at most d = {self.d}", self.k)
        even = self.width >= 2 and self.width % 2 == 0
        require(even, "width", "an even number of neurons, at least 2", self.width)
        require(self.eta is None or self.eta > 0, "eta", "a positive number or none", self.eta)
        require(self.steps >= 1, "steps", "at least 1", self.steps)
        require(self.records >= 2, "records", "at least 2", self.records)

    @property
    def step_size(self) -> float:
        """eta."""
        return step_size(self.schedule, eta=self.eta, k=self.k, width=self.width, steps=self.steps)

    def experiment(self) -> "fl.Experiment":
        """Descent on 2^k points from where the first step leads."""
        from featlearn.papers.daniely2020.good_start import GoodStart

        law = fl.LeakyParity(d=self.d, k=self.k).of_relevant_bits()
        start = GoodStart(d=self.d, k=self.k, width=self.width)
        phase = fl.Descent(
            loss=fl.loss("hinge"),
            data=fl.Population(),
            steps=self.steps,
            trained=("a",) if self.frozen else None,
            **descent(self.schedule, self.step_size),
        )
        halves = (("test", "mixture"), ("uniform", "uniform"))
        exact = tuple(fl.OnPopulation(name=name, law=law.of_half(half)) for name, half in halves)
        best = fl.Best(quantity="test_accuracy", name="best_accuracy")
        return fl.Experiment(
            law,
            start.network,
            phase,
            record=exact,
            at=self.records,
            start=start,
            summary=(*fl.last("test_accuracy", "uniform_accuracy", "test_loss"), best),
        )


GROUPED = NamedExperiment(
    id="daniely2020.parity-exact",
    title="The good neurons alone, with exact population gradients at every step",
    config=Grouped(),
    references=("daniely2020",),
)

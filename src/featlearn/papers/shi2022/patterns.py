"""The experiments of Shi, Wei & Liang (2022) on patterns of a dictionary, appendix E.1 and E.2.

x and y as in `distributions.dictionary`; g(x) = sum_i a_i s(w_i.x + b_i) over 2m neurons, s the
truncated ReLU, w ~ N(0, 1/k²), b ~ N(0, 1/k⁴), a ~ N(0, (sigma~²/(gamma k²))²), mirrored so that
g = 0 at the start. Hinge loss, Gaussian noise xi in the pre-activation (integrated exactly):

    step 1   eta1, lambda_w = 1/(2 eta1), lambda_a = 0         full batch: w is replaced, not moved
    step 2   eta2, lambda_w = lambda_a = 1/(2 eta2)            full batch: w and a are replaced
    later    eta, no decay, no noise, minibatches

The paper's constants do not reach its own tables, and its code is not public. The recipe "literal"
has them as printed in theorem 26; "practical" scales step 2 and the biases together, and the later
steps. The recipe "validated" of the ledger sets `early` and `eta`, chosen on other seeds.
"""

from dataclasses import dataclass
from typing import Any, Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment
from featlearn.papers.shi2022.recipe import Steps, phases_of, steps_of


@dataclass(frozen=True, kw_only=True)
class PatternTraining:
    """Two-layer network on patterns of a dictionary, or one of the paper's baselines."""

    method: Literal["network", "ntk", "random-features", "one-step", "two-step"] = "network"
    """What is trained: the network, its linearisation, or the second layer on fixed features."""
    recipe: Literal["practical", "literal"] = "practical"
    """Step sizes: the ones that work, or those of theorem 26."""
    structure: bool = True
    """Train on the structured law, or on fair independent bits (A1')."""
    d: int = 500
    """Input dimension."""
    dictionary: int = 100
    """Number of patterns (the paper's D)."""
    k: int = 5
    """Number of relevant patterns."""
    p_o: float = 0.5
    """Rate of a background pattern, and weight of the unstructured part of the mixture."""
    p_a: float | None = None
    """Rate of independent relevant patterns; none: the mixture of appendix E.1.1."""
    positive: tuple[int, ...] | None = None
    """Counts of relevant patterns with label +1 (the paper's P); none: the odd ones, parity."""
    negative: float | None = None
    """Share of class -1; none: as it comes."""
    mu: bool = False
    """Draw an incoherent dictionary of random unit columns (appendix F), from the seed 0."""
    sigma: float = 0.0
    """Standard deviation of Gaussian noise on the input, before it is normalised (appendix F)."""
    width: int = 600
    """Number of neurons, in mirrored pairs (the paper's 2m)."""
    steps: int = 600
    """Number of steps, the first two included (T)."""
    samples: int = 50_000
    """Points drawn once (n)."""
    batch: int = 1000
    """Points a step, after the first two steps."""
    eta: float | None = None
    """Step size after the second step; none: the recipe's."""
    early: float | None = None
    """What multiplies eta2 and sd(b) of theorem 26; none: the recipe's, 1 or 10."""
    rule: Literal["plain", "momentum", "adam"] = "plain"
    """How the later steps use the gradient; momentum is .9."""
    later_weights: bool = False
    """Weight the classes in the later steps as in the first two (appendix F does not)."""
    simulation: Literal["auto", "plain", "coordinates"] = "auto"
    """Compute in d dimensions, or in the coordinates of the dictionary, which is the same."""
    test: int = 10_000
    """Held-out points, and points of the sample, on which the accuracies are measured."""
    records: int = 24
    """About how many steps are recorded."""
    keep_weights: bool = False
    """Keep the weights themselves at every recorded step."""

    def __post_init__(self) -> None:
        require(self.k >= 1, "k", "at least 1", self.k)
        require(self.k <= self.dictionary, "k", f"at most dictionary = {self.dictionary}", self.k)
        require(
            self.mu or self.dictionary <= self.d,
            "dictionary",
            f"at most d = {self.d} orthonormal patterns",
            self.dictionary,
            "Try --mu for an incoherent dictionary.",
        )
        require(0 < self.p_o <= 0.5, "p-o", "0 < p_o <= 1/2", self.p_o)
        require(
            self.p_a is None or 0 < self.p_a < 1, "p-a", "a rate between 0 and 1 or none", self.p_a
        )
        counts = self.positive if self.positive is not None else (1,)
        require(
            len(counts) > 0 and all(0 <= count <= self.k for count in counts),
            "positive",
            f"counts from 0 to k = {self.k}",
            self.positive,
        )
        require(
            self.negative is None or 0 < self.negative < 1,
            "negative",
            "a share of class -1 between 0 and 1",
            self.negative,
        )
        require(self.sigma >= 0, "sigma", "a standard deviation of at least 0", self.sigma)
        require(
            self.width >= 2 and self.width % 2 == 0,
            "width",
            "an even number of neurons",
            self.width,
        )
        require(self.steps >= 2, "steps", "at least 2", self.steps)
        require(self.samples >= 1, "samples", "at least 1 point", self.samples)
        require(
            1 <= self.batch <= self.samples, "batch", f"1 to samples = {self.samples}", self.batch
        )
        if self.eta is not None:
            require_positive(self.eta, "eta")
        if self.early is not None:
            require_positive(self.early, "early")
        require(
            self.simulation != "coordinates" or not self.inseparable,
            "simulation",
            "orthonormal patterns without noise for coordinates",
            "mu or sigma",
            "Use --simulation plain.",
        )
        require(self.test >= 1, "test", "at least 1 point", self.test)
        require(self.records >= 2, "records", "at least 2", self.records)

    @property
    def inseparable(self) -> bool:
        """Whether the input fills R^d, so that the coordinates of the dictionary do not suffice."""
        return self.mu or self.sigma > 0

    def law(self, *, structure: bool | None = None) -> "fl.Patterns":
        """The law of (x, y); `experiment` may compute in coordinates of its dictionary."""

        d, D = self.d, self.dictionary
        matrix = (
            fl.distributions.incoherent(d, D, key=fl.stream(0, "dictionary")) if self.mu else None
        )
        common: dict[str, Any] = {
            "d": d,
            "dictionary": D,
            "k": self.k,
            "positive": self.positive,
            "matrix": matrix,
            "sigma": self.sigma,
        }
        if not (self.structure if structure is None else structure):
            law = fl.independent(**common)
        elif self.p_a is None:
            law = fl.mixture(**common, p_o=self.p_o)
        else:
            law = fl.independent(**common, p_a=self.p_a, p_o=self.p_o)
        return law if self.negative is None else law.with_negative_share(self.negative)

    def network(self) -> "fl.TwoLayer":
        """The network of section 3, with the scales of the structured law."""

        k, truth, sd_b = self.k, self.law(structure=True).truth, self.step_sizes().sd_b
        return fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Gaussian(sd=1 / k),
            a=fl.Gaussian(sd=float(truth.input_sd) ** 2 / (abs(truth.label_covariance) * k**2)),
            b=fl.Gaussian(sd=sd_b),
            activation=fl.truncated,
            scaling="one",
            pairing="mirrored",
        )

    def step_sizes(self) -> Steps:
        """The step sizes of the recipe."""
        return steps_of(self)

    def experiment(self) -> "fl.Experiment":
        """The experiment with its measurements."""
        network, tangent = self.network(), self.method == "ntk"
        features = () if tangent else (fl.PatternParts(),)
        cos = () if tangent else ("cos",)
        experiment = fl.Experiment(
            self.law(),
            fl.Linearised(network=network) if tangent else network,
            phases_of(self),
            record=(
                fl.HeldOut(samples=self.test),
                *features,
                fl.OnSample(judged=self.test),
                *((fl.Weights(),) if self.keep_weights else ()),
            ),
            at=(1, 2, *fl.log_spaced(self.steps, self.records)),
            summary=fl.last("test_accuracy", "train_accuracy", *cos, "test_loss", "train_loss"),
        )
        return fl.accelerate(experiment, self.simulation)


PARITY = NamedExperiment(
    id="shi2022.parity",
    title="Features emerge from the input: parity of patterns (table 1)",
    config=PatternTraining(),
    references=("shi2022",),
)

INTERVAL = NamedExperiment(
    id="shi2022.interval",
    title="Features emerge from the input: interval of patterns (table 2)",
    config=PatternTraining(k=30, p_a=2 / 3, positive=tuple(range(20, 31)), width=200, steps=200),
    references=("shi2022",),
)

r"""The setting of Xu, Wang, Frei, Vardi & Hu (2023): overfit at once, generalise later.

    p   inputs (our d)      n   training points (samples)      m   neurons (width)

Four clusters N(±mu1, I) (label +1) and N(±mu2, I) (-1) with ||mu1|| = ||mu2|| = ||mu||, labels
flipped with probability eta (our flips); f(x) = sum_j a_j relu(w_j.x) with a_j = ±1/sqrt m drawn
and fixed, w_j ~ N(0, omega^2 I); gradient descent with step alpha (our eta) on the mean of log(1 +
exp(-y f)).

**Units.** alpha is 1e-12 in the paper's figures and 1e-31 where its assumptions are met, omega down
to 1e-48, beyond what float32 can hold. So the same descent is carried out in other units, exactly:

    x' = x/||mu||       w' = w ||mu||/s       a' = s a       step  alpha ||mu||^2/s^2

f is unchanged for every s > 0, and so is the path: d(w') = (||mu||/s) alpha a g x = alpha
(||mu||/s)^2 a' g x'. With s = alpha ||mu||^2 a step has the size of 1/(2 sqrt m) whatever alpha is,
and <w', mu/||mu||> is <w, mu>/(alpha ||mu||^2), the unit of lemma 4.7. Where both layers are
trained their steps have to agree, alpha ||mu||^2/s^2 = alpha s^2, and s = sqrt ||mu||.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    from featlearn.measurements import Reduction


@dataclass(frozen=True, kw_only=True)
class GrokkingClusters:
    """Two-layer ReLU network on noisy XOR clusters with a weak signal; figure 1, left."""

    d: int = 40_000
    """Input dimension (the paper's p); the cost does not depend on it."""
    samples: int = 200
    """Training points (the paper's n), all of them in every step."""
    width: int = 1000
    """Number of neurons (the paper's m)."""
    eta: float = 1e-12
    """Step size (the paper's alpha)."""
    steps: int | None = None
    """Number of steps; none is the theorem's last one, sqrt(samples)."""
    flips: float = 0.05
    """Probability that a training label is flipped (the paper's eta)."""
    mean_norm: float | None = None
    """Norm of the centres; none takes signal sqrt(d/samples)."""
    signal: float = 2.5
    """Norm of the centres over sqrt(d/samples), where mean-norm is none."""
    omega: float = 1e-15
    """Standard deviation of the initial weights."""
    trained: Literal["first", "both"] = "first"
    """Train the first layer only, as in the paper, or both."""
    simulation: Literal["auto", "plain", "gram"] = "auto"
    """How descent is carried out: plainly or in the span of the data. From d = 4 (2 + samples +
    width) on, auto and gram draw the sample exactly in law without d."""
    test: int = 1000
    """Held-out points, judged by their clean labels."""
    records: int = 40
    """About how many steps are recorded, log-spaced."""
    keep_weights: bool = False
    """Keep the weights themselves at every recorded step."""

    def __post_init__(self) -> None:
        require(self.d >= 2, "d", "at least 2", self.d, "The centres lie in a plane.")
        require(self.samples >= 1, "samples", "at least 1", self.samples)
        require(self.width >= 2, "width", "at least 2 neurons", self.width)
        require(self.steps is None or self.steps >= 1, "steps", "at least 1", self.steps)
        require(0 <= self.flips < 0.5, "flips", "a probability from 0 to below 1/2", self.flips)
        for name in ("eta", "omega", "signal"):
            require_positive(getattr(self, name), name)
        if self.mean_norm is not None:
            require_positive(self.mean_norm, "mean-norm")
        require(self.test >= 1, "test", "at least 1 point", self.test)
        require(self.records >= 2, "records", "at least 2", self.records)

    @property
    def norm(self) -> float:
        """||mu||."""
        ratio = self.signal * math.sqrt(self.d / self.samples)
        return ratio if self.mean_norm is None else self.mean_norm

    @property
    def total_steps(self) -> int:
        """The steps asked for, or the whole part of sqrt n, and at least 1."""
        return max(1, math.isqrt(self.samples)) if self.steps is None else self.steps

    @property
    def unit(self) -> float:
        """s: what the first layer is measured in, above."""
        return self.eta * self.norm**2 if self.trained == "first" else math.sqrt(self.norm)

    def distribution(self) -> "fl.Clusters":
        """Who is x, what is y: x' = x/||mu||, so that the centres have norm 1."""

        return fl.Clusters(d=self.d, sigma=1 / self.norm, flips=self.flips)

    def network(self) -> "fl.TwoLayer":
        """The network before its weights are drawn, in the units above."""

        return fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Gaussian(sd=self.omega * self.norm / self.unit),
            a=fl.Signs(size=self.unit / math.sqrt(self.width)),
            scaling="one",
            trained=("w",) if self.trained == "first" else ("w", "a"),
        )

    def experiment(self) -> "fl.Experiment":
        """Full-batch descent with all measurements."""

        experiment = fl.Experiment(
            self.distribution(),
            self.network(),
            fl.SGD(
                eta=self.eta * (self.norm / self.unit) ** 2,
                steps=self.total_steps,
                loss="logistic",
                samples=self.samples,
            ),
            record=(
                fl.SampleMargins(),
                fl.ClusterTest(samples=self.test),
                fl.Correlations(),
                *((fl.Weights(),) if self.keep_weights else ()),
            ),
            at=self.records,
            summary=self._summary(),
        )
        return fl.accelerate(experiment, self.simulation)

    def _summary(self) -> "tuple[Reduction, ...]":
        """Where it ended, and when it fitted and when it generalised."""

        return (
            *fl.last("train_accuracy", "test_accuracy", "log10_certificate", "even_share"),
            fl.Crossing(name="fits_at", when=(fl.Reaches(quantity="train_accuracy", level=1.0),)),
            fl.Crossing(
                name="generalises_at", when=(fl.Reaches(quantity="test_accuracy", level=0.99),)
            ),
        )


@dataclass(frozen=True, kw_only=True)
class AssumptionsMet:
    """A1 to A6 with one C, A1, A2, A4 and A5 with equality; n, C and m are free."""

    samples: int = 500
    """Training points (the paper's n); they decide the dimension, p = C^4 n^5.02."""
    C: float = 1.0
    """The constant of the assumptions; their proofs ask for 150 or more."""
    width: int = 200
    """Number of neurons (the paper's m), at least C n^.02."""
    flips: float | None = None
    """Probability of a flipped label; none takes .05 or 1/C, the smaller of the two."""
    steps: int | None = None
    """Number of steps; none is the theorem's last one, sqrt(samples)."""
    test: int = 1000
    """Held-out points, judged by their clean labels."""
    records: int = 40
    """About how many steps are recorded, log-spaced."""

    def __post_init__(self) -> None:
        require(self.samples >= 2, "samples", "at least 2", self.samples)
        require(self.C >= 1, "C", "at least 1", self.C)
        least = math.ceil(self.C * self.samples**0.02)
        require(self.width >= least, "width", f"at least C n^.02 = {least} (A6)", self.width)
        rate = self.flip_rate
        require(rate <= 1 / self.C, "flips", f"at most 1/C = {1 / self.C:.3g} (A3)", rate)
        self.setting()

    @property
    def flip_rate(self) -> float:
        """eta of the paper."""
        return min(0.05, 1 / self.C) if self.flips is None else self.flips

    def setting(self) -> GrokkingClusters:
        """p = C^4 n^5.02, ||mu||^2 = C n^.51 sqrt p = p/(C n^2), alpha = 1/(C n p),
        omega = alpha ||mu||^2/(n m^1.5 p).

        Example:
            >>> found = AssumptionsMet(samples=1000).setting()
            >>> f"{found.d:.2g}, {found.norm**2:.2g}, {found.eta:.1g}"
            '1.1e+15, 1.1e+09, 9e-19'
        """
        n, m, C = self.samples, self.width, self.C
        p = math.ceil(C**4 * n**5.02)
        square = C * n**0.51 * math.sqrt(p)
        alpha = 1 / (C * n * p)
        return GrokkingClusters(
            d=p,
            samples=n,
            width=m,
            eta=alpha,
            steps=self.steps,
            flips=self.flip_rate,
            mean_norm=math.sqrt(square),
            omega=alpha * square / (n * m**1.5 * p),
            test=self.test,
            records=self.records,
        )

    def experiment(self) -> "fl.Experiment":
        """That of the setting."""
        return self.setting().experiment()


REFERENCES = ("xu2023",)

CLUSTERS = NamedExperiment(
    id="xu2023.clusters",
    title="Figure 1, left: every label is fitted after one step, and understood later",
    config=GrokkingClusters(steps=100),
    references=REFERENCES,
)

SMALL_STEPS = NamedExperiment(
    id="xu2023.small-steps",
    title="Figure 1, right: a step of 1e-16, small against the start",
    config=GrokkingClusters(eta=1e-16, steps=10_000),
    references=REFERENCES,
)

MET = NamedExperiment(
    id="xu2023.assumptions-met",
    title="A1 to A6 with C = 1 at n = 1000, in 1.1e15 dimensions",
    config=AssumptionsMet(samples=1000),
    references=REFERENCES,
)

"""The setting of Frei, Chatterji & Bartlett (2022): full-batch descent on noisy XOR clusters.

Four clusters at ±mu1 (label +1) and ±mu2 (-1), noise of covariance sigma^2 I, flipped labels;
f(x) = sum_j a_j relu(w_j.x) with a_j = ±1/sqrt m fixed (half of each sign; 0 in the middle of an
odd m) and w_j ~ N(0, omega^2 I); gradient descent on the mean of log(1 + exp(-y f)) over all n
points (section 2 of the paper). Its alpha is our eta, its eta our flips.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import featlearn as fl
from featlearn._check import require, require_positive
from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

    from featlearn.distributions import Clusters
    from featlearn.experiments.experiment import Experiment
    from featlearn.measurements import Reduction
    from featlearn.networks import TwoLayer


@dataclass(frozen=True, kw_only=True)
class XorClusters:
    """Two-layer ReLU network on noisy XOR clusters; the defaults meet all assumptions, C = 16."""

    d: int = 2200
    """Input dimension."""
    samples: int = 1000
    """Training points (the paper's n), all of them in every step."""
    batch: int | None = None
    """Train on this many fresh points per step instead of the sample."""
    width: int = 100
    """Number of neurons (the paper's m)."""
    eta: float = 0.125
    """Step size (the paper's alpha)."""
    steps: int | None = None
    """Number of steps; none is the theorem's T = 1 + 1/(4 eta), rounded."""
    flips: float = 0.0625
    """Probability that a label is flipped (the paper's eta)."""
    cluster_flips: tuple[float, ...] = ()
    """The same, one for each of +mu1, -mu1, +mu2, -mu2; empty takes flips for all."""
    corruption: Literal["random", "adversarial"] = "random"
    """Flip at random, or the points that lean furthest towards another cluster."""
    noise: Literal["gaussian", "ball", "cube", "laplace"] = "gaussian"
    """Law of the noise around the centres, always of covariance sigma^2 I."""
    sigma: float | None = None
    """Standard deviation of the noise, per coordinate; none takes noise-norm/sqrt d."""
    noise_norm: float = 0.0625
    """sigma sqrt d, where sigma is none."""
    omega: float | None = None
    """Standard deviation of the initial weights; none takes start-norm/sqrt(width d)."""
    start_norm: float = 0.01
    """omega sqrt(width d), where omega is none."""
    k: int = 2
    """Directions: 2k clusters, labelled + and - in turn; the paper has 2."""
    mu1: tuple[float, ...] = ()
    """First direction, d numbers; empty is the first axis."""
    mu2: tuple[float, ...] = ()
    """Second direction, d numbers, orthogonal to the first; empty is the second axis."""
    trained: Literal["first", "both"] = "first"
    """Train the first layer only, as in the paper, or both."""
    simulation: Literal["auto", "plain", "gram", "planar"] = "auto"
    """How descent is carried out: plainly, in the span of the data, on angles (d = 2). From d = 4
    (k + samples + width) on, gram and auto draw a Gaussian sample exactly in law without d."""
    delta: float = 0.05
    """Failure probability that the assumptions are read with."""
    test: int = 2000
    """Held-out points."""
    records: int = 40
    """About how many steps are recorded, log-spaced."""
    keep_weights: bool = False
    """Keep the weights themselves at every recorded step."""
    every_point: bool = False
    """Record after every step what every neuron sees of every training point, and little else."""

    def __post_init__(self) -> None:
        require(self.d >= 2, "d", "at least 2", self.d, "The clusters lie in a plane.")
        require(2 <= self.k <= self.d, "k", f"2 <= k <= d = {self.d}", self.k)
        require(self.samples >= 1, "samples", "at least 1", self.samples)
        require(self.batch is None or self.batch >= 1, "batch", "at least 1", self.batch)
        require(self.width >= 2, "width", "at least 2 neurons", self.width)
        require_positive(self.eta, "eta")
        require(self.steps is None or self.steps >= 1, "steps", "at least 1", self.steps)
        for rate in (self.flips, *self.cluster_flips):
            require(0 <= rate < 0.5, "flips", "a probability from 0 to below 1/2", rate)
        require(
            len(self.cluster_flips) in (0, 2 * self.k),
            "cluster-flips",
            f"none, or {2 * self.k} numbers",
            f"{len(self.cluster_flips)}",
        )
        for name in ("sigma", "omega", "noise_norm", "start_norm"):
            if (value := getattr(self, name)) is not None:
                require_positive(value, name.replace("_", "-"))
        self._require_directions()
        planar = self.simulation != "planar" or self.d == 2
        require(planar, "simulation", "'planar' with d = 2 only", f"d = {self.d}")
        require(0 < self.delta < 0.5, "delta", "a number between 0 and 1/2", self.delta)
        require(self.test >= 1, "test", "at least 1 point", self.test)
        require(self.records >= 2, "records", "at least 2", self.records)
        sampled = self.batch is None or not self.every_point
        require(sampled, "every-point", "a sample, not fresh batches", f"batch = {self.batch}")

    def _require_directions(self) -> None:
        if not (self.mu1 or self.mu2):
            return
        require(self.k == 2, "mu1, mu2", "k = 2, where directions are given", f"k = {self.k}")
        for name, mu in (("mu1", self.mu1), ("mu2", self.mu2)):
            require(len(mu) == self.d, name, f"{self.d} numbers", len(mu))
            norm = math.hypot(*mu)
            require(abs(norm - 1) < 1e-4, name, "a unit vector", f"norm {norm:.4g}")
        product = sum(u * v for u, v in zip(self.mu1, self.mu2, strict=True))
        orthogonal = abs(product) < 1e-4
        require(orthogonal, "mu2", "a vector orthogonal to mu1", f"the product {product:.4g}")

    @property
    def total_steps(self) -> int:
        """The steps asked for, or T = 1 + 1/(4 eta), rounded, and at least 2."""
        return max(2, 1 + round(1 / (4 * self.eta))) if self.steps is None else self.steps

    @property
    def noise_sd(self) -> float:
        """sigma."""
        return self.noise_norm / math.sqrt(self.d) if self.sigma is None else self.sigma

    @property
    def start_sd(self) -> float:
        """omega."""
        root = math.sqrt(self.width * self.d)
        return self.start_norm / root if self.omega is None else self.omega

    @property
    def flip_rate(self) -> float:
        """The mean probability of a flip."""
        rates = self.cluster_flips or (self.flips,)
        return sum(rates) / len(rates)

    def distribution(self) -> "Clusters":
        """Who is x, what is y."""
        import jax.numpy as jnp

        return fl.Clusters(
            d=self.d,
            sigma=self.noise_sd,
            flips=self.cluster_flips or self.flips,
            k=self.k,
            noise=self.noise,
            corruption=self.corruption,
            directions=jnp.array([self.mu1, self.mu2]) if self.mu1 else None,
        )

    def network(self) -> "TwoLayer":
        """The network before its weights are drawn."""

        return fl.TwoLayer(
            d=self.d,
            width=self.width,
            w=fl.Gaussian(sd=self.start_sd),
            a=fl.BalancedSigns(size=1 / math.sqrt(self.width)),
            scaling="one",
            trained=("w",) if self.trained == "first" else ("w", "a"),
        )

    def experiment(self) -> "Experiment":
        """Full-batch descent, or descent on fresh points, with all measurements."""

        experiment = fl.Experiment(
            self.distribution(),
            self.network(),
            fl.SGD(
                eta=self.eta,
                steps=self.total_steps,
                loss="logistic",
                batch=self.batch,
                samples=None if self.batch else self.samples,
            ),
            record=self._record(),
            at=range(self.total_steps + 1) if self.every_point else self.records,
            summary=fl.last("test_accuracy") if self.every_point else self._summary(),
        )
        return fl.accelerate(experiment, self.simulation)

    def _record(self) -> "tuple[Any, ...]":
        """Every point of the sample, or what sums it up."""
        if self.every_point:
            return fl.Correlations(), fl.HeldOut(samples=self.test), fl.EveryPoint()
        return (
            fl.Correlations(),
            fl.HeldOut(samples=self.test),
            fl.HeldOut(samples=self.test, name="ceiling", network=fl.ClusterRule()),
            *(() if self.batch else (fl.CleanAndNoisy(),)),
            *((fl.Weights(),) if self.keep_weights else ()),
        )

    def _summary(self) -> "tuple[Reduction, ...]":
        """Where it ended, and when every flip was fitted."""

        of_sample = ("train_accuracy", "clean_accuracy", "noisy_accuracy")
        margins = ("clean_margin", "noisy_margin")
        fitted = fl.Crossing(
            name="interpolates_at", when=(fl.Reaches(quantity="train_accuracy", level=1.0),)
        )
        return (
            *fl.last(*(() if self.batch else of_sample), "test_accuracy", "ceiling_accuracy"),
            *fl.last(*(() if self.batch else margins)),
            fl.Computed(name="correlation", function=_mean_correlation),
            *(() if self.batch else (fitted,)),
        )


def _mean_correlation(dataset: "xr.Dataset") -> "np.ndarray":
    """The larger of the neuron's correlations at the end, its mean over neurons."""
    values = abs(dataset["correlation"].isel(step=-1)).max("direction").mean("neuron").values
    return values


REFERENCES = ("frei2022",)

CLUSTERS = NamedExperiment(
    id="frei2022.clusters",
    title="Random features amplified in a few steps, all assumptions met",
    config=XorClusters(),
    references=REFERENCES,
)

PLANE = NamedExperiment(
    id="frei2022.plane",
    title="Figure 1: a noisy XOR of clusters in the plane",
    config=XorClusters(
        d=2,
        samples=5000,
        width=500,
        eta=0.05,
        steps=3000,
        flips=0.15,
        sigma=1 / math.sqrt(50),
        omega=1 / math.sqrt(32 * 500),
        keep_weights=True,
    ),
    references=REFERENCES,
)


def figure_2(d: int, samples: int, steps: int) -> XorClusters:
    """The setting of figure 2 (appendix E); the paper gives neither d nor the samples."""
    return XorClusters(
        d=d,
        samples=samples,
        width=400,
        eta=0.1,
        steps=steps,
        flips=0.15,
        sigma=d**-0.6,
        start_norm=0.1,
        test=6000,
        records=60,
    )


LOW = NamedExperiment(
    id="frei2022.low-dimensional",
    title="Figure 2, n >> d: overfitting harms",
    config=figure_2(d=10, samples=200, steps=100_000),
    references=REFERENCES,
)

HIGH = NamedExperiment(
    id="frei2022.high-dimensional",
    title="Figure 2, d >> n: overfitting is benign",
    config=figure_2(d=1000, samples=100, steps=80_000),
    references=REFERENCES,
)

NOISES = NamedExperiment(
    id="frei2022.laplace",
    title="Theorem 1 with another noise: Laplace, adversarial flips",
    config=XorClusters(noise="laplace", corruption="adversarial"),
    references=REFERENCES,
)

BOTH = NamedExperiment(
    id="frei2022.both-layers",
    title="Theorem 1 with the second layer trained as well",
    config=XorClusters(trained="both"),
    references=REFERENCES,
)

MORE = NamedExperiment(
    id="frei2022.eight-clusters",
    title="Theorem 1 with eight clusters instead of four",
    config=XorClusters(k=4),
    references=REFERENCES,
)

r"""Step sizes and schedules of Shi, Wei & Liang (2022): as printed, and as they work.

    m = width/2      gamma = Cov(y, phi~_i)      sigma~ = root of the total variance

literal (theorem 26)    eta1 = gamma² sigma~²/(k m³), eta2 = 1, eta = k²/(T m^(1/3)), xi of sd k^-2,
                        sd(b) = k^-2, lambda = 0 after step 2 (k³/(sigma~ m^(1/3)) is a ceiling at
                        which (1 - 2 eta lambda)^T would leave nothing of the features)
practical               the same steps 1 and 2 with eta2 and sd(b) ten times as large (`early`), so
                        that the neurons after step 2 spread over the counts; larger later steps

A configuration may set `early` and `eta` itself: so does the recipe "validated", whose settings are
chosen on other seeds among those of `grid`. Appendix F's class weights 1/(2 P(y = v)) stand in
steps 1 and 2, and in the later ones where `later_weights` says so; they are 1 in balanced classes.
"""

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import featlearn as fl
from featlearn._check import require


@runtime_checkable
class Fields(Protocol):
    """What a recipe asks of a configuration (`patterns.PatternTraining`)."""

    @property
    def method(self) -> str:
        """What is trained."""
        ...

    @property
    def recipe(self) -> str:
        """Which step sizes."""
        ...

    @property
    def k(self) -> int:
        """Relevant patterns."""
        ...

    @property
    def width(self) -> int:
        """Neurons, in mirrored pairs."""
        ...

    @property
    def steps(self) -> int:
        """T."""
        ...

    @property
    def samples(self) -> int:
        """Points drawn once."""
        ...

    @property
    def batch(self) -> int:
        """Points per later step."""
        ...

    @property
    def eta(self) -> float | None:
        """The later step size, where it is given."""
        ...

    @property
    def early(self) -> float | None:
        """What multiplies eta2 and sd(b), where it is given."""
        ...

    @property
    def rule(self) -> str:
        """The update rule of the later steps."""
        ...

    @property
    def later_weights(self) -> bool:
        """Whether the class weights stand in the later steps too."""
        ...

    def law(self, *, structure: bool | None = None) -> "fl.Patterns":
        """The law of (x, y)."""
        ...


PRACTICAL = {"network": 0.3, "two-step": 1.0, "one-step": 1.0, "ntk": 0.96, "random-features": 1.2}
"""The later step of the practical recipe by method, in units of `natural_eta`."""
PRACTICAL_EARLY = 10.0


@dataclass(frozen=True, kw_only=True)
class Steps:
    """The step sizes of one run."""

    eta1: float
    eta2: float
    eta: float
    smoothing: float
    sd_b: float


def steps_of(config: Fields) -> Steps:
    """The step sizes of a configuration."""
    k, m = config.k, config.width / 2
    truth = config.law(structure=True).truth
    gamma, sd = abs(truth.label_covariance), float(truth.input_sd)
    require(
        truth.correlated or gamma > 1e-12,
        "positive",
        "a label that is correlated with the relevant patterns (A1)",
        f"gamma = 0 at k = {k}",
        "Parity of an even k is not, nor any label without structure: try an odd k.",
    )
    literal = config.recipe == "literal"
    early = (1.0 if literal else PRACTICAL_EARLY) if config.early is None else config.early
    if literal:
        later = k**2 / (config.steps * m ** (1 / 3))
    else:
        later = PRACTICAL[config.method] * natural_eta(config, early)
    return Steps(
        eta1=gamma**2 * sd**2 / (k * m**3),
        eta2=early,
        eta=later if config.eta is None else config.eta,
        smoothing=1 / k**2,
        sd_b=early / k**2,
    )


def natural_eta(config: Fields, early: float) -> float:
    """The unit in which later step sizes are tried: 1 where features are learned in two steps.

    Fixed features have one by their kernel's size: 1/(width sd(a)²) for the linearised network,
    1/(width (1/k² + sd(b)²)) for random features.
    """
    k, truth = config.k, config.law(structure=True).truth
    if config.method == "ntk":
        sd_a = float(truth.input_sd) ** 2 / (abs(truth.label_covariance) * k**2)
        return 1 / (config.width * sd_a**2)
    if config.method == "random-features":
        return 1 / (config.width * (1 / k**2 + (early / k**2) ** 2))
    return 1.0


def phases_of(config: Fields) -> "tuple[fl.Descent, ...]":
    """The schedule: the early steps that the method has, then the later ones."""
    steps, truth, hinge = steps_of(config), config.law().truth, fl.loss("hinge")
    first = fl.Descent(
        loss=hinge,
        data=fl.Sample(samples=config.samples),
        steps=1,
        rule=fl.Plain(eta=steps.eta1),
        decay=fl.DecoupledDecay(lam={"w": 0.5 / steps.eta1}),
        smoothing=steps.smoothing,
        class_weights=None if truth.balanced else truth.class_weights,
        mirrored=True,
    )
    second = replace(
        first,
        rule=fl.Plain(eta=steps.eta2),
        decay=fl.DecoupledDecay(lam=dict.fromkeys(("w", "a"), 0.5 / steps.eta2)),
        mirrored=False,
    )
    early = {"network": (first, second), "two-step": (first, second), "one-step": (first,)}
    before = early.get(config.method, ())
    rules = {"plain": fl.Plain, "momentum": fl.Momentum, "adam": fl.Adam}
    frozen = config.method in ("one-step", "two-step", "random-features")
    later = fl.Descent(
        loss=hinge,
        data=fl.Sample(samples=config.samples, batch=config.batch),
        steps=config.steps - len(before),
        rule=rules[config.rule](eta=steps.eta),
        class_weights=None if truth.balanced or not config.later_weights else truth.class_weights,
        trained=("a",) if frozen else None,
    )
    return (*before, later) if later.steps else before

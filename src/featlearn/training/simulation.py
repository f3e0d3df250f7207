"""One descent, several exact ways to carry it out; the fastest is chosen by itself.

The same numbers up to rounding (`simulate`):

plain    two matrix products of samples x inputs x neurons a step
gram     in the span of the data: one of samples x samples x neurons (`featlearn.training.gram`)
planar   d = 2: sorted angles and prefix sums (`featlearn.training.planar`)

The same law, free of d, where noise is Gaussian (`simulate_in_law`):

fresh    in the span of signal and neurons (`featlearn.training.wishart`)
sample   in the span of signal, sample and neurons (`featlearn.training.turned_sample`)
"""

from dataclasses import dataclass
from typing import Any

from featlearn._check import require_one_of
from featlearn.distributions import SignalAndNoise
from featlearn.networks import TwoLayer
from featlearn.training.data import Fresh, Sample
from featlearn.training.descent import Descent, Dynamics
from featlearn.training.gram import GramDescent, in_span
from featlearn.training.planar import PlanarDescent, in_plane
from featlearn.training.rules import Plain
from featlearn.training.turned_sample import TurnedSample, coordinates, fits, on_turned_sample
from featlearn.training.wishart import in_coordinates, turnable

SIMULATIONS = ("auto", "plain", "gram", "planar")


SLOWER = 4 / 3
"""What a multiplication costs in the span, against a plain one: at equal counts (n = 2d) the span
took 0.8 to 1.5 times as long on two cores."""
SPARSER = 4
"""d has to be so many times the number of coordinates before a law is simulated without d."""


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """A descent as it is carried out, with what its measurements have to look at."""

    phase: Dynamics
    network: Any
    """The network whose parameters the phase moves."""
    points: Any
    """The distribution of a point that training does not see, in the same coordinates."""
    sample: Any
    """What a fixed sample is drawn from, by the same key; `points` itself where d is not left."""


def simulate_in_law(descent: Descent, how: str = "auto") -> Simulation:
    """The same descent in law, in R^d or without d, whichever is cheaper.

    "gram" on fresh samples asks for the form without d, or is refused.
    """
    require_one_of(how, SIMULATIONS, "simulation")
    distribution, network = descent.distribution, descent.network
    if isinstance(descent.data, Fresh) and (how == "gram" or (how == "auto" and _sparse(descent))):
        seen = in_coordinates(descent)
        return Simulation(phase=seen, network=seen.network, points=seen.inside, sample=seen.inside)
    if isinstance(descent.data, Sample) and how in ("auto", "gram") and _sparse(descent):
        turned = on_turned_sample(descent)
        assert isinstance(turned.distribution, TurnedSample)
        return Simulation(
            phase=simulate(turned, how),
            network=turned.network,
            points=turned.distribution.inside,
            sample=turned.distribution,
        )
    phase = simulate(descent, how)
    return Simulation(phase=phase, network=network, points=distribution, sample=distribution)


def _sparse(descent: Descent) -> bool:
    """Whether d is well above the number of coordinates that a form without d would have."""
    distribution, network = descent.distribution, descent.network
    if isinstance(descent.data, Sample):
        return fits(descent) and distribution.d >= SPARSER * coordinates(descent)
    if not (turnable(descent) and isinstance(descent.rule, Plain)):
        return False
    assert isinstance(distribution, SignalAndNoise)
    assert isinstance(network, TwoLayer)
    return distribution.d >= SPARSER * (distribution.k + network.width)


def simulate(descent: Descent, how: str = "auto") -> Dynamics:
    """The same descent, plain, in the span of its sample, or in the plane.

    "auto" takes the plane where it can, and the span where that is less work in all.
    """
    require_one_of(how, SIMULATIONS, "simulation")
    if how == "auto":
        how = fastest(descent)
    if how == "gram":
        return GramDescent(descent=descent)
    if how == "planar":
        return PlanarDescent(descent=descent)
    return descent


def fastest(descent: Descent) -> str:
    """Which of the three needs the least work, counted in multiplications.

    Plain: T steps of 2 n d p. In the span: n^2 d and n d p to begin with, then T steps of n^2 p.
    """
    if in_plane(descent):
        return "planar"
    if in_span(descent):
        assert isinstance(descent.data, Sample)
        assert isinstance(descent.network, TwoLayer)
        n, d, p = descent.data.samples, descent.distribution.d, descent.network.width
        plain = descent.steps * 2 * n * d * p
        gram = n * n * d + n * d * p + descent.steps * n * n * p
        if SLOWER * gram < plain:
            return "gram"
    return "plain"

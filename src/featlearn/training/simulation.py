"""One descent, several exact ways to carry it out; the fastest is chosen by itself.

The same numbers up to rounding (`simulate`):

plain    two matrix products of samples x inputs x neurons a step
gram     in the span of the data: one of samples x samples x neurons (`featlearn.training.gram`)
planar   d = 2: sorted angles and prefix sums (`featlearn.training.planar`)

The same law, free of d, where noise is Gaussian (`free_of_d` says where that is cheaper):

fresh    in the span of signal and neurons (`featlearn.training.wishart`)
sample   in the span of signal, sample and neurons (`featlearn.training.turned_sample`)
"""

from featlearn._check import require_one_of
from featlearn._record import bound
from featlearn.distributions import SignalAndNoise
from featlearn.networks import TwoLayer
from featlearn.training.data import Sample
from featlearn.training.descent import Descent, Phase
from featlearn.training.gram import GramDescent, in_span
from featlearn.training.planar import PlanarDescent, in_plane
from featlearn.training.rules import Plain
from featlearn.training.turned_sample import coordinates, fits
from featlearn.training.wishart import is_rotatable

SIMULATIONS = ("auto", "plain", "gram", "planar")
SPAN_COST = 4 / 3
"""What a multiplication costs in the span, against a plain one: at equal counts (n = 2d) the span
took 0.8 to 1.5 times as long on two cores."""
SPARSER = 4
"""A law is simulated without d only if d is at least this multiple of the number of coordinates."""


def free_of_d(descent: Descent) -> bool:
    """Whether d is well above the number of coordinates that a form without d would have."""
    law, network = bound(descent.law, "Descent", "a law"), descent.network
    if isinstance(descent.data, Sample):
        return fits(descent) and law.d >= SPARSER * coordinates(descent)
    if not (is_rotatable(descent) and isinstance(descent.rule, Plain)):
        return False
    assert isinstance(law, SignalAndNoise)
    assert isinstance(network, TwoLayer)
    return law.d >= SPARSER * (law.k + network.width)


def simulate(descent: Descent, how: str = "auto") -> Phase:
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
        n, p = descent.data.samples, descent.network.width
        d = bound(descent.law, "Descent", "a law").d
        plain = descent.steps * 2 * n * d * p
        gram = n * n * d + n * d * p + descent.steps * n * n * p
        if SPAN_COST * gram < plain:
            return "gram"
    return "plain"

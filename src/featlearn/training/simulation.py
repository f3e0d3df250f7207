"""Several exact ways to compute the same descent; the fastest is chosen automatically.

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
    """Whether d is well above the number of coordinates that a simulation without d needs."""
    law, network = bound(descent.law, "Descent", "a law"), descent.network
    if isinstance(descent.data, Sample):
        return fits(descent) and law.d >= SPARSER * coordinates(descent)
    if not (is_rotatable(descent) and isinstance(descent.rule, Plain)):
        return False
    assert isinstance(law, SignalAndNoise)
    assert isinstance(network, TwoLayer)
    return law.d >= SPARSER * (law.k + network.width)


def simulate(descent: Descent, how: str = "auto") -> Phase:
    """Return a phase that computes the same descent by the method `how`.

    "auto" takes the method for the plane where d = 2 allows it, and the span of the sample
    where that needs less work in all.
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
    """Return the method, "plain", "gram" or "planar", that needs the fewest multiplications.

    Plain: T steps of 2 n d p each. In the span: n^2 d + n d p once, then T steps of n^2 p
    each.
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

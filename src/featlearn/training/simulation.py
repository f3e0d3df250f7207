"""One descent, three exact ways to carry it out; the fastest is chosen by itself.

plain    two matrix products of samples x inputs x neurons a step
gram     in the span of the data: one of samples x samples x neurons (`featlearn.training.gram`)
planar   d = 2: sorted angles and prefix sums (`featlearn.training.planar`)
"""

from featlearn._check import require_one_of
from featlearn.networks import TwoLayer
from featlearn.training.data import Sample
from featlearn.training.descent import Descent, Dynamics
from featlearn.training.gram import GramDescent, in_span
from featlearn.training.planar import PlanarDescent, in_plane

SIMULATIONS = ("auto", "plain", "gram", "planar")


SLOWER = 4 / 3
"""What a multiplication costs in the span, against a plain one: at equal counts (n = 2d) the span
took 0.8 to 1.5 times as long on two cores."""


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

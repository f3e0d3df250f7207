r"""Lemma C.3: on one coordinate L and L0 differ far less (Glasgow 2023, appendix C).

    |d_i L - d_i L0| <= |a| (C E|a w_i| + (C/2) log(d) E||a w|| P(|x_\i.w| <= |w_i|) + d^-omega(1))

with C = 4; x_\i is x without coordinate i, all the others kept. Its proof with l' - l0' = tanh(f/2)
gives C = 1/2 in the first and 1/2 in the second term; both are judged, without the last summand,
which only helps the lemma. The probability is exact (`leave_one_out_window`), and so are both
gradients, over all 2^d points.
"""

import math

import numpy as np

from featlearn.distributions.rademacher import leave_one_out_window
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import ALONG, REFERENCES, Net, Small, worst
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Statement, bound

NEURONS = 8
"""How many neurons of each network are looked at, on every coordinate."""


def ratio(net: Net, first: float, second: float, linear: float = 1.0) -> np.ndarray:
    """Left over right side, with the constants of the two terms, a row a neuron.

    `linear` is the slope of L0 over the paper's; with another one L0 is not the linearisation.
    """
    chosen = slice(0, NEURONS)
    gap = np.abs(net.slopes["loss"].w - linear * net.slopes["linear"].w)[chosen]
    mean_awi = np.mean(np.abs(net.a[:, None] * net.w), axis=0)
    near = np.stack([leave_one_out_window(w, 0.0, method="meet") for w in net.w[chosen]])
    limit = first * mean_awi + second * math.log(net.d) * net.mean_aw * near
    return np.asarray(gap / (np.abs(net.a[chosen])[:, None] * limit))


def statement(first: float = 4.0, second: float = 2.0, linear: float = 1.0) -> Statement[Small]:
    """The lemma with the constants of its two terms; see `ratio`."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        printed = worst(config, lab, lambda net: ratio(net, first, second, linear))
        sharp = worst(config, lab, lambda net: ratio(net, first / 8, second / 4, linear))
        of_first = worst(config, lab, lambda net: ratio(net, first, 0.0, linear))
        return Evidence(
            parts=(
                bound("as printed: largest left/right", printed, 1.0, every=True, instances=ALONG),
                bound(
                    "constants by tanh: largest left/right", sharp, 1.0, every=True, instances=ALONG
                ),
            ),
            constants={"left over the first term alone": _range(of_first)},
        )

    return Statement(
        id="glasgow2023.lemma-C.3",
        title="On one coordinate L and L0 differ far less",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        text=TEXTS["lemma-C.3"],
        control=Control("L0 linearised with half its slope", lambda: statement(linear=0.5)),
        seeds=12,
        place="Lemma C.3, appendix C.1",
        references=REFERENCES,
    )


def _range(values: np.ndarray) -> FittedConstant:
    return FittedConstant(value=float(values.mean()), ci=(float(values.min()), float(values.max())))


STATEMENT = statement()

r"""Claim D.15: every heavy neuron grows at its cluster's rate (Glasgow 2023, appendix D.3).

For w in S_mu of a signal-heavy network, eta <= zeta^3, after one step

    |a'| ||w_sig'|| >= |a| ||w_sig|| (1 + 2 eta tau (1 - o(1)) g_mu),             tau = sqrt(2)/4.

Networks are signal-heavy by the letter (H = 1.01), the gradient is the population's, and the
growth is taken without cancellation, per unit of eta: |a| w_sig-slope + ||w_sig|| a-slope, over 2
tau g_mu |a| ||w_sig||. The o(1) is of order zeta H: read as 10 zeta H, the factor of lemma D.3.
The growth is an equality up to that, so that it is judged from both sides.
"""

import math

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_step
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import REFERENCES, Heavy, Small, heavy_networks
from featlearn.papers.glasgow2023.statements.lemma_d_6 import pulls
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, identity


def growth(one: Heavy) -> np.ndarray:
    """d log(|a| ||w_sig||)/d eta over 2 tau g_mu, per heavy neuron."""
    net, slopes = one.net, one.net.slopes["loss"]
    of_w = -np.sum(net.parts[0] * slopes.w, axis=1) / net.signal**2
    of_a = -slopes.a / net.a
    return np.asarray(((of_w + of_a) / (2 * TAU * pulls(net)[0]))[one.S])


def statement(rate: float = 1.0) -> Statement[Small]:
    """The claim; another `rate` is another claim."""

    def evidence(config: Small, lab: Lab) -> Claim:
        heavy = [one for some in lab.each_seed(heavy_networks, config=config) for one in some]
        slack = max(10 * one.zeta * one.H for one in heavy)
        values = np.concatenate([growth(one) for one in heavy])
        return identity("growth of |a| ||w_sig|| over its rate", values, rate, tolerance=slack)

    return Statement(
        id="glasgow2023.claim-D.15",
        title="Every heavy neuron grows at its cluster's rate",
        kind=Kind.IDENTITY,
        config=Small(),
        evidence=evidence,
        hypotheses=built_step,
        text=TEXTS["claim-D.15"],
        control=Control(
            "the rate of a unit mu, times sqrt 2", lambda: statement(rate=math.sqrt(2))
        ),
        seeds=20,
        place="Claim D.15, appendix D.3",
        references=REFERENCES,
    )


STATEMENT = statement()

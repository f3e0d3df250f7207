r"""Equation D.1: the pull of the loss is bounded by the size of the network (Glasgow 2023).

    exp(-sqrt2 H_rho) <= g_min <= g_max <= 2,    g_mu = |l'(mu)|,    H_rho = E||a w||

for any network that is right at its centres; g_min has the lower bound for any network at all,
since |f(mu)| <= sqrt2 H_rho and 2/(1 + exp(x)) >= exp(-x). Printed is exp(-H_rho), without the sqrt
2 of ||mu||, which one long neuron along mu contradicts. Networks along training, single neurons,
and neurons along mu1 of several lengths, on which it is tightest.
"""

import math
from collections.abc import Sequence

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import ALONG, REFERENCES, Net, Small, networks
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Reading, Statement, bound

LENGTHS = (0.5, 1.0, 2.0, 3.0)
"""||w|| = |a| of neurons along mu1."""


def tried(config: Small, trained: Sequence[Net]) -> list[Net]:
    """Networks along training, and neurons along mu1."""
    alone = []
    for length in LENGTHS:
        w = np.zeros((1, config.d))
        w[0, :2] = np.array([1.0, -1.0]) / math.sqrt(2) * length
        alone.append(Net(w=w, a=np.array([length])))
    return [*trained, *alone]


def statement(power: float = math.sqrt(2)) -> Statement[Small]:
    """The equation; with `power` 1 it is the printed one."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        nets = [tried(config, each) for each in lab.each_seed(networks, config=config)]
        low, printed = (
            np.array([min(net.g.min() * math.exp(k * net.mean_aw) for net in of) for of in nets])
            for k in (power, 1.0)
        )
        high = np.array([max(net.g.max() for net in of) for of in nets])
        return Evidence(
            parts=(
                bound(
                    "least g_min exp(H_rho), as printed",
                    printed,
                    1.0,
                    side=">=",
                    every=True,
                    instances=ALONG,
                )
                .noted(f"one neuron along mu1 of length {LENGTHS[-1]:g} will do")
                .under(Reading.PRINTED),
                bound(
                    "least g_min exp(sqrt2 H_rho)", low, 1.0, side=">=", every=True, instances=ALONG
                ).under(Reading.CORRECTED),
                bound("largest g_max", high, 2.0, every=True, instances=ALONG),
            )
        )

    return Statement(
        id="glasgow2023.equation-D.1",
        title="The pull of the loss is bounded by the size of the network",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        text=TEXTS["equation-D.1"],
        control=Control("exp(-H_rho), as printed", lambda: statement(power=1.0)),
        seeds=12,
        place="Equation D.1, appendix D",
        references=REFERENCES,
    )


STATEMENT = statement()

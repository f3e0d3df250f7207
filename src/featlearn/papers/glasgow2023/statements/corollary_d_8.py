r"""Corollary D.8: a weighted sum of what is not signal shrinks (Glasgow 2023, appendix D.2).

For a heavy neuron of a (zeta, H)-signal-heavy network

    w_opp.grad^cl + exp(6H) w_perp.grad^cl >= zeta^x |a| (||w_opp|| + exp(6H)||w_perp||).

The exponent is unreadable in the scan. Its proof gives g_min exp(-6H) times a number, and zeta <=
exp(-10H) makes that more than zeta^x for x above 0.7, while lemma D.12 needs x < 1 to absorb the
distance to the true gradient: we read x = 0.8, and tell the least x that these networks allow.
Networks are signal-heavy by the letter (H = 1.01), half of their heavy neurons near the worst mix
of the two parts; gradients are sums over all 2^d points.
"""

import math

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_heavy
from featlearn.papers.glasgow2023.population import (
    BUILT,
    REFERENCES,
    Heavy,
    Net,
    Small,
    heavy_networks,
    worst_heavy,
)
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Statement, bound


def shrinkage(one: Heavy) -> np.ndarray:
    """Left side over |a| (||w_opp|| + exp(6H)||w_perp||), per heavy neuron."""
    net, S, weight = one.net, one.S, math.exp(6 * one.H)
    clean = net.slopes["clean"].w
    left = np.sum((net.parts[1] + weight * net.parts[2]) * clean, axis=1)
    size = np.abs(net.a) * (net.opposite + weight * net.orthogonal)
    return np.asarray((left / size)[S])


def mixed(one: Heavy) -> Heavy:
    """The same network, the parts of its heavy neurons in the ratios where the proof is tight."""
    net, S = one.net, one.S
    ratio = np.geomspace(math.exp(-8 * one.H), 10, S.sum())  # ||w_perp||/||w_opp||
    budget = one.zeta * net.signal[S] / 2
    opp = budget / (1 + ratio * math.exp(6 * one.H))
    unit = [
        net.parts[i][S] / np.linalg.norm(net.parts[i][S], axis=1, keepdims=True) for i in (0, 2)
    ]
    other = np.zeros_like(unit[0])
    other[:, 0], other[:, 1] = unit[0][:, 1], -unit[0][:, 0]
    w = net.w.copy()
    w[S] = net.parts[0][S] + other * opp[:, None] + unit[1] * (ratio * opp)[:, None]
    a = np.sign(net.a) * np.linalg.norm(w, axis=1) * (1 - 1e-9)
    return Heavy(net=Net(w=w, a=a), zeta=one.zeta, H=one.H)


def statement(power: float = 0.8) -> Statement[Small]:
    """The corollary with the exponent of zeta."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        zeta = lab.compute(heavy_networks, config=config, seed=lab.seeds[0])[0].zeta
        made = {
            "as built": worst_heavy(config, lab, lambda one: -shrinkage(one)),
            "parts mixed": worst_heavy(config, lab, lambda one: -shrinkage(mixed(one))),
        }
        parts = [
            bound(
                f"{name}: least left/right without zeta^x",
                -v,
                zeta**power,
                side=">=",
                every=True,
                instances=BUILT,
            )
            for name, v in made.items()
        ]
        least = min(float(-v.max()) for v in made.values())
        x = math.log(least) / math.log(zeta) if least > 0 else math.nan
        return Evidence(parts=tuple(parts), constants={"least x": FittedConstant(value=x)})

    return Statement(
        id="glasgow2023.corollary-D.8",
        title="A weighted sum of what is not signal shrinks",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        hypotheses=built_heavy,
        text=TEXTS["corollary-D.8"],
        control=Control("the exponent 0.5 in the place of 0.8", lambda: statement(power=0.5)),
        seeds=20,
        place="Corollary D.8, appendix D.2",
        references=REFERENCES,
    )


STATEMENT = statement()

r"""Lemma D.12: the least margin grows at the largest rate, and heavy neurons stay heavy.

In a (zeta, H)-signal-heavy network, eta <= zeta^3, after one step (Glasgow 2023, appendix D.3)

    gamma~_min' >= (1 + 2 eta tau (1 - o(1)) g_max) gamma~_min,                     tau = sqrt(2)/4,
    zeta ||w_sig'|| >= exp(6H)||w_perp'|| + ||w_opp'||    for every neuron for which it held before.

Networks are signal-heavy by the letter (H = 1.01, zeta = 2e-5), so eta <= 1e-14: growth is taken
per unit of eta, without cancellation, from the population gradient. The o(1) is of order zeta H:
read as 10 zeta H, the factor of lemma D.3. For the second half the paper shows that
exp(6H)||w_perp||^2 + ||w_opp||^2 falls, from which the claim about norms does not follow; by lemma
D.7 the norms themselves do what is claimed, and that is judged: exp(6H)||w_perp|| + ||w_opp||
falls, ||w_sig|| grows. Sampled steps of trained networks are judged with an o(1) of 0.1
(`sampled_steps`).
"""

import math

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_step
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import (
    BUILT,
    REFERENCES,
    Heavy,
    Small,
    heavy_networks,
    worst_heavy,
)
from featlearn.papers.glasgow2023.sampled_steps import LITTLE, every_step, surely
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound


def margin_growth(one: Heavy) -> Float[np.ndarray, " clusters"]:
    """d log gamma~_mu/d eta over 2 tau, from the population gradient, for each centre."""
    net, slopes = one.net, one.net.slopes["loss"]
    of_w = -np.sum(net.parts[0] * slopes.w, axis=1) / net.signal * np.abs(net.a)
    of_a = -slopes.a * np.sign(net.a) * net.signal
    gained = np.mean(net.cluster * one.S * (of_w + of_a), axis=1)
    had = np.mean(net.cluster * one.S * np.abs(net.a) * net.signal, axis=1)
    return np.asarray(gained / had / (2 * TAU))


def least_margin(one: Heavy) -> float:
    """Growth of gamma~_min over that of g_max."""
    place = int(np.argmin(one.net.heavy_margin(one.S)))
    return float(margin_growth(one)[place] / one.net.g.max())


def length_growth(one: Heavy, part: int) -> Float[np.ndarray, " heavy"]:
    """d||w_part||/d eta over |a|, per heavy neuron; where the part is 0, it can only grow."""
    net, slopes = one.net, one.net.slopes["loss"].w
    vector, size = net.parts[part], np.linalg.norm(net.parts[part], axis=1)
    along = -np.sum(vector * slopes, axis=1) / np.where(size > 0, size, 1)
    if part == 2:
        free = np.linalg.norm(slopes[:, 2:], axis=1)
    else:
        sign = np.where((net.a >= 0) == (part == 0), -1.0, 1.0)
        free = np.abs(slopes[:, 0] + sign * slopes[:, 1]) / math.sqrt(2)
    return np.asarray((np.where(size > 0, along, free) / np.abs(net.a))[one.S])


def statement(rate: float = 1.0, shrink: float = 0.0) -> Statement[Small]:
    """The lemma; another `rate` of growth, or a `shrink` per eta |a|, is another claim."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        heavy = dict(zip(lab.seeds, lab.each_seed(heavy_networks, config=config), strict=True))
        slack = max(10 * one.zeta * one.H for of in heavy.values() for one in of)

        def rest(one: Heavy) -> np.ndarray:
            return math.exp(6 * one.H) * length_growth(one, 2) + length_growth(one, 1)

        least = np.array([min(least_margin(one) for one in of) for of in heavy.values()])
        shrinks = worst_heavy(config, lab, rest)
        grows = -worst_heavy(config, lab, lambda one: -length_growth(one, 0))
        taken = every_step(config, lab)
        faster = [step.least >= rate - LITTLE for step in taken]
        name = "growth of gamma~_min over 2 tau g_max"
        return Evidence(
            parts=(
                bound(name, least, rate - slack, side=">=", every=True, instances=BUILT),
                bound(
                    "growth of exp(6H)||w_perp|| + ||w_opp||",
                    shrinks,
                    -shrink,
                    every=True,
                    instances=BUILT,
                ),
                bound("growth of ||w_sig||", grows, 0.0, side=">=", every=True, instances=BUILT),
                *surely("gamma~_min grows", faster, config.d),
                *surely("heavy neurons stay heavy", [step.stay for step in taken], config.d),
            )
        )

    return Statement(
        id="glasgow2023.lemma-D.12",
        title="The least margin grows at the largest rate, and heavy neurons stay heavy",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        hypotheses=built_step,
        text=TEXTS["lemma-D.12"],
        control=Control(
            "the rate times sqrt 2, mu taken for a unit vector",
            lambda: statement(rate=math.sqrt(2)),
        ),
        seeds=20,
        place="Lemma D.12, appendix D.3",
        references=REFERENCES,
    )


STATEMENT = statement()

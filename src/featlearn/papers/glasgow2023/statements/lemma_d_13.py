r"""Lemma D.13: the largest margin grows at no more than the smallest rate (Glasgow 2023, D.3).

In a (zeta, H)-signal-heavy network, eta <= zeta^3, after one step

    gamma~_max' <= (1 + 2 eta tau (1 + o(1)) g_min) gamma~_max,                     tau = sqrt(2)/4.

As in lemma D.12: networks are signal-heavy by the letter (H = 1.01), the growth is taken per unit
of eta from the population gradient, and the o(1) is read as 10 zeta H. It rests on |a| = ||w_sig||
(1 + o(1)) in S: a network whose second layer is shorter grows faster than at that rate. Sampled
steps of trained networks are judged with an o(1) of 0.1 (`sampled_steps`).
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_step
from featlearn.papers.glasgow2023.population import BUILT, REFERENCES, Heavy, Small, heavy_networks
from featlearn.papers.glasgow2023.sampled_steps import LITTLE, every_step, surely
from featlearn.papers.glasgow2023.statements.lemma_d_12 import margin_growth
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound


def largest_margin(one: Heavy) -> float:
    """Growth of gamma~_max over that of g_min."""
    place = int(np.argmax(one.net.heavy_margin(one.S)))
    return float(margin_growth(one)[place] / one.net.g.min())


def statement(rate: float = 1.0) -> Statement[Small]:
    """The lemma; another `rate` is another claim."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        heavy = dict(zip(lab.seeds, lab.each_seed(heavy_networks, config=config), strict=True))
        slack = max(10 * one.zeta * one.H for of in heavy.values() for one in of)
        most = np.array([max(largest_margin(one) for one in of) for of in heavy.values()])
        slower = [step.most <= rate + LITTLE for step in every_step(config, lab)]
        name = "growth of gamma~_max over 2 tau g_min"
        return Evidence(
            parts=(
                bound(name, most, rate + slack, every=True, instances=BUILT),
                *surely("gamma~_max grows no faster", slower, config.d),
            )
        )

    return Statement(
        id="glasgow2023.lemma-D.13",
        title="The largest margin grows at no more than the smallest rate",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        hypotheses=built_step,
        text=TEXTS["lemma-D.13"],
        control=Control("the rate of w alone, half of both", lambda: statement(rate=0.5)),
        seeds=20,
        place="Lemma D.13, appendix D.3",
        references=REFERENCES,
    )


STATEMENT = statement()

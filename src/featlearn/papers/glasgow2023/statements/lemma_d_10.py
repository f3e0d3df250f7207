r"""Lemma D.10: no neuron grows faster than the weakest cluster's rate (Glasgow 2023, appendix D.2).

For any neuron of any network, tau = sqrt(2)/4, g_max = max_mu |l'(mu)|:

    |w.grad_w^cl L| <= tau g_max |a| ||w||,        |grad_a^cl L| <= tau g_max ||w||.

(The text writes grad_a = w.grad_w and so loses an a.) It is nearly attained, by neurons along the
centre with the least margin. Networks along training and single neurons, all 2^d points.
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import (
    ALONG,
    REFERENCES,
    Net,
    Small,
    networks,
    worst,
)
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Reading, Statement, bound, identity


def ratios(net: Net) -> tuple[np.ndarray, np.ndarray]:
    """Both left-hand sides over g_max |a| ||w|| and g_max ||w||."""
    clean, unit = net.slopes["clean"], net.g.max() * net.norm
    of_w = np.abs(np.sum(net.w * clean.w, axis=1)) / (np.abs(net.a) * unit)
    return of_w, np.abs(clean.a) / unit


def statement(rate: float = TAU) -> Statement[Small]:
    """The lemma; another `rate` is another claim."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        of_w = worst(config, lab, lambda net: ratios(net)[0])
        of_a = worst(config, lab, lambda net: ratios(net)[1])
        every = [net for nets in lab.each_seed(networks, config=config) for net in nets]
        left = np.concatenate([np.abs(net.slopes["clean"].a) for net in every])
        right = np.concatenate(
            [np.abs(np.sum(net.w * net.slopes["clean"].w, axis=1)) for net in every]
        )
        largest = "largest |w.grad_w^cl|/(g_max |a| ||w||)"
        return Evidence(
            parts=(
                identity("|grad_a^cl| = |w.grad_w^cl|, as printed", left, right, tolerance=1e-6)
                .noted("it holds with |a| on the left")
                .under(Reading.PRINTED),
                bound(largest, of_w, rate, every=True, instances=ALONG).under(Reading.CORRECTED),
                bound("largest |grad_a^cl|/(g_max ||w||)", of_a, rate, every=True, instances=ALONG),
            )
        )

    return Statement(
        id="glasgow2023.lemma-D.10",
        title="No neuron grows faster than the weakest cluster's rate",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        text=TEXTS["lemma-D.10"],
        control=Control("1/4 in the place of sqrt(2)/4", lambda: statement(rate=1 / 4)),
        seeds=12,
        place="Lemma D.10, appendix D.2",
        references=REFERENCES,
    )


STATEMENT = statement()

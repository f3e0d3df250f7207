r"""Lemma D.7: clean gradients push back what is not signal (Glasgow 2023, appendix D.2).

With X = P(|w_perp.xi| >= sqrt2 ||w_opp||), for a heavy neuron

    (1/|a|) w_perp.grad^cl >= g_min X ||w_perp|| / (4 sqrt2) - zeta ||w_perp||
    (1/|a|) w_opp.grad^cl  >= (sqrt2/8) g_min ||w_opp|| - (sqrt2/4) g_max X ||w_opp||.

The first display is unreadable in the scan and its proof would give 1/4 where we write 1/(4 sqrt2):
with 1/4 it is false, and 1/(4 sqrt2) is tight for w_perp with two equal coordinates (E|xi_1 + xi_2|
= 1 = ||(1, 1)||/sqrt2: Khinchine's inequality). Networks are signal-heavy by the letter.
"""

import math

import numpy as np

from featlearn.distributions.rademacher import within
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_heavy
from featlearn.papers.glasgow2023.population import BUILT, REFERENCES, Heavy, Small, worst_heavy
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Reading, Statement, bound


def outside(one: Heavy) -> np.ndarray:
    """X of every heavy neuron."""
    net = one.net
    rows = zip(net.w[one.S, 2:], math.sqrt(2) * net.opposite[one.S], strict=True)
    # In units of w_perp itself, which is 1e-8 of the neuron.
    return np.array(
        [1 - float(within(r / np.linalg.norm(r), c / np.linalg.norm(r), "meet")) for r, c in rows]
    )


def shortfalls(one: Heavy, perp: float, opp: float) -> tuple[np.ndarray, np.ndarray]:
    """Right side less left side over the size of the part, for the two displays: at most 0."""
    net, S = one.net, one.S
    X, g = outside(one), net.g
    clean = net.slopes["clean"].w
    along = [np.sum(net.parts[i] * clean, axis=1)[S] / np.abs(net.a[S]) for i in (2, 1)]
    size = [net.orthogonal[S], net.opposite[S]]
    first = perp * g.min() * X - one.zeta - along[0] / size[0]
    some = size[1] > 0  # a neuron without an opposite part has nothing to push back
    second = opp * g.min() - 2 * opp * g.max() * X[some] - along[1][some] / size[1][some]
    return first, second


def statement(
    perp: float = 1 / (4 * math.sqrt(2)), opp: float = math.sqrt(2) / 8
) -> Statement[Small]:
    """The lemma with its two constants."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        first = worst_heavy(config, lab, lambda one: shortfalls(one, perp, opp)[0])
        by_proof = worst_heavy(config, lab, lambda one: shortfalls(one, 1 / 4, opp)[0])
        second = worst_heavy(config, lab, lambda one: shortfalls(one, perp, opp)[1])
        name = "w_perp: largest right - left, over ||w_perp||"
        return Evidence(
            parts=(
                bound(
                    f"{name}, kappa = 1/4 as in the proof",
                    by_proof,
                    0.0,
                    every=True,
                    instances=BUILT,
                )
                .noted("attained by two equal coordinates")
                .under(Reading.PROOF),
                bound(name, first, 0.0, every=True, instances=BUILT).under(Reading.CORRECTED),
                bound(
                    "w_opp: largest right - left, over ||w_opp||",
                    second,
                    0.0,
                    every=True,
                    instances=BUILT,
                ),
            )
        )

    return Statement(
        id="glasgow2023.lemma-D.7",
        title="Clean gradients push back what is not signal",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        hypotheses=built_heavy,
        text=TEXTS["lemma-D.7"],
        control=Control("1/4 in the place of 1/(4 sqrt 2)", lambda: statement(perp=1 / 4)),
        seeds=20,
        place="Lemma D.7, appendix D.2",
        references=REFERENCES,
    )


STATEMENT = statement()

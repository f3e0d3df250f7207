r"""Theorem 4.8: on a good run the error is at most exp(-Omega(n^(1-20 eps) ||mu||^4/p)) (section
4.2.2).

For C n^(10 eps) <= t <= sqrt n. There are no good runs at any n that can be had (definition 4.5).
In their place stand runs whose clusters are nearly balanced, |E[D_nu,j | X]| at most one standard
deviation of D_nu,j for both pairs of centres: what the count of points decides is then left out,
and what is left is the theorem's own claim, at t = sqrt n with the proof's 1/(2*240^2). How much
smaller the certified error is than the claim is told.
"""

import math

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.assumptions import EPSILON, begun, good_run
from featlearn.papers.xu2023.claim import AT_LEAST, COINS, coin_labels, met
from featlearn.papers.xu2023.setting import REFERENCES, AssumptionsMet
from featlearn.papers.xu2023.statements.theorem_3_1 import PROOF
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.papers.xu2023.watched import Watched, watch
from featlearn.theory import (
    Control,
    Event,
    Evidence,
    Kind,
    Statement,
    judged,
    spread,
    undecided,
)

BALANCED = 1.0


def balanced(run: Watched, most: float = BALANCED) -> bool:
    """Whether no pair of clusters is further apart than that many standard deviations of D."""
    return bool(np.abs(run.imbalance).max() <= most)


def fact(run: Watched, constant: float = PROOF) -> Event:
    """log of the certified error at sqrt n against the claim."""
    n = run.config.samples
    claimed = n ** (1 - 20 * EPSILON) * run.config.norm**4 / run.config.d / constant
    return Event(
        name=f"log certified error at sqrt n against -n^(1-20 eps) |mu|^4/p/{constant:g}",
        measured=float(run.log10_certificate[-1]) * math.log(10),
        limit=-float(claimed),
    )


def statement(constant: float = PROOF, most: float = BALANCED) -> Statement[AssumptionsMet]:
    """The theorem; other numbers are other claims.

    Args:
        constant: what divides the exponent.
        most: the largest imbalance of a run that is taken.
    """

    def evidence(config: AssumptionsMet, lab: Lab) -> Evidence:
        runs = lab.each_seed(watch, config=config.setting())
        taken = [run for run in runs if balanced(run, most)]
        events = [fact(run, constant) for run in taken]
        part = (
            judged(events[0].name, events, AT_LEAST)
            if events
            else undecided("balanced runs", f"none of {len(runs)} seeds is balanced; take more")
        )
        others = [run for run in runs if not balanced(run, most)]
        constants = {
            "share of runs that are balanced": spread([float(balanced(run, most)) for run in runs]),
            "log certified error over the claim, balanced runs": spread(
                [event.measured / event.limit for event in events]
            ),
            "share of the other runs that miss a cluster": spread(
                [float(run.missed[-1].any()) for run in others]
            ),
        }
        return Evidence(parts=(part,), constants=constants)

    return Statement(
        id="xu2023.theorem-4.8",
        title="On runs with balanced clusters the certified error is below the theorem's",
        kind=Kind.HIGH_PROBABILITY,
        config=AssumptionsMet(),
        evidence=evidence,
        hypotheses=lambda config: (
            *met(config),
            good_run(config.samples),
            *begun(config.samples, ("margin", "aligned")),
        ),
        text=TEXTS["theorem-4.8"],
        control=Control(COINS, lambda: coin_labels(statement())),
        seeds=100,
        place="Theorem 4.8, section 4.2.2; balanced runs for good ones",
        references=REFERENCES,
    )


STATEMENT = statement()

r"""Which settings the theorem speaks of: the C that A1 to A7 leave (section 2).

A calculator. For the default of the checks, a second setting in scope, and both figures of the
paper: the largest C that A1 to A6 allow against the least that A7 does. Both figures lie outside
(figure 1: A7 wants C >= 100, A1 allows 0.017; figure 2: C >= 25, A4 allows 6.7).
"""

from dataclasses import replace

from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.assumptions import (
    hypotheses,
    in_scope,
    largest_constants,
    least_constant,
    window,
)
from featlearn.papers.frei2022.setting import HIGH, LOW, PLANE, REFERENCES, XorClusters
from featlearn.papers.frei2022.texts import TEXTS
from featlearn.theory import Claim, Kind, Statement, reported

SECOND = replace(
    XorClusters(), eta=0.25, samples=2500, d=1200, noise_norm=0.1, flips=0.1, start_norm=0.01
)
"""C = 10 in A2 and A4, alpha = 1/4, T = 2."""


def part(name: str, config: XorClusters) -> Claim:
    """One setting."""
    limits = largest_constants(config)
    tightest = min(limits, key=lambda each: limits[each])
    low, high = window(config.eta)
    listed = ", ".join(f"{each} {limit:.3g}" for each, limit in limits.items())
    place = "in scope" if in_scope(config) else "outside the theorem"
    return reported(
        name,
        limits[tightest],
        least_constant(config),
        relation=">=",
        reason=f"{place}: largest C by {listed}; A7 C in [{low:.3g}, {high:.3g}]",
    )


def evidence(config: XorClusters, lab: Lab) -> list[Claim]:
    """All of them; nothing is random."""
    return [
        part("this setting", config),
        part("a second setting in scope", SECOND),
        part("figure 1", PLANE.config),
        part("figure 2, n >> d", LOW.config),
        part("figure 2, d >> n", HIGH.config),
    ]


STATEMENT = Statement(
    id="frei2022.scope",
    title="Which C the assumptions leave, here and at the paper's figures",
    kind=Kind.DEFINITION,
    config=XorClusters(),
    evidence=evidence,
    hypotheses=hypotheses,
    text=TEXTS["scope"],
    seeds=1,
    place="Assumptions A1 to A7, section 2",
    references=REFERENCES,
)

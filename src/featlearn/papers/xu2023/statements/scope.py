r"""Which settings the theorem speaks of: the C that A1 to A6 leave, and the n that its proof needs.

A calculator. The figures' setting misses A1 by 2.4, A2 by 1250 and A5 by 2e5 (2e9 in figure 1,
right, and figure 4) at C = 1; the settings of the checks meet all six. What the proof asks of n
follows: the lines with the number of the equation they stand at, at the largest epsilon that
section 4 allows.
"""

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.assumptions import (
    largest_constants,
    least_constants,
    thresholds,
    window,
)
from featlearn.papers.xu2023.claim import met, threshold_part
from featlearn.papers.xu2023.setting import (
    CLUSTERS,
    REFERENCES,
    SMALL_STEPS,
    AssumptionsMet,
    GrokkingClusters,
)
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.theory import Claim, Kind, Statement, reported


def part(name: str, config: GrokkingClusters) -> Claim:
    """One setting: the largest C of A1 to A4 and A6, or how far A5 is missed if it is."""
    limits = largest_constants(config)
    allowed = {each: limit for each, limit in limits.items() if each != "A5"}
    tightest = min(allowed, key=lambda each: allowed[each])
    listed = ", ".join(f"{each} {limit:.3g}" for each, limit in allowed.items())
    fifth = limits["A5"]
    told = f"met by {fifth:.3g}" if fifth >= 1 - 1e-9 else f"missed by {1 / fifth:.3g}"
    low, high = window(config, max(1.0, allowed[tightest]))
    return reported(
        f"{name}: largest C",
        allowed[tightest],
        1.0,
        relation=">=",
        reason=f"by {listed}; A5 {told}; clause iii for t in [{low:.3g}, {high:.3g}]",
    )


def evidence(config: AssumptionsMet, lab: Lab) -> list[Claim]:
    """All of them; nothing is random."""
    asked = [
        reported(
            f"C that {line} asks for",
            config.C,
            constant,
            relation=">=",
            reason="by the numbers of that line",
        )
        for line, constant in least_constants().items()
    ]
    return [
        part("this setting", config.setting()),
        part("C = 150 at the same n", AssumptionsMet(samples=config.samples, C=150).setting()),
        part("figures 1 left, 2, 3", CLUSTERS.config),
        part("figures 1 right, 4", SMALL_STEPS.config),
        *asked,
        *(threshold_part(name, config) for name in thresholds()),
    ]


STATEMENT = Statement(
    id="xu2023.scope",
    title="Which C the assumptions leave, and from which n on the proofs speak",
    kind=Kind.DEFINITION,
    config=AssumptionsMet(),
    evidence=evidence,
    hypotheses=met,
    text=TEXTS["scope"],
    seeds=1,
    place="Assumptions A1 to A6, section 3, and the proofs",
    references=REFERENCES,
)

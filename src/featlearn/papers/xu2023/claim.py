"""What the statements of this paper have in common: runs with A1 to A6 met, and thresholds beside.

Every run has its assumptions met with the C of the configuration. What the text leaves open (the O
of a probability, the Omega of an exponent) is given a value here, said in the name of the part;
what the proof would need of n stands as a part of its own that claims nothing.
"""

import math
from collections.abc import Callable, Sequence

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.assumptions import NEEDED, assumptions, thresholds
from featlearn.papers.xu2023.setting import REFERENCES, AssumptionsMet
from featlearn.papers.xu2023.watched import Watched, watch
from featlearn.theory import (
    Assumption,
    Claim,
    Event,
    Evidence,
    FittedConstant,
    Kind,
    Statement,
    judged_each,
    reported,
)

AT_LEAST = 0.9
"""Asked for where the text has 1 - O(n^-eps), which is no number: n^-eps is .998."""

Events = Callable[[Watched], Sequence[Event]]
Constants = Callable[[Sequence[Watched]], dict[str, FittedConstant]]


def claim(
    name: str,
    title: str,
    place: str,
    events: Events,
    *,
    at_least: Callable[[AssumptionsMet], float] = lambda config: AT_LEAST,
    others: Callable[
        [AssumptionsMet, Sequence[Watched]], Sequence[Claim]
    ] = lambda config, runs: (),
    constants: Constants = lambda runs: {},
    needs: tuple[str, ...] = NEEDED,
    proof: Sequence[str] = (),
    begun: Sequence[str] = (),
    seeds: int = 59,
) -> Statement:
    """A statement that events happen in most runs.

    Args:
        name: its number in the paper.
        title: what it says.
        place: where it stands.
        events: the inequalities of one run.
        at_least: the share of runs in which each must happen.
        others: parts that are not events: exact probabilities and the like.
        constants: hidden constants, as measured over the runs.
        needs: the assumptions it rests on.
        proof: names of `thresholds` that its proof waits for, told beside the run's n.
        begun: those of them without which the verdict would be on numbers of ours: OUT_OF_SCOPE.
        seeds: how many runs are taken unless told otherwise.
    """

    def evidence(config: AssumptionsMet, lab: Lab) -> Evidence:
        runs = lab.each_seed(watch, config=config.setting())
        parts = judged_each([events(run) for run in runs], at_least(config))
        waits = [threshold_part(each, config) for each in proof]
        return Evidence(parts=(*parts, *others(config, runs), *waits), constants=constants(runs))

    return Statement(
        id=f"xu2023.{name}",
        title=title,
        kind=Kind.HIGH_PROBABILITY,
        config=AssumptionsMet(),
        evidence=evidence,
        assumptions=lambda config: (*met(config, needs), *has_begun(config, begun)),
        seeds=seeds,
        place=place,
        references=REFERENCES,
    )


def met(config: AssumptionsMet, needs: tuple[str, ...] = NEEDED) -> tuple[Assumption, ...]:
    """A1 to A6 at the configuration's own C."""
    return assumptions(config.setting(), config.C, needs)


def has_begun(config: AssumptionsMet, names: Sequence[str]) -> tuple[Assumption, ...]:
    """Whether n is as large as these lines of the proof need it."""
    n = math.log10(config.samples)
    return tuple(
        Assumption(
            name=f"n as the proof needs it ({name})",
            holds=n >= found.log10_n,
            detail=f"n = {config.samples}, and 10^{found.log10_n:.0f} would do: {found.line}",
        )
        for name in names
        for found in (thresholds()[name],)
    )


def threshold_part(name: str, config: AssumptionsMet) -> Claim:
    """What the proof needs of n, beside the n of the run; it claims nothing."""
    found = thresholds()[name]
    return reported(
        f"the proof begins at log10 n ({name})",
        math.log10(config.samples),
        found.log10_n,
        relation=">=",
        reason=found.line,
    )

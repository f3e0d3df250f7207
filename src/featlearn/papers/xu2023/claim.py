"""What the statements of this paper have in common: runs with A1 to A6 met, and thresholds beside.

Every run has its assumptions met with the C of the configuration. What the text leaves open (the O
of a probability, the Omega of an exponent) is given a value here, said in the name of the part;
what the proof would need of n stands as a part of its own that claims nothing.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

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
    judged,
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
        proof: names of `thresholds` that its proof waits for.
        seeds: how many runs are taken unless told otherwise.
    """

    def evidence(config: AssumptionsMet, lab: Lab) -> Evidence:
        runs = lab.each_seed(watch, config=config.setting())
        found = [{event.name: event for event in events(run)} for run in runs]
        share = at_least(config)
        parts = [judged(name, [each[name] for each in found], share) for name in found[0]]
        waits = [threshold_part(each, config) for each in proof]
        return Evidence(parts=(*parts, *others(config, runs), *waits), constants=constants(runs))

    return Statement(
        id=f"xu2023.{name}",
        title=title,
        kind=Kind.HIGH_PROBABILITY,
        config=AssumptionsMet(),
        evidence=evidence,
        assumptions=lambda config: met(config, needs),
        seeds=seeds,
        place=place,
        references=REFERENCES,
    )


def met(config: AssumptionsMet, needs: tuple[str, ...] = NEEDED) -> tuple[Assumption, ...]:
    """A1 to A6 at the configuration's own C."""
    return assumptions(config.setting(), config.C, needs)


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


def spread(values: Sequence[float] | np.ndarray) -> FittedConstant:
    """A constant measured once a run: its mean, and the range over the runs."""
    known = np.asarray([value for value in values if math.isfinite(value)])
    if not len(known):
        return FittedConstant(value=math.nan)
    return FittedConstant(value=float(known.mean()), ci=(float(known.min()), float(known.max())))

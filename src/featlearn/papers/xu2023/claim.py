"""What the statements of this paper have in common: runs with A1 to A6 met, and thresholds beside.

Every run has its assumptions met with the C of the configuration. What the text leaves open (the O
of a probability, the Omega of an exponent) is given a value here, said in the name of the part: the
*run* reading. What the proof would need of n is a hypothesis of the *proof* reading.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.assumptions import NEEDED, begun, hypotheses, thresholds
from featlearn.papers.xu2023.setting import REFERENCES, AssumptionsMet, GrokkingClusters
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.papers.xu2023.watched import Watched, watch
from featlearn.theory import (
    Claim,
    Control,
    Event,
    Evidence,
    FittedConstant,
    Hypothesis,
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
    asked: Callable[[AssumptionsMet], Sequence[Hypothesis]] = lambda config: (),
    proof: Sequence[str] = (),
    control: Control[AssumptionsMet] | None = None,
    seeds: int = 59,
) -> Statement[AssumptionsMet]:
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
        asked: what it asks beside them.
        proof: names of `thresholds` that its proof waits for.
        control: the same with something broken.
        seeds: how many runs are taken unless told otherwise.
    """

    def evidence(config: AssumptionsMet, lab: Lab) -> Evidence:
        runs = lab.each_seed(watch, config=config.setting())
        parts = judged_each([events(run) for run in runs], at_least(config))
        return Evidence(parts=(*parts, *others(config, runs)), constants=constants(runs))

    return Statement(
        id=f"xu2023.{name}",
        title=title,
        kind=Kind.HIGH_PROBABILITY,
        config=AssumptionsMet(),
        evidence=evidence,
        hypotheses=lambda config: (
            *met(config, needs),
            *asked(config),
            *begun(config.samples, proof),
        ),
        text=TEXTS[name],
        control=control,
        seeds=seeds,
        place=place,
        references=REFERENCES,
    )


def met(
    config: AssumptionsMet | GrokkingClusters, needs: tuple[str, ...] = NEEDED
) -> tuple[Hypothesis, ...]:
    """A1 to A6 at the setting of the run, or at any other, such as that of a figure."""
    setting = config.setting() if isinstance(config, AssumptionsMet) else config
    return hypotheses(setting, needs)


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


def coin_labels(statement: Statement[AssumptionsMet]) -> Statement[AssumptionsMet]:
    """The same check where training labels are nearly fair coins."""
    return replace(statement, config=replace(statement.config, flips=0.499))


COINS = "49.9 % of the training labels are flipped"

"""What the statements of this paper have in common: events that happen in most runs.

A lemma says that with probability at least 1 - k delta some inequalities hold at once. Each run of
the setting gives each inequality a worst value and a limit; the share of seeds in which it held is
judged as any claim of high probability is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.assumptions import ALL, assumptions
from featlearn.papers.frei2022.setting import REFERENCES, XorClusters
from featlearn.papers.frei2022.watched import Watched, watch
from featlearn.theory import Claim, Evidence, FittedConstant, Kind, Statement, high_probability


@dataclass(frozen=True, kw_only=True)
class Event:
    """An inequality in one run: its worst case and its limit."""

    name: str
    measured: float
    limit: float
    side: Literal["<=", ">="] = "<="

    @property
    def happened(self) -> bool:
        """Whether the inequality held."""
        signed = self.limit - self.measured if self.side == "<=" else self.measured - self.limit
        return bool(signed >= 0)


Events = Callable[[Watched], Sequence[Event]]
Constants = Callable[[Sequence[Watched]], dict[str, FittedConstant]]


def claim(
    name: str,
    title: str,
    place: str,
    events: Events,
    *,
    failures: int = 4,
    seeds: int = 20,
    constants: Constants = lambda runs: {},
    needs: tuple[str, ...] = ALL,
) -> Statement:
    """A statement that events happen with probability at least 1 - failures * delta.

    Args:
        name: its number in the paper.
        title: what it says.
        place: where it stands.
        events: the inequalities of one run.
        failures: how many delta may be lost.
        seeds: enough for a decision if the events never fail.
        constants: hidden constants, as measured over the runs.
        needs: the assumptions it rests on.
    """

    def evidence(config: XorClusters, lab: Lab) -> Evidence:
        runs = lab.each_seed(watch, config=config)
        found = [{event.name: event for event in events(run)} for run in runs]
        at_least = 1 - failures * config.delta
        parts = [judged(name, [each[name] for each in found], at_least) for name in found[0]]
        return Evidence(parts=tuple(parts), constants=constants(runs))

    return Statement(
        id=f"frei2022.{name}",
        title=title,
        kind=Kind.HIGH_PROBABILITY,
        config=XorClusters(),
        evidence=evidence,
        assumptions=lambda config: assumptions(config, needs),
        seeds=seeds,
        place=place,
        references=REFERENCES,
    )


def judged(name: str, events: Sequence[Event], at_least: float) -> Claim:
    """The part for one inequality over all runs; its reason tells the worst of them."""
    happened = sum(event.happened for event in events)
    sign = 1 if events[0].side == "<=" else -1
    worst = max(events, key=lambda event: sign * (event.measured - event.limit))
    told = f"worst: {worst.measured:.4g} {worst.side} {worst.limit:.4g}"
    return high_probability(name, happened, len(events), at_least).noted(told)


def spread(values: Sequence[float]) -> FittedConstant:
    """A constant measured once a run: its mean, and the range over the runs."""
    return FittedConstant(value=float(np.mean(values)), ci=(float(min(values)), float(max(values))))

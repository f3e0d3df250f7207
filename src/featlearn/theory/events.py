"""Events: inequalities that hold in most runs, according to a claim of high probability.

Each run gives the worst value of an inequality and its limit. The fraction of the runs in which the
inequality held is judged like any claim of high probability, and the worst run is reported.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from featlearn._check import require_one_of
from featlearn._choices import SIDES, Side
from featlearn.theory.claim import Claim
from featlearn.theory.judges.probability import high_probability


@dataclass(frozen=True, kw_only=True)
class Event:
    """An inequality in one run: the worst measured value, and the limit it must respect."""

    name: str
    measured: float
    limit: float
    side: Side = "<="

    def __post_init__(self) -> None:
        require_one_of(self.side, SIDES, f"Event {self.name}: side")

    @property
    def happened(self) -> bool:
        """Whether the inequality held in this run."""
        signed = self.limit - self.measured if self.side == "<=" else self.measured - self.limit
        return bool(signed >= 0)


def judged(name: str, events: Sequence[Event], at_least: float) -> Claim:
    """Return the claim that one inequality holds in most runs; the reason of the claim quotes the
    worst run.
    """
    happened = sum(event.happened for event in events)
    sign = 1 if events[0].side == "<=" else -1
    worst = max(events, key=lambda event: sign * (event.measured - event.limit))
    worst_run = f"worst: {worst.measured:.4g} {worst.side} {worst.limit:.4g}"
    return high_probability(name, happened, len(events), at_least).noted(worst_run)


def judged_each(runs: Sequence[Sequence[Event]], at_least: float) -> list[Claim]:
    """Return the claim that all inequalities hold at once in most runs, then one claim per
    inequality.

    The events of every run have the same names. The first claim is the one that the paper makes;
    the others follow from it, and show which inequality fails.
    """
    found = [{event.name: event for event in events} for events in runs]
    each = [judged(name, [events[name] for events in found], at_least) for name in found[0]]
    if len(each) == 1:
        return each
    together = sum(all(event.happened for event in events) for events in runs)
    return [high_probability("all at once", together, len(runs), at_least), *each]

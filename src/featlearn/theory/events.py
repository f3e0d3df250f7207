"""Events: inequalities that a claim of high probability says hold in most runs.

Each run gives an inequality a worst value and a limit; the share of runs in which it held is judged
as any claim of high probability is, and the worst run is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from featlearn._choices import Side
from featlearn.theory.claim import Claim
from featlearn.theory.judges.probability import high_probability


@dataclass(frozen=True, kw_only=True)
class Event:
    """An inequality in one run: its worst case and its limit."""

    name: str
    measured: float
    limit: float
    side: Side = "<="

    @property
    def happened(self) -> bool:
        """Whether the inequality held."""
        signed = self.limit - self.measured if self.side == "<=" else self.measured - self.limit
        return bool(signed >= 0)


def judged(name: str, events: Sequence[Event], at_least: float) -> Claim:
    """The claim of one inequality over all runs; its reason tells the worst of them."""
    happened = sum(event.happened for event in events)
    sign = 1 if events[0].side == "<=" else -1
    worst = max(events, key=lambda event: sign * (event.measured - event.limit))
    told = f"worst: {worst.measured:.4g} {worst.side} {worst.limit:.4g}"
    return high_probability(name, happened, len(events), at_least).noted(told)


def judged_each(runs: Sequence[Sequence[Event]], at_least: float) -> list[Claim]:
    """That all inequalities hold at once in most runs, then each for itself.

    The events of every run have the same names. The first claim is the one that the paper makes;
    the others follow from it, and say which inequality is in the way.
    """
    found = [{event.name: event for event in events} for events in runs]
    each = [judged(name, [events[name] for events in found], at_least) for name in found[0]]
    if len(each) == 1:
        return each
    together = sum(all(event.happened for event in events) for events in runs)
    return [high_probability("all at once", together, len(runs), at_least), *each]

r"""Lemma 13: both conditions persist (section 4.3).

On a good run, for every t = 1, …, 1/(4 alpha), condition 9 holds at t and condition 10 up to t.
"""

from collections.abc import Sequence

from featlearn.papers.frei2022.claim import Event, claim
from featlearn.papers.frei2022.statements import condition_9, condition_10
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Statement


def statement(factor: float = 3.0) -> Statement:
    """The lemma; another factor in condition 10 is another claim."""

    def events(run: Watched) -> Sequence[Event]:
        first = condition_9.facts(run, range(1, condition_9.until(run) + 1))
        second = condition_10.facts(run, factor)
        failing = sum(not event.happened for event in (*first, *second))
        both = Event(name="conditions that fail", measured=float(failing), limit=0.0)
        return [both, *first, *second]

    return claim(
        "lemma-13",
        "Neuron alignment and almost-orthogonality persist to 1/(4 alpha)",
        "Lemma 13, section 4.3",
        events,
    )


STATEMENT = statement()

"""How many statements have which verdict in which reading, how many rows agree; by paper too."""

from collections import Counter
from collections.abc import Iterable, Iterator

from featlearn.reproduction.outcome import Decided, Outcome, Reproduced
from featlearn.results.ledger import OUTCOMES
from featlearn.theory import Judgement, Verdict
from featlearn.theory.readings import ORDER

NONE = "none"
"""The word for a definition or a calculator, which has no verdict."""
VERDICTS = (*(verdict.name for verdict in Verdict), NONE)
READINGS = tuple(reading.name.lower() for reading in ORDER)
ENDED = ("failed", "skipped")
Counts = dict[str, dict[str, int]]


def counts(outcomes: Iterable[Outcome]) -> Counts:
    """By reading, "ledger" and "ended" (failed, skipped), every word of each, 0 included.

    Example:
        >>> counts([])["ledger"]
        {'agrees': 0, 'differs': 0, 'ambiguous': 0}
    """
    outcomes = list(outcomes)
    judged = [o.judgement for o in outcomes if isinstance(o, Decided) if o.judgement]
    read = {name: Counter(_words(judged, name)) for name in READINGS}
    rows = [row for o in outcomes if isinstance(o, Reproduced) for row in o.reproduction.rows]
    agreed, ended = Counter(row.agrees for row in rows), Counter(o.status for o in outcomes)
    return {
        **{name: {word: read[name][word] for word in VERDICTS} for name in READINGS},
        "ledger": {word: agreed[word] for word in OUTCOMES},
        "ended": {word: ended[word] for word in ENDED},
    }


def _words(judgements: Iterable[Judgement], reading: str) -> Iterator[str]:
    for each in judgements:
        if reading in each.verdicts:
            yield each.verdicts[reading] or NONE


def counts_by_paper(outcomes: Iterable[Outcome]) -> dict[str, Counts]:
    """The same for every paper that has outcomes, in order."""
    outcomes = list(outcomes)
    names = dict.fromkeys(each.paper for each in outcomes)
    return {name: counts(o for o in outcomes if o.paper == name) for name in names}

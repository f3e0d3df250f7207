"""Count the verdicts of statements by reading, and the statuses of ledger cells, overall and by
paper.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from featlearn._choices import Origin
from featlearn.reproduction.cells import chance, judged
from featlearn.reproduction.outcome import ItemOutcome, Outcome, StatementOutcome
from featlearn.results.ledger import Row, RowKind, Status
from featlearn.theory import Judgement, Verdict
from featlearn.theory.readings import ORDER

NONE = "none"
"""The word in the counts for a definition or a calculator, which has no verdict."""
VERDICTS = (*(verdict.name for verdict in Verdict), NONE)
READINGS = tuple(reading.name.lower() for reading in ORDER)
LEDGER = {
    "cells": RowKind.CELL,
    "conclusions": RowKind.CONCLUSION,
    "measurements": RowKind.MEASURED,
}
"""Kind of row -> the statuses that are counted; each printed cell counts once."""
ENDED: tuple[Origin, ...] = ("failed", "skipped")
Counts = dict[str, dict[str, int]]


def counts(outcomes: Iterable[Outcome]) -> Counts:
    """Count the verdicts in each reading, the statuses in each kind of row, and failures.

    The entry "ended" counts the outcomes that failed or were skipped. Words that do not occur have
    the count 0.

    Example:
        >>> counts([])["cells"]["higher"], counts([])["ended"]
        (0, {'failed': 0, 'skipped': 0})
    """
    outcomes = list(outcomes)
    decided = [o.judgement for o in outcomes if isinstance(o, StatementOutcome) if o.judgement]
    read = {name: Counter(_words(decided, name)) for name in READINGS}
    chosen = judged(rows_of(outcomes))
    found = {name: Counter(r.status for r in chosen if r.kind is of) for name, of in LEDGER.items()}
    ended = Counter(o.status for o in outcomes)
    return {
        **{name: {word: read[name][word] for word in VERDICTS} for name in READINGS},
        **{name: {word.value: found[name][word] for word in Status} for name in LEDGER},
        "ended": {word: ended[word] for word in ENDED},
    }


def rows_of(outcomes: Iterable[Outcome]) -> list[Row]:
    """Return the ledger rows of all outcomes, in order."""
    return [row for o in outcomes if isinstance(o, ItemOutcome) for row in o.reproduction.rows]


def false_differences(outcomes: Iterable[Outcome]) -> str:
    """Return a sentence on how many cells would differ by chance; it is empty if none were
    compared.
    """
    return chance(rows_of(outcomes))


def _words(judgements: Iterable[Judgement], reading: str) -> Iterator[str]:
    for each in judgements:
        if reading in each.verdicts:
            yield each.verdicts[reading] or NONE


def counts_by_paper(outcomes: Iterable[Outcome]) -> dict[str, Counts]:
    """Return the counts of every paper that has outcomes, in order."""
    outcomes = list(outcomes)
    names = dict.fromkeys(each.paper for each in outcomes)
    return {name: counts(o for o in outcomes if o.paper == name) for name in names}

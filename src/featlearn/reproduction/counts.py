"""How many statements have which verdict and how many ledger rows agree, in all and by paper."""

from collections import Counter
from collections.abc import Iterable

from featlearn.reproduction.outcome import Decided, Outcome, Reproduced
from featlearn.results.ledger import OUTCOMES
from featlearn.theory import Verdict

NONE = "none"
"""The word for a definition or a calculator, which has no verdict."""
VERDICTS = (*(verdict.name for verdict in Verdict), NONE)
ENDED = ("failed", "skipped")
Counts = dict[str, dict[str, int]]


def counts(outcomes: Iterable[Outcome]) -> Counts:
    """By "verdicts", "ledger" and "ended" (failed, skipped), every word of each, 0 included.

    Example:
        >>> counts([])["ledger"]
        {'agrees': 0, 'differs': 0, 'ambiguous': 0}
    """
    outcomes = list(outcomes)
    verdicts = Counter(o.verdict or NONE for o in outcomes if isinstance(o, Decided) if o.judgement)
    rows = [row for o in outcomes if isinstance(o, Reproduced) for row in o.reproduction.rows]
    agreed, ended = Counter(row.agrees for row in rows), Counter(o.status for o in outcomes)
    return {
        "verdicts": {word: verdicts[word] for word in VERDICTS},
        "ledger": {word: agreed[word] for word in OUTCOMES},
        "ended": {word: ended[word] for word in ENDED},
    }


def counts_by_paper(outcomes: Iterable[Outcome]) -> dict[str, Counts]:
    """The same for every paper that has outcomes, in order."""
    outcomes = list(outcomes)
    names = dict.fromkeys(each.paper for each in outcomes)
    return {name: counts(o for o in outcomes if o.paper == name) for name in names}

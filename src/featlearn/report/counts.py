"""The words of the page and their meanings, and how often each was said."""

from collections.abc import Iterable

from featlearn.reproduction.counts import NONE, counts
from featlearn.reproduction.outcome import Outcome
from featlearn.results.ledger import MEANINGS
from featlearn.theory import Verdict

VERDICTS = {
    **{verdict.name: verdict.value for verdict in Verdict},
    NONE: "A definition or a calculator: it claims nothing that could fail.",
}
OUTCOMES = {status.value: meaning for status, meaning in MEANINGS.items()}


def tally(outcomes: Iterable[Outcome]) -> dict[str, dict[str, int]]:
    """Counts that are not 0: of each reading, of each kind of row, of those not "ended"."""
    return {
        kind: {word: count for word, count in words.items() if count}
        for kind, words in counts(outcomes).items()
    }

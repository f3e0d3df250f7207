"""The verdicts and statuses on the page: their meanings, and how often each occurs."""

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
    """Return the counts of `reproduction.counts` without the words that occur zero times."""
    return {
        kind: {word: count for word, count in words.items() if count}
        for kind, words in counts(outcomes).items()
    }

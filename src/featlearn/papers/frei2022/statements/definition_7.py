r"""Definition 7: a good run, in which lemmas 3, 4, 5 and 6 hold at once (section 4.1).

The paper shows that it has probability at least 1 - 4 delta. Judged with the constants that can be
had, C_0 = 2, C_1 = 2, C_2 = 8; the definition's own C_0 = 5.9e10 asks, through lemma 4, for some
1e23 neurons, and how often a run is good with it is reported as a constant.
"""

from collections.abc import Sequence

from featlearn.papers.frei2022.claim import Event, claim
from featlearn.papers.frei2022.statements import lemma_3, lemma_4, lemma_5, lemma_6
from featlearn.papers.frei2022.watched import PROOF_C0, Watched
from featlearn.theory import FittedConstant, Statement, spread


def broken(run: Watched, C1: float, literal: bool = False) -> int:
    """How many of the inequalities fail in a run."""
    events = [*lemma_3.facts(run), *lemma_4.facts(run), *lemma_5.facts(run, C1)]
    events += lemma_4.facts(run, PROOF_C0) if literal else []
    return sum(not event.happened for event in [*events, *lemma_6.facts(run)])


def statement(C1: float = lemma_5.C1) -> Statement:
    """The definition, whose probability is judged; another C_1 is another one."""

    def events(run: Watched) -> Sequence[Event]:
        return [
            Event(
                name="inequalities of lemmas 3 to 6 that fail",
                measured=float(broken(run, C1)),
                limit=0.0,
            )
        ]

    def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
        good = [float(broken(run, C1, literal=True) == 0) for run in runs]
        return {"share of good runs with C0 = 5.9e10": spread(good)}

    return claim(
        "definition-7",
        "A good run: the lemmas on start and sample hold at once",
        "Definition 7, section 4.1",
        events,
        constants=constants,
    )


STATEMENT = statement()

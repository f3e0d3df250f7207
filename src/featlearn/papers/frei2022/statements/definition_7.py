r"""Definition 7: a good run, in which lemmas 3, 4, 5 and 6 hold at once (section 4.1).

The paper shows that it has probability at least 1 - 4 delta, with the C_0 = 4^5 1024^2 e^4 = 5.9e10
that the definition prints. Through lemma 4 that asks for m/4 neurons in each of the four J_mu, so
for some 1e23 neurons; at any width that can be had a run is hardly ever good. C_1 = 2 and C_2 = 8
are those of the checks. How often a run is good with C_0 = 2 is told beside it.
"""

from collections.abc import Sequence

from featlearn.papers.frei2022.assumptions import good_run
from featlearn.papers.frei2022.claim import Broken, Event, claim, noisier, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.statements import lemma_3, lemma_4, lemma_5, lemma_6
from featlearn.papers.frei2022.watched import PROOF_C0, Watched
from featlearn.theory import Control, FittedConstant, Statement, spread


def broken_facts(run: Watched, C1: float, literal: bool = False) -> int:
    """How many of the inequalities fail in a run."""
    events = [*lemma_3.facts(run), *lemma_4.facts(run), *lemma_5.facts(run, C1)]
    events += lemma_4.facts(run, PROOF_C0) if literal else []
    return sum(not event.happened for event in [*events, *lemma_6.facts(run)])


def statement(
    C1: float = lemma_5.C1, literal: bool = True, broken: Broken = unbroken
) -> Statement[XorClusters]:
    """The definition, whose probability is judged.

    Args:
        C1: another one is another definition.
        literal: with the printed C_0; else with C_0 = 2.
        broken: what a control does to the setting.
    """

    def events(run: Watched) -> Sequence[Event]:
        label = "5.9e10" if literal else "2"
        return [
            Event(
                name=f"inequalities of lemmas 3 to 6 that fail, C0 = {label}",
                measured=float(broken_facts(run, C1, literal)),
                limit=0.0,
            )
        ]

    def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
        good = [float(broken_facts(run, C1) == 0) for run in runs]
        return {"share of good runs with C0 = 2": spread(good)}

    return claim(
        "definition-7",
        "A good run: the lemmas on start and sample hold at once",
        "Definition 7, section 4.1",
        events,
        constants=constants,
        proof=good_run,
        broken=broken,
        control=Control("twice the noise", lambda: statement(literal=False, broken=noisier)),
    )


STATEMENT = statement()

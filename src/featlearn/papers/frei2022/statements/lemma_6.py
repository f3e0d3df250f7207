r"""Lemma 6: a weak correlation gives an edge over the samples (section 4.1).

There is a C_2 > 1 such that with probability at least 1 - 2 delta, for every neuron and centre with
<w_j, mu>/||w_j|| >= 1/(3 C_0 sqrt d) at the start,

    #{clean x in mu : w_j.x > 0} - #{clean x in -mu : w_j.x > 0}  >=  n/C_2,

and lemma 5 holds beside it.

A "there is" is shown by a witness: C_2 = 8, at C_0 = 2. The lemma with the proof's C_0 = 5.9e10
needs sigma sqrt d < 3/C_0, so C > 2e10; at C = 16 neurons that hardly correlate have no edge, and
the least edge with that C_0 is reported as a constant.
"""

import math
from collections.abc import Sequence

from featlearn.papers.frei2022.claim import Broken, Event, claim, drowned, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.statements import lemma_5
from featlearn.papers.frei2022.watched import C0, PROOF_C0, Watched
from featlearn.theory import Control, FittedConstant, Statement, spread

C2 = 8.0


def least_edge(run: Watched, C0: float = C0) -> float:
    """The least edge over n of a neuron that correlates with a centre."""
    correlates = run.signed[0] >= 1 / (3 * C0 * math.sqrt(run.config.d))
    return float(run.edge(0)[correlates].min(initial=math.inf))


def facts(run: Watched, C2: float = C2) -> Sequence[Event]:
    """The lemma in one run."""
    return [
        Event(name="least edge / n at C0 = 2", measured=least_edge(run), limit=1 / C2, side=">=")
    ]


def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
    """C_2 as measured, and the edge where the threshold is the proof's."""
    edges = [max(least_edge(run), 1 / run.config.samples) for run in runs]  # a point at least
    return {
        "C2 = n/edge at C0 = 2": spread([1 / edge for edge in edges]),
        "least edge / n at C0 = 5.9e10": spread([least_edge(run, PROOF_C0) for run in runs]),
    }


def statement(C2: float = C2, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The lemma; another C_2 is another claim."""
    return claim(
        "lemma-6",
        "Neurons that correlate weakly with a centre are on for more of its points than not",
        "Lemma 6, section 4.1",
        lambda run: [*facts(run, C2), *lemma_5.facts(run)],
        failures=2,
        seeds=40,
        constants=constants,
        needs=("A1", "A2", "A3", "A4", "A7", "network"),
        broken=broken,
        control=Control("sixteen times the noise", lambda: statement(broken=drowned)),
    )


STATEMENT = statement()

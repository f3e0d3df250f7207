r"""Lemma 12: one step amplifies random features (section 4.3).

On a good run, condition 9 holds at t = 1, and for every mu and j in J_mu

    <w_j, mu>/||w_j||  >=  1/(16 C_2)    at t = 1,

C_2 being that of lemma 6 (8 here), where at t = 0 the correlation was of order 1/sqrt d.
"""

import math
from collections.abc import Sequence

from featlearn.papers.frei2022.assumptions import amplified, good_run
from featlearn.papers.frei2022.claim import Broken, Event, claim, frozen, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.statements import condition_9, lemma_6
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Control, FittedConstant, Statement, spread


def least_correlation(run: Watched, t: int) -> float:
    """The least correlation of a neuron of J_mu with mu."""
    return float(run.signed[t][run.J()].min(initial=math.inf))


def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
    """Before and after the step."""
    root = math.sqrt(runs[0].config.d)
    return {
        "least correlation at t = 1": spread([least_correlation(run, 1) for run in runs]),
        "mean correlation at t = 0, times sqrt d": spread(
            [float(run.signed[0][run.J()].mean()) * root for run in runs]
        ),
        "mean correlation at t = 1": spread([float(run.signed[1][run.J()].mean()) for run in runs]),
    }


def statement(
    t: int = 1, C2: float = lemma_6.C2, broken: Broken = unbroken
) -> Statement[XorClusters]:
    """The lemma; at `t` = 0, before the step, it is another claim, and false."""

    def events(run: Watched) -> Sequence[Event]:
        return [
            *condition_9.facts(run, [t]),
            Event(
                name=f"least correlation of J_mu with mu at t = {t}",
                measured=least_correlation(run, t),
                limit=1 / (16 * C2),
                side=">=",
            ),
        ]

    return claim(
        "lemma-12",
        "One step takes correlations from order 1/sqrt d to order 1",
        "Lemma 12, section 4.3",
        events,
        constants=constants,
        proof=lambda config: [*good_run(config), *amplified(config)],
        broken=broken,
        control=Control("the first layer is frozen", lambda: statement(broken=frozen)),
    )


STATEMENT = statement()

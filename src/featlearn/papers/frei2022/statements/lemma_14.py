r"""Lemma 14: how fast weights can grow (appendix A.2).

On a good run, for t >= 1:   ||w_j|| <= 2 |a_j| alpha t   and   ||W||_F <= 2 alpha t.

Judged for t = 1, …, T. Of the good run the proof uses the norms of lemma 3 and the distances of
lemma 5; it takes omega sqrt(md) <= alpha/3 from A6 and A7, and both are met here.
"""

from collections.abc import Sequence

import numpy as np

from featlearn.papers.frei2022.assumptions import slow_growth
from featlearn.papers.frei2022.claim import Broken, Event, claim, lazy, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Control, Statement


def statement(factor: float = 2.0, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The lemma; another factor is another claim."""

    def events(run: Watched) -> Sequence[Event]:
        moved = run.config.eta * np.arange(1, len(run.norm))
        alive = run.a != 0
        each = run.norm[1:, alive] / (np.abs(run.a[alive]) * moved[:, None])
        whole = np.linalg.norm(run.norm[1:], axis=1) / moved
        return [
            Event(name="max ||w_j||/(|a_j| alpha t)", measured=float(each.max()), limit=factor),
            Event(name="max ||W||_F/(alpha t)", measured=float(whole.max()), limit=factor),
        ]

    return claim(
        "lemma-14",
        "Weights grow at most linearly, by 2 alpha a step",
        "Lemma 14, appendix A.2",
        events,
        proof=slow_growth,
        broken=broken,
        control=Control("a start 5000 times as large", lambda: statement(broken=lazy)),
    )


STATEMENT = statement()

r"""Lemma 4.3: the start is short, and a third of the neurons has each sign (section 4.1).

With probability at least 1 - O(n^-eps):   C1 ||W(0)||_F^2 <= 1.5 omega^2 m p,   C2 |J_Pos|, |J_Neg|
>= m/3.

Both are known exactly, and computed beside the runs: m p ||W||^2/(omega^2 m p) is chi-square with m
p degrees of freedom, |J_Pos| is B(m, 1/2).
"""

import math
from collections.abc import Sequence

from scipy.stats import binom, chi2

from featlearn.papers.xu2023.claim import AT_LEAST, claim
from featlearn.papers.xu2023.setting import AssumptionsMet
from featlearn.papers.xu2023.watched import Watched
from featlearn.theory import Claim, Control, Event, Statement, exact_bound


def facts(run: Watched, length: float = 1.5, share: float = 3.0) -> list[Event]:
    """C1 and C2 in one run."""
    least = min(int((run.a > 0).sum()), int((run.a < 0).sum()))
    return [
        Event(name="C1 |W(0)|^2/(omega^2 m p)", measured=float(run.start), limit=length),
        Event(
            name="C2 neurons of the rarer sign",
            measured=float(least),
            limit=run.config.width / share,
            side=">=",
        ),
    ]


def statement(length: float = 1.5, share: float = 3.0) -> Statement[AssumptionsMet]:
    """The lemma; other numbers are other claims.

    Args:
        length: C1's 1.5.
        share: C2's 3: a third.
    """

    def others(config: AssumptionsMet, runs: Sequence[Watched]) -> list[Claim]:
        m, freedom = config.width, float(config.width) * config.setting().d
        least = math.ceil(m / share)
        signs = float(binom.cdf(m - least, m, 0.5) - binom.cdf(least - 1, m, 0.5))
        return [
            exact_bound(
                "P(C1), chi-square", chi2.cdf(length * freedom, freedom), AT_LEAST, side=">="
            ),
            exact_bound("P(C2), binomial", signs, AT_LEAST, side=">="),
        ]

    return claim(
        "lemma-4.3",
        "The start is short, and a third of the neurons has each sign",
        "Lemma 4.3, section 4.1",
        lambda run: facts(run, length, share),
        others=others,
        needs=("A1", "A2", "A6"),
        control=Control(
            "nearly half of the neurons are claimed for each sign", lambda: statement(share=2.1)
        ),
    )


STATEMENT = statement()

r"""Lemma A.16: orthants of nearly independent Gaussians (appendix A.6).

Z ~ N(0, Sigma), Sigma_ii = 1, |Sigma_ij| <= 1/(C n^2). For every pattern of signs

    (1/2 - 2/(C n))^n  <=  P(Z has it)  <=  (1/2 + 2/(C n))^n.

Judged at equal correlations 1/(C n^2), where the probability is one integral
(`featlearn.papers.xu2023.orthants`), for all numbers k of positive signs. (The proof takes n
"sufficiently large"; it holds from n = 2 on.) The likeliest pattern has 2^n P = 1 + 1/(pi C) + …,
where the bound allows exp(4/C).
"""

from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.orthants import orthant_ratio
from featlearn.papers.xu2023.setting import REFERENCES
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, exact_bound

SIZES = (2, 3, 5, 10, 40, 200)


@dataclass(frozen=True, kw_only=True)
class Correlated:
    """Correlations 1/(C n^2)."""

    C: float = 9.0
    """The paper takes more than 8."""

    def __post_init__(self) -> None:
        require(self.C > 0, "C", "a positive number", self.C)


def extremes(C: float) -> dict[int, tuple[float, float]]:
    """The least and the largest 2^n P over the patterns, for every n."""
    return {
        n: (min(found), max(found))
        for n in SIZES
        if (found := [orthant_ratio(n, k, 1 / (C * n**2)) for k in range(n + 1)])
    }


def statement(reach: float = 2.0) -> Statement[Correlated]:
    """The lemma; another number in the place of 2 is another claim."""

    def evidence(config: Correlated, lab: Lab) -> list[Claim]:
        C, parts = config.C, []
        for n, (low, high) in extremes(C).items():
            least, most = ((1 + sign * 2 * reach / (C * n)) ** n for sign in (-1, 1))
            parts += [
                exact_bound(
                    f"2^n P, least pattern, n = {n}", low, float(np.maximum(least, 0)), side=">="
                ),
                exact_bound(f"2^n P, likeliest pattern, n = {n}", high, most),
            ]
        return parts

    return Statement(
        id="xu2023.lemma-A.16",
        title="Every pattern of signs of nearly independent Gaussians has nearly 2^-n",
        kind=Kind.BOUND,
        config=Correlated(),
        evidence=evidence,
        text=TEXTS["lemma-A.16"],
        control=Control("a tenth of the reach", lambda: statement(reach=0.1)),
        seeds=1,
        place="Lemma A.16, appendix A.6",
        references=REFERENCES,
    )


STATEMENT = statement()

"""Theorem 1 (26): gradient descent learns every law of the family to loss eps.

If k = Omega(log²(D/(delta gamma))), p_o = Omega(k²/D) and max(Omega(k^12/eps^(3/2)), D) <= m <=
poly(D), then with probability 1 - delta some step t <= T = m^(4/3) has loss at most eps. See
`guarantee` for what any experiment is short of; the network is trained and judged all the same.
"""

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022 import guarantee
from featlearn.papers.shi2022.guarantee import Guaranteed, trained_loss
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Hypothesis, Kind, Statement


def evidence(sizes: Guaranteed, lab: Lab) -> list[Claim]:
    """Train and judge."""
    return trained_loss(sizes.changes, sizes.eps, lab)


def hypotheses(sizes: Guaranteed) -> list[Hypothesis]:
    """gamma = 1/4 and p_o = 1/2 for the mixture."""
    k, D = sizes.k, sizes.dictionary
    backgrounds = Hypothesis(
        name="p_o >= c_p k²/D", value=0.5, side=">=", limit=k**2 / D, constant="c_p"
    )
    return [*guarantee.hypotheses(sizes, 0.25, D, D), backgrounds]


STATEMENT = Statement(
    id="shi2022.theorem-1",
    title="Gradient descent learns every law of the family",
    kind=Kind.BOUND,
    config=Guaranteed(),
    evidence=evidence,
    hypotheses=hypotheses,
    text=TEXTS["theorem-1"],
    seeds=3,
    place="Theorem 1, in full theorem 26 of appendix B.6",
    references=("shi2022",),
)

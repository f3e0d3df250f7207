"""Theorem 1 (26): gradient descent learns every law of the family to loss eps.

If k = Omega(log²(D/(delta gamma))), p_o = Omega(k²/D) and max(Omega(k^12/eps^(3/2)), D) <= m <=
poly(D), then with probability 1 - delta some step t <= T = m^(4/3) has loss at most eps. See
`guarantee` for how far outside its hypotheses any experiment is; the network is trained and judged
all the same.
"""

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.guarantee import Guaranteed, hypotheses, trained_loss
from featlearn.theory import Assumption, Claim, Kind, Statement


def evidence(sizes: Guaranteed, lab: Lab) -> list[Claim]:
    """Train and judge."""
    return trained_loss(sizes.changes, sizes.eps, lab)


def assumptions(sizes: Guaranteed) -> list[Assumption]:
    """Constants read as 1; gamma = 1/4 and p_o = 1/2 for the mixture."""
    return hypotheses(sizes.k, sizes.dictionary, sizes.width / 2, 0.5, 0.25, sizes.eps)


STATEMENT = Statement(
    id="shi2022.theorem-1",
    title="Gradient descent learns every law of the family",
    kind=Kind.BOUND,
    config=Guaranteed(),
    evidence=evidence,
    assumptions=assumptions,
    seeds=3,
    place="Theorem 1, in full theorem 26 of appendix B.6",
    references=("shi2022",),
)

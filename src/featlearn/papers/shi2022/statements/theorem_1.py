"""Theorem 1 (26): gradient descent learns every law of the family to loss eps.

If k = Omega(log²(D/(delta gamma))), p_o = Omega(k²/D) and max(Omega(k^12/eps^(3/2)), D) <= m <=
poly(D), then with probability 1 - delta some step t <= T = m^(4/3) has loss at most eps. See
`guarantee` for how far outside its hypotheses any experiment is; the network is trained and judged
all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from featlearn._check import require
from featlearn.papers.shi2022.guarantee import hypotheses, trained_loss
from featlearn.theory import Assumption, Kind, Part, Statement


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The network that is trained; every seed is one."""

    dictionary: int = 50
    """Number of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    width: int = 300
    """Neurons (the paper's 2m)."""
    samples: int = 20_000
    """Points they are trained on."""
    steps: int = 600
    """Steps (T)."""
    eps: float = 0.05
    """The loss to reach."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.dictionary, "k", "1 to dictionary", self.k)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(self.samples >= 1000, "samples", "at least 1000", self.samples)
        require(self.steps >= 2, "steps", "at least 2", self.steps)
        require(0 < self.eps < 1, "eps", "between 0 and 1", self.eps)


def evidence(sizes: Sizes, seeds: Sequence[int]) -> list[Part]:
    """Train and judge."""
    changes = {
        "d": sizes.dictionary,
        "dictionary": sizes.dictionary,
        "k": sizes.k,
        "width": sizes.width,
        "samples": sizes.samples,
        "steps": sizes.steps,
        "records": 2,
    }
    return trained_loss(changes, sizes.eps, seeds)


def assumptions(sizes: Sizes) -> list[Assumption]:
    """Constants read as 1; gamma = 1/4 and p_o = 1/2 for the mixture."""
    return hypotheses(sizes.k, sizes.dictionary, sizes.width / 2, 0.5, 0.25, sizes.eps)


STATEMENT = Statement(
    id="shi2022.theorem-1",
    title="Gradient descent learns every law of the family",
    kind=Kind.BOUND,
    config=Sizes(),
    evidence=evidence,
    assumptions=assumptions,
    seeds=3,
    place="Theorem 1, in full theorem 26 of appendix B.6",
    references=("shi2022",),
)

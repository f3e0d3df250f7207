"""Theorem 34 (49): the same with an incoherent dictionary, input noise and unbalanced classes.

Theorem 1 for mu <= O(sqrt(d)/D), sigma_zeta <= O(min(1/sigma~, sigma~/sqrt d)) and m >= max(k^4, D,
d), with class weights 1/(2 P(y = v)) in the first two steps. Out of scope by its recipe (see
`guarantee`) and since m is less than d. Random unit columns in d dimensions have mu of about
sqrt(4 log D), which asks for c_mu of 10 and more unless d > D². The network is trained on exactly
such data and judged all the same.
"""

import math
from dataclasses import dataclass
from typing import Any

from featlearn._check import require
from featlearn._streams import stream
from featlearn.distributions import coherence, incoherent
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022 import guarantee
from featlearn.papers.shi2022.guarantee import Guaranteed, trained_loss
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Hypothesis, Kind, Statement


@dataclass(frozen=True, kw_only=True)
class Sizes(Guaranteed):
    """The network that is trained; every seed is one."""

    d: int = 200
    """Input dimension."""
    sigma: float = 0.05
    """Noise on the input, per coordinate (sigma_zeta)."""
    negative: float = 0.7
    """Share of class -1."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.sigma >= 0, "sigma", "a standard deviation", self.sigma)
        require(0 < self.negative < 1, "negative", "a share between 0 and 1", self.negative)

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of the experiment."""
        more = {"d": self.d, "mu": True, "sigma": self.sigma, "negative": self.negative}
        return {**super().changes, **more}


def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
    """Train and judge."""
    return trained_loss(sizes.changes, sizes.eps, lab)


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """Those of theorem 1, with d, and what noise and coherence may be."""
    d, D, m = sizes.d, sizes.dictionary, sizes.width / 2
    mu = coherence(incoherent(d, D, key=stream(0, "dictionary")))
    truth = PatternTraining(**sizes.changes).law().truth
    sd, rarer = float(truth.input_sd), min(sizes.negative, 1 - sizes.negative)
    return [
        *guarantee.hypotheses(sizes, truth.label_contrast * rarer, D * m * d, max(D, d)),
        Hypothesis(
            name="delta <= c_delta/k³",
            value=guarantee.DELTA,
            side="<=",
            limit=sizes.k**-3,
            constant=r"c_\delta",
        ),
        Hypothesis(
            name="mu <= c_mu sqrt(d)/D",
            value=mu,
            side="<=",
            limit=math.sqrt(d) / D,
            constant=r"c_\mu",
        ),
        Hypothesis(
            name="sigma_zeta <= c_zeta min(1/sigma~, sigma~/sqrt d)",
            value=sizes.sigma,
            side="<=",
            limit=min(1 / sd, sd / math.sqrt(d)),
            constant=r"c_\zeta",
        ),
    ]


STATEMENT = Statement(
    id="shi2022.theorem-34",
    title="The guarantee with incoherent patterns, input noise and unbalanced classes",
    kind=Kind.BOUND,
    config=Sizes(),
    evidence=evidence,
    hypotheses=hypotheses,
    text=TEXTS["theorem-34"],
    seeds=3,
    place="Theorem 34, restated as theorem 49 in appendix F",
    references=("shi2022",),
)

"""Theorem 34 (49): the same with an incoherent dictionary, input noise and unbalanced classes.

Theorem 1 for mu <= O(sqrt(d)/D), sigma_zeta <= O(min(1/sigma~, sigma~/sqrt d)) and m >= max(k^4, D,
d), with class weights 1/(2 P(y = v)) in the first two steps. Out of scope for the same reason (see
`guarantee`), and because random unit columns in d dimensions have mu of about sqrt(4 log D), more
than sqrt(d)/D unless d > D². The network is trained on exactly such data and judged all the same.
"""

import math
from dataclasses import dataclass
from typing import Any

from featlearn._check import require
from featlearn._streams import stream
from featlearn.distributions import coherence, incoherent
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.guarantee import Guaranteed, hypotheses, trained_loss
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.theory import Assumption, Claim, Kind, Statement


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


def assumptions(sizes: Sizes) -> list[Assumption]:
    """Constants read as 1."""
    d, D = sizes.d, sizes.dictionary
    mu = coherence(incoherent(d, D, key=stream(0, "dictionary")))
    truth = PatternTraining(**sizes.changes).law().truth
    sd = float(truth.input_sd)
    most = min(1 / sd, sd / math.sqrt(d))
    return [
        *hypotheses(sizes.k, D, sizes.width / 2, 0.5, truth.label_contrast, sizes.eps),
        Assumption(
            name="mu <= sqrt(d)/D",
            holds=mu <= math.sqrt(d) / D,
            detail=f"mu = {mu:.3g}, {math.sqrt(d) / D:.3g}",
        ),
        Assumption(
            name="sigma_zeta <= min(1/sigma~, sigma~/sqrt d)",
            holds=sizes.sigma <= most,
            detail=f"{sizes.sigma:g}, {most:.3g}",
        ),
    ]


STATEMENT = Statement(
    id="shi2022.theorem-34",
    title="The guarantee with incoherent patterns, input noise and unbalanced classes",
    kind=Kind.BOUND,
    config=Sizes(),
    evidence=evidence,
    assumptions=assumptions,
    seeds=3,
    place="Theorem 34, restated as theorem 49 in appendix F",
    references=("shi2022",),
)

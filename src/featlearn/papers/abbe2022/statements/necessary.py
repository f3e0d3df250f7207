r"""Outside the largest merged staircase nothing moves at d = infinity; at finite d it escapes.

From u = 0 the bits that no merged staircase reaches stay at u = 0 for ever, so that the error is at
least the sum of the squared coefficients whose support has one of them. From a start of size eps
(eps = d^-1/2 in R^d) they escape after a time linear in log(1/eps).
"""

from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.distributions import Boolean
from featlearn.experiments.lab import Lab
from featlearn.papers.abbe2022.flows import path_at_infinity, time_to_learn
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    Kind,
    Reading,
    Statement,
    bound,
    exact_bound,
    trend,
)

DELTA = 0.1
"""How much of the rate may change over the starts and still count as a line."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A target that is no merged staircase, and starts of several sizes."""

    target: str = "x1 + x1*x2*x3"
    """The target."""
    last: float = 60.0
    """Last time at which the limit is looked at."""
    eps: tuple[float, ...] = (1e-2, 1e-3, 1e-4, 1e-5)
    """Sizes of the start of u."""
    neurons: int = 64
    """Neurons of the flow from a finite start."""

    def __post_init__(self) -> None:
        require(len(self.eps) >= 3, "eps", "at least three sizes", self.eps)
        Boolean(d=64, target=self.target)


def statement(weight: float = 1.0, power: float = 1.0) -> Statement[Sizes]:
    """The claim: error >= weight times the squares; escape time linear in log(1/eps)^power."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        law = Boolean(d=64, target=config.target)
        lost = [i - 1 for i in range(1, law.k + 1) if i not in law.reached]
        floor = sum(c**2 for S, c in law.fourier.items() if any(i - 1 in lost for i in S))
        path = path_at_infinity(config.target, np.linspace(0, config.last, 7))
        stuck = float(np.abs(path.u[:, :, lost]).max())
        least = float(path.error.min())
        escape = np.array(
            [
                lab.each_seed(time_to_learn, target=config.target, d=e**-2, neurons=config.neurons)
                for e in config.eps
            ]
        )
        x = np.log(1 / np.array(config.eps)) ** power
        rate = np.diff(escape, axis=0) / np.diff(x)[:, None]
        change = np.abs(rate[1:] / rate[0] - 1).max(axis=0)
        parts = (
            exact_bound("largest u outside the staircase", stuck, 1e-10, why="by the flow"),
            exact_bound("least error", least, weight * floor, side=">=", why="by the flow"),
            bound("change of dT/d log(1/eps), as a share", change, DELTA).under(Reading.RUN),
        )
        shown = trend("escape time", "log 1/eps", np.log(1 / np.array(config.eps)), escape)
        return Evidence(parts=parts, trends=(shown,))

    return Statement(
        id="abbe2022.necessary",
        title="Outside the staircase nothing moves; at finite d it escapes after log d",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["necessary"],
        control=Control("a floor 10 % higher", lambda: statement(weight=1.1)),
        seeds=4,
        place="Necessity of the merged-staircase property",
        references=("abbe2022",),
    )


STATEMENT = statement()

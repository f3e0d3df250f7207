r"""A merged staircase that is not learned: z1 + z2 + z1 z3 + z2 z4.

The swap (1 <-> 2, 3 <-> 4) leaves h as it is, so that u_1 = u_2 and u_3 = u_4 in every neuron for
ever. Then f is a function of z1 + z2 and z3 + z4, and for any activation the error is at least
E Var(h | z1 + z2, z3 + z4) = 1 of 4: the residual keeps (z1 - z2)(z3 - z4)/2. Other coefficients
free it. (Rounding breaks the tie near t = 100 in float64: the flow is projected.)
"""

from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.distributions import Boolean
from featlearn.distributions.target import corners
from featlearn.experiments.lab import Lab
from featlearn.papers.abbe2022.flows import path_at_infinity
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, exact_bound, identity, trend

TIED = "x1 + x2 + x1*x3 + x2*x4"


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """How long the flow is followed, and the perturbation that frees it."""

    last: float = 400.0
    """Last time."""
    freed: str = "x1 + 0.6*x2 + x1*x3 + 1.4*x2*x4"
    """The same supports with other coefficients."""

    def __post_init__(self) -> None:
        require(self.last > 0, "last", "a positive time", self.last)


def statement(floor: float = 1.0) -> Statement[Sizes]:
    """The claim with its floor."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        law = Boolean(d=8, target=TIED)
        times = np.linspace(0, config.last, 9)
        path = path_at_infinity(TIED, times, projected=True)
        freed = path_at_infinity(config.freed, times)
        z = corners(4)
        kept = (z[:, 0] - z[:, 1]) * (z[:, 2] - z[:, 3]) / 2
        along = (law.target.table - path.output) @ kept / len(z)
        parts = (
            identity("leap", float(law.leap), 1.0, tolerance=1e-12),
            identity("E Var(h | sums)", law.flow_floor, floor, tolerance=1e-12),
            identity("residual on (z1 - z2)(z3 - z4)/2", along, 1.0, tolerance=1e-9),
            exact_bound(
                "least error of the tied flow",
                float(path.error.min()),
                floor,
                side=">=",
                why="by the flow",
            ),
            exact_bound(
                "error of the freed flow", float(freed.error[-1]), floor / 2, why="by the flow"
            ),
        )
        shown = (
            trend("error, tied", "t", times, path.error[:, None], [floor] * 9, relation=">="),
            trend("error, freed", "t", times, freed.error[:, None], relation="<="),
        )
        return Evidence(parts=parts, trends=shown)

    return Statement(
        id="abbe2022.tied",
        title="A merged staircase that is not learned: a tie leaves an error of exactly 1",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["tied"],
        control=Control("a floor 10 % higher", lambda: statement(floor=1.1)),
        seeds=1,
        place="The exception to sufficiency",
        references=("abbe2022",),
    )


STATEMENT = statement()

r"""Equation 4.3: near the start the signal grows and the opposite part shrinks, at one rate.

    -grad_{w_1:2} L0  ≈  |a| / (||w|| sqrt(2 pi)) (w_sig - w_opp)   (Glasgow 2023, section 4)

Along w_sig and along w_opp the left side is known exactly (lemma C.4, B1 and B2), so that "≈" can
be measured at any d without sampling: the quotient of the two sides is

    sqrt(2 pi) tau ||w|| P(|s| <= sqrt2 ||w_sig||) / ||w_sig||,        s = w_perp.xi,

and the same with w_opp. For neurons on the sphere it tends to 1, with a deviation of order 1/d: the
claim is judged as |quotient - 1| <= C/d, averaged over neurons, C fitted on the smaller d.
"""

import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.near_start import quotients
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, hidden_constant, trend


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Input dimensions of the initial neurons."""

    d: tuple[int, ...] = (64, 128, 256, 640)
    """Input dimensions, at least 48, where the exact law is smooth."""

    def __post_init__(self) -> None:
        require(len(self.d) >= 2 and min(self.d) >= 48, "d", "two dimensions from 48", self.d)


def statement(rate: float = 1 / math.sqrt(2 * math.pi)) -> Statement[Sizes]:
    """The equation; another `rate` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        d = np.array(sizes.d, float)
        cases = [{"d": n, "seeds": tuple(lab.seeds), "rate": rate} for n in sizes.d]
        found = np.array(lab.compute_each(quotients, cases))
        parts, trends = [], []
        for place, name in enumerate(("w_sig", "w_opp")):
            off = np.abs(found[:, :, place] - 1).mean(axis=-1)
            label = f"along {name}: d |quotient - 1|"
            C = f"C of {name}"
            parts.append(hidden_constant(label, d, off, 1 / d, constant=C))
            shown = f"|quotient − 1| along w_{{{name[2:]}}}"
            trends.append(trend(shown, "d", d, off, 1 / d, logarithmic=True, constant=C))
        return Evidence(parts=tuple(parts), trends=tuple(trends))

    return Statement(
        id="glasgow2023.equation-4.3",
        title="Near the start the signal grows and the opposite part shrinks alike",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["equation-4.3"],
        control=Control("the rate 1/2 in the place of 1/sqrt(2 pi)", lambda: statement(rate=0.5)),
        seeds=30,
        place="Equation 4.3, section 4",
        references=REFERENCES,
    )


STATEMENT = statement()

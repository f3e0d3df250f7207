r"""Equation 4.3: after one step the network is a linear classifier (section 4.2.1).

    f(x; W(1)) ~ (alpha/8n) <sum_i y_i x_i, x>        for m large

relu(z) = z/2 + |z|/2: the odd part of f is linear to begin with, <sum_j a_j w_j, x>/2, and what is
claimed is that it has this direction and size and that the even part is small. Both errors are
means of m independent terms, so the distance of the two sides in L^2 over new points, relative to
the right one, falls like m^-1/2. One slope a seed over widths; the training clusters of a seed are
the same at all widths.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.assumptions import good_run
from featlearn.papers.xu2023.claim import met
from featlearn.papers.xu2023.setting import REFERENCES, AssumptionsMet
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.papers.xu2023.watched import watch
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Statement, exponent, trend

WIDTHS = (50, 200, 800)


def distances(
    config: AssumptionsMet,
    lab: Lab,
    factor: float = 1.0,
    widths: Sequence[int] = WIDTHS,
) -> Float[np.ndarray, "sizes seeds"]:
    """||f - c L||/||c L|| after one step for every width and seed, L the right-hand side."""
    settings = [replace(config.setting(), width=m, steps=1) for m in widths]
    runs = [lab.each_seed(watch, config=each) for each in settings]
    near = np.array([[run.linear for run in row] for row in runs])
    slope = np.array([[run.linear_slope for run in row] for row in runs])
    off = 1 - factor
    squares: np.ndarray = off**2 + 2 * off * (slope - 1) + near**2
    return np.sqrt(np.maximum(squares, 0)) / factor


def statement(
    power: float = -0.5, factor: float = 1.0, widths: Sequence[int] = WIDTHS
) -> Statement[AssumptionsMet]:
    """The equation; other numbers are other claims.

    Args:
        power: of m, in the distance.
        factor: what multiplies alpha/8n.
        widths: those that are compared.
    """

    def evidence(config: AssumptionsMet, lab: Lab) -> Evidence:
        far = distances(config, lab, factor, widths)
        sizes = np.asarray(widths, float)
        part = exponent("distance from the linear classifier against the width", sizes, far, power)
        drawn = trend(
            "distance from the linear classifier", "m", sizes, far, logarithmic=True, relation="~"
        )
        scaled = far * np.sqrt(sizes)[:, None]
        constants = {"distance times sqrt m": FittedConstant(value=float(np.median(scaled)))}
        return Evidence(parts=(part,), constants=constants, trends=(drawn,))

    return Statement(
        id="xu2023.equation-4.3",
        title="After one step the network is a linear classifier, up to m^-1/2",
        kind=Kind.HIDDEN_CONSTANTS,
        config=AssumptionsMet(samples=200),
        evidence=evidence,
        hypotheses=lambda config: (*met(config), good_run(config.samples)),
        text=TEXTS["equation-4.3"],
        control=Control(
            "alpha/4n in the place of alpha/8n", lambda: statement(factor=2.0, widths=widths)
        ),
        seeds=20,
        place="Equation 4.3, section 4.2.1",
        references=REFERENCES,
    )


STATEMENT = statement()

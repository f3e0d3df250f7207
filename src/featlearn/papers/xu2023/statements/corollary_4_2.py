r"""Corollary 4.2: training points are nearly orthogonal, |cos(x_i, x_k)| <= 2/(C n^2), i != k
(section 4.1).

Given A1, A2, B1 and B2. The proof's second inequality uses 10 sqrt(log n) <= C n^.51, which at C =
1 begins at n = 558; below, B1 and B2 as stated do not give the corollary, though the points keep
it.
"""

import math

import numpy as np

from featlearn.papers.xu2023.claim import claim
from featlearn.papers.xu2023.setting import AssumptionsMet
from featlearn.papers.xu2023.watched import Watched
from featlearn.theory import Control, Event, Hypothesis, Reading, Statement


def fact(run: Watched, factor: float = 2.0) -> Event:
    """The corollary in one run, over the C that A2 allows."""
    n, C = run.config.samples, run.config.d / (run.config.samples**2 * run.config.norm**2)
    return Event(
        name=f"largest |cos| times C n^2, against {factor:g}",
        measured=float(np.abs(run.cosine) * C * n**2),
        limit=factor,
    )


def asked(config: AssumptionsMet) -> list[Hypothesis]:
    """What the proof needs beside A1 and A2, of the same C."""
    n = config.samples
    return [
        Hypothesis(
            name="10 sqrt(log n) <= C n^.51",
            value=n**0.51,
            side=">=",
            limit=10 * math.sqrt(math.log(n)),
            constant="C",
            power=-1,
            readings=(Reading.PROOF,),
        )
    ]


def statement(factor: float = 2.0) -> Statement[AssumptionsMet]:
    """The corollary; another factor is another claim."""
    return claim(
        "corollary-4.2",
        "Training points are nearly orthogonal: |cos| <= 2/(C n^2)",
        "Corollary 4.2, section 4.1",
        lambda run: [fact(run, factor)],
        needs=("A1", "A2"),
        asked=asked,
        control=Control("half of the bound is claimed", lambda: statement(factor=1.0)),
    )


STATEMENT = statement()

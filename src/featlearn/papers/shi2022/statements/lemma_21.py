r"""Lemma 21: the biases hardly move in the second step: |T_b| <= O(eps_e2) + exp(-Omega(k)).

The exponential is the share of points with y g > 1, of which there are none here; T_b and eps_e2
are those of `second_step`.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.second_step import (
    Sizes,
    bounded,
    draws,
    hypotheses,
    second_error,
)
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.papers.shi2022.two_steps import TwoSteps
from featlearn.theory import Control, Evidence, Kind, Statement


def statement(
    of: Callable[[TwoSteps], Float[np.ndarray, " neurons"]] = lambda steps: steps.two.T_b,
) -> Statement[Sizes]:
    """The lemma; another quantity `of` the neurons is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        part = bounded(
            "|T_b| over eps_e2",
            sizes,
            draws(sizes, lab.seeds),
            lambda steps, m: np.abs(of(steps)) / second_error(steps, m),
        )
        return Evidence(parts=(part,))

    return Statement(
        id="shi2022.lemma-21",
        title="The biases hardly move in the second step",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-21"],
        control=Control(
            "the biases move as in the first step", lambda: statement(lambda s: s.one.T_b)
        ),
        seeds=32,
        place="Lemma 21, appendix B.5",
        references=("shi2022",),
    )


STATEMENT = statement()

r"""Lemma 22: the second layer stays small after the second step: |T_a| = O(eta1 sigma~/gamma).

The lemma adds exp(-Omega(k)) poly(Dm), for points with y g > 1, of which there are none here. As
lambda_a = 1/(2 eta2), the new second layer is a2 = eta2 T_a.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.second_step import Sizes, bounded, draws, hypotheses
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.papers.shi2022.two_steps import TwoSteps
from featlearn.theory import Control, Evidence, Kind, Statement


def statement(
    of: Callable[[TwoSteps], Float[np.ndarray, " neurons"]] = lambda steps: steps.two.T_a,
) -> Statement[Sizes]:
    """The lemma; another quantity `of` the neurons is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        part = bounded(
            "|T_a| over eta1 sigma~/gamma",
            sizes,
            draws(sizes, lab.seeds),
            lambda steps, m: np.abs(of(steps)) / (steps.eta1 * steps.sd / steps.gamma),
        )
        return Evidence(parts=(part,))

    return Statement(
        id="shi2022.lemma-22",
        title="The second layer stays small after the second step",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-22"],
        control=Control(
            "the second layer moves as in the first step", lambda: statement(lambda s: s.one.T_a)
        ),
        seeds=32,
        place="Lemma 22, appendix B.5",
        references=("shi2022",),
    )


STATEMENT = statement()

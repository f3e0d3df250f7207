r"""Lemma 16: the biases hardly move in the first step: |T_b| <= O(eps_e).

T_b = E[y 1(0 < z + xi < 1)] is exact (`first_step`), every seed is a few neurons. Sizes and
hypotheses are those of lemma 6, whose proof this one repeats; the 1/sigma~ of a component is gone.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.error_scale import error_scale
from featlearn.papers.shi2022.second_step import DELTA
from featlearn.papers.shi2022.statements.lemma_6 import Sizes, hypotheses
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.papers.shi2022.two_steps import TwoSteps, two_steps
from featlearn.theory import Claim, Control, Kind, Statement, hidden_constant

Moves = Callable[[TwoSteps], Float[np.ndarray, " neurons"]]


def statement(of: Moves = lambda steps: steps.one.T_b) -> Statement[Sizes]:
    """The lemma; another quantity `of` the neurons is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        D = np.array(sizes.dictionary, float)
        values, shape = np.zeros((len(D), len(lab.seeds))), np.zeros(len(D))
        for i, dictionary in enumerate(sizes.dictionary):
            drawn = [
                two_steps(
                    dictionary=dictionary, k=sizes.k, m=sizes.m, neurons=sizes.neurons, seed=seed
                )
                for seed in lab.seeds
            ]
            values[i] = [np.abs(of(each)).max() for each in drawn]
            shape[i] = error_scale(drawn[0].law, 2 * sizes.m, DELTA)
        return [hidden_constant("largest |T_b| over eps_e", D, values, shape)]

    return Statement(
        id="shi2022.lemma-16",
        title="The biases hardly move in the first step",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-16"],
        control=Control(
            "every label is +1, so that T_b is a probability",
            lambda: statement(lambda steps: steps.one.beta),
        ),
        seeds=40,
        place="Lemma 16, appendix B.4",
        references=("shi2022",),
    )


STATEMENT = statement()

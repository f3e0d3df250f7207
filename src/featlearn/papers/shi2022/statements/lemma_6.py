r"""Lemma 6 (15): the first gradient has the relevant patterns in it, and nothing else.

-dL/dw_i = a_i sum_j M_j T_j at the start, where g = 0; beta = P(0 < <q_-A, phi_-A> + b + xi < 1);

    |T_j - beta gamma/sigma~| <= O(eps_e / sigma~)          for j in A,     beta in [Omega(1), 1]
    |T_j| <= O(sigma_phi² eps_e sigma~) = O(p_o (1-p_o) eps_e / sigma~)     for the others,

eps_e = (k log^(1/2)(Dm/delta) + log^(3/2)(Dm/delta)) / sqrt(p_o (1-p_o) (D-k)), delta = .05 here.
T_j and beta are exact (`first_step`), so every seed is a few neurons and nothing is sampled but
them. The constants in O() are fitted on the smaller D and must hold on the larger.

The lemma also asks k = Omega(log²(Dm/delta)), which at any one size is a choice of constant.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.first_step import error_scale
from featlearn.papers.shi2022.two_steps import TwoSteps, two_steps
from featlearn.theory import Evidence, Kind, Statement, bound, hidden_constant

DELTA = 0.05


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the gradient is computed; every seed is a handful of neurons."""

    dictionary: tuple[int, ...] = (50, 100, 200, 400)
    """Numbers of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    m: int = 300
    """Half the width, which enters eps_e by its logarithm."""
    neurons: int = 6
    """Neurons a seed."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= 10, "k", "1 to 10", self.k)
        require(min(self.dictionary) > self.k, "dictionary", "more than k", self.dictionary)
        require(self.m >= 1, "m", "at least 1", self.m)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)


Components = Callable[[TwoSteps], Float[np.ndarray, "neurons dictionary"]]


def statement(components: Components = lambda steps: steps.one.T) -> Statement:
    """The lemma; other `components` are another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        D = np.array(sizes.dictionary, float)
        inside, outside, least = (np.zeros((len(D), len(lab.seeds))) for _ in range(3))
        scale_in, scale_out = np.zeros(len(D)), np.zeros(len(D))
        largest = 0.0
        for i, dictionary in enumerate(sizes.dictionary):
            for j, seed in enumerate(lab.seeds):
                drawn = two_steps(
                    dictionary=dictionary, k=sizes.k, m=sizes.m, neurons=sizes.neurons, seed=seed
                )
                T, beta = components(drawn), drawn.one.beta
                claim = beta[:, None] * drawn.gamma / drawn.sd
                inside[i, j] = np.abs(T[:, : sizes.k] - claim).max()
                outside[i, j] = np.abs(T[:, sizes.k :]).max()
                least[i, j], largest = beta.min(), max(largest, float(beta.max()))
            eps = error_scale(drawn.law, 2 * sizes.m, DELTA)
            p = drawn.law.truth.background_rate
            scale_in[i], scale_out[i] = eps / drawn.sd, p * (1 - p) * eps / drawn.sd
        parts = []
        claims: tuple[tuple[str, np.ndarray, np.ndarray, Literal["<=", ">="]], ...] = (
            ("|T_j - beta gamma/sigma~|, j in A", inside, scale_in, "<="),
            ("|T_j|, j outside A", outside, scale_out, "<="),
            ("least beta", least, np.ones(len(D)), ">="),
        )
        for name, values, shape, side in claims:
            parts.append(hidden_constant(name, D, values, shape, side=side, constant=name))
        parts.append(bound("largest beta", np.full(2, largest), 1.0, every=True))
        return Evidence(parts=tuple(parts))

    return Statement(
        id="shi2022.lemma-6",
        title="The first gradient consists of the relevant patterns",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        seeds=5,
        place="Lemma 6, in full lemma 15 of appendix B.4",
        references=("shi2022",),
    )


STATEMENT = statement()

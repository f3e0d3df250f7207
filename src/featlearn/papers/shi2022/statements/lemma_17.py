r"""Lemma 17: the second layer hardly moves in the first step: |T_a| <= O(max_l |q_l|).

T_a = E[y s(z + xi)], exactly (`first_step`). The proof has, by (116) and E sum_l phi_l² = 1,

    |T_a| <= max_l |q_l| sqrt(1 + sum_{j != l in A} E|phi_j phi_l|),

a constant only if sigma~² >= k², that is p_o = Omega(k²/D): the lemma prints no hypothesis, and
without backgrounds the root is of order sqrt k. (It is needed: of k patterns that come all or none,
with k odd and no background, a neuron with equal q_l = 1/(2 sqrt k) and b = 1/2 has T_a = 1/2 =
sqrt k max|q|.) More is true: only phi_A differs between the classes, so (111) gives at once

    |T_a| <= (k/(2 sigma~)) max_{l in A} |q_l|,

which falls with D. Beside drawn neurons, one with equal q_l on A and none outside is tried.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions import Patterns, mixture
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.second_step import first_hypotheses
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Reading, Statement, bound
from featlearn.training.pattern_step import FirstStep, first_step

Row = Float[np.ndarray, " neurons"]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the gradient is computed; every seed is a handful of neurons at each D."""

    dictionary: tuple[int, ...] = (25, 100, 400)
    """Numbers of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    m: int = 300
    """Half the width, which enters the hypotheses by its logarithm."""
    neurons: int = 6
    """Neurons a seed, one of them with equal components on A and none outside."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= 10, "k", "1 to 10", self.k)
        require(min(self.dictionary) > self.k, "dictionary", "more than k", self.dictionary)
        require(self.m >= 1 and self.neurons >= 1, "m and neurons", "at least 1", self.neurons)


def proof_constant(law: Patterns) -> float:
    """The root of (116); E|phi_j phi_l| = 1/(4 sigma~²) at rates of 1/2."""
    return math.sqrt(1 + law.k * (law.k - 1) / (4 * float(law.truth.input_sd) ** 2))


def drawn(D: int, sizes: Sizes, seed: int) -> tuple[Patterns, Float[np.ndarray, "neurons D"], Row]:
    """Neurons of the paper's start, the first with equal components on A."""
    k, law = sizes.k, mixture(d=D, dictionary=D, k=sizes.k)
    rng = generator(seed, f"lemma-17 D={D}")
    q, b = rng.normal(size=(sizes.neurons, D)) / k, rng.normal(size=sizes.neurons) / k**2
    q[0], b[0] = np.where(np.arange(D) < k, 1 / (2 * k), 0.0), 0.5
    return law, q, b


def statement(of: Callable[[FirstStep], Row] = lambda step: step.T_a) -> Statement[Sizes]:
    """The lemma; another quantity `of` the neurons is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        proof, sharper = [], []
        for seed in lab.seeds:
            first, second = [], []
            for D in sizes.dictionary:
                law, q, b = drawn(D, sizes, seed)
                T_a = np.abs(of(first_step(q, b, law, sizes.k**-1.5)))
                first.append((T_a / np.abs(q).max(axis=1)).max() / proof_constant(law))
                half = sizes.k / (2 * float(law.truth.input_sd))
                second.append((T_a / np.abs(q[:, : sizes.k]).max(axis=1)).max() / half)
            proof.append(max(first))
            sharper.append(max(second))
        many = sizes.neurons * len(sizes.dictionary)
        return [
            bound(
                "|T_a| over the proof's constant times max|q|",
                np.array(proof),
                1.0,
                every=True,
                instances=many,
            ),
            bound(
                "|T_a| over (k/(2 sigma~)) max|q| on A",
                np.array(sharper),
                1.0,
                every=True,
                instances=many,
            ).under(Reading.RUN),
        ]

    return Statement(
        id="shi2022.lemma-17",
        title="The second layer hardly moves in the first step",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=_hypotheses,
        text=TEXTS["lemma-17"],
        control=Control(
            "every label is +1, so that T_a is a mean activation",
            lambda: statement(lambda step: step.beta / 2),
        ),
        seeds=12,
        place="Lemma 17, appendix B.4",
        references=("shi2022",),
    )


def _hypotheses(sizes: Sizes) -> list[Hypothesis]:
    return first_hypotheses(sizes.k, min(sizes.dictionary), sizes.m)[:1]


STATEMENT = statement()

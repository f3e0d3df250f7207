r"""Lemma 6 (15): the first gradient has the relevant patterns in it, and nothing else.

-dL/dw_i = a_i sum_j M_j T_j at the start, where g = 0; beta = P(0 < <q_-A, phi_-A> + b + xi < 1);

    |T_j - beta gamma/sigma~| <= O(eps_e / sigma~)          for j in A,     beta in [Omega(1), 1]
    |T_j| <= O(sigma_phi² eps_e sigma~) = O(p_o (1-p_o) eps_e / sigma~)     for the others,

eps_e = (k log^(1/2)(Dm/delta) + log^(3/2)(Dm/delta)) / sqrt(p_o (1-p_o) (D-k)), delta = .05 here.
T_j and beta are exact (`first_step`), so every seed is a few neurons and nothing is sampled but
them. The constants in O() are fitted on the smaller D and must hold on the larger.

The proof's own numbers are 4 in A and 8 outside: line (32) has 2t over the standard deviation, t
at most k sigma_w sqrt(2 log(Dm/delta))/sigma~ and the deviation at least sigma_phi sigma_w
sqrt((D-k)/2). With them the bounds say nothing until eps_e < 1/8, since |T_j| is at most E|phi_j|.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.error_scale import error_scale
from featlearn.papers.shi2022.second_step import DELTA, first_hypotheses
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.papers.shi2022.two_steps import TwoSteps, two_steps
from featlearn.theory import (
    Claim,
    Control,
    Evidence,
    Hypothesis,
    Kind,
    Reading,
    Statement,
    bound,
    exact_bound,
    hidden_constant,
)

PROOF = {"in": 4.0, "out": 8.0}
"""The constants of the proof, by line (32)."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the gradient is computed; every seed is a handful of neurons."""

    dictionary: tuple[int, ...] = (50, 100, 200, 400, 800)
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


def informative_size(k: int, m: int) -> int:
    """The D from which on eps_e is below 1/8, so that the proof's bounds say something."""

    def scale(D: float) -> float:
        log = math.log(D * m / DELTA)
        return (k * log**0.5 + log**1.5) / math.sqrt((D - k) / 4)

    low, high = float(k + 1), 1e12
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if scale(middle) < 1 / 8 else (middle, high)
    return math.ceil(high)


def proof_parts(worst: dict[str, float], eps: float, sizes: Sizes) -> list[Claim]:
    """The two bounds with the proof's constants, and whether they could be broken.

    At rates of 1/2, sigma~ |T_j - beta gamma/sigma~| is at most E|phi~_j - 1/2| = 1/2 whatever the
    neuron is, and |T_j| at most E|phi_j| = 2 sigma_phi² sigma~.
    """
    free = {"in": 0.5, "out": 2.0}
    names = {"in": "|T_j - beta gamma/sigma~|", "out": "|T_j| outside A"}
    found = []
    for place, name in names.items():
        limit, most = PROOF[place], free[place]
        empty = (
            f"nothing exceeds {most:g}, and the proof's {limit:g} eps_e is {limit * eps:.3g}; it "
            f"says something from D = {informative_size(sizes.k, sizes.m):.2g} on"
        )
        found.append(
            exact_bound(
                f"{name} over its scale, the proof's constant",
                worst[place],
                limit,
                vacuous=empty if limit * eps >= most else "",
            ).under(Reading.PROOF)
        )
    return found


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """At the D at which each is hardest; sigma_xi = k^-3/2 in the run."""
    k, m = sizes.k, sizes.m
    backgrounds = first_hypotheses(k, min(sizes.dictionary), m)[0]
    code = first_hypotheses(k, max(sizes.dictionary), m)[1]
    noise = Hypothesis(name="sigma_xi < 1/k", value=k**-1.5, side="<=", limit=1 / k)
    return [backgrounds, code, noise]


def without_labels(steps: TwoSteps) -> Float[np.ndarray, "neurons dictionary"]:
    """The first gradient where the labels are fair coins: nothing of the patterns in A."""
    T = steps.one.T.copy()
    T[:, : steps.law.k] = 0.0
    return T


Components = Callable[[TwoSteps], Float[np.ndarray, "neurons dictionary"]]


def statement(components: Components = lambda steps: steps.one.T) -> Statement[Sizes]:
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
        claims: tuple[tuple[str, str, np.ndarray, np.ndarray, Literal["<=", ">="]], ...] = (
            ("|T_j - beta gamma/sigma~|, j in A", "C_A", inside, scale_in, "<="),
            ("|T_j|, j outside A", "C_B", outside, scale_out, "<="),
            ("least beta", "c_beta", least, np.ones(len(D)), ">="),
        )
        for name, constant, values, shape, side in claims:
            part = hidden_constant(name, D, values, shape, side=side, constant=constant)
            parts.append(part.under(Reading.RUN))
        probability = bound("largest beta", np.full(2, largest), 1.0, every=True, vacuous=True)
        parts.append(probability.under(Reading.RUN))
        worst = {
            "in": float((inside / scale_in[:, None]).max()),
            "out": float((outside / scale_out[:, None]).max()),
        }
        proved = proof_parts(worst, eps, sizes)
        return Evidence(parts=(*parts, *proved))

    return Statement(
        id="shi2022.lemma-6",
        title="The first gradient consists of the relevant patterns",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-6"],
        control=Control("labels are fair coins", lambda: statement(without_labels)),
        seeds=12,
        place="Lemma 6, in full lemma 15 of appendix B.4",
        references=("shi2022",),
    )


STATEMENT = statement()

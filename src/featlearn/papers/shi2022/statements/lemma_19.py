r"""Lemma 19: after the first step y g < 1, which the closed forms of lemmas 20 to 22 assume.

The twin of a neuron has -a, so after the step -w and, with a+ = a + eta T_a, a- = -a + eta T_a,

    g1(x) = sum_i a+ S(<q1, phi> + b+) + a- S(-<q1, phi> + b-),     b± = b ± eta a T_b,
    |g1(x)| <= sum_i 2 eta |T_a| + |a-| (2 |<q1, phi>| + 2 eta |a T_b|)           as 0 <= S <= 1,

S the smoothed truncated ReLU, of slope at most 1, and |<q1, phi>| <= sum_l |q1_l|/(2 sigma~) for
every point where rates are 1/2. T is exact, so this certifies y g1 < 1 at all 2^D points, where the
lemma leaves out exp(-Theta(k)) of them. The step is the largest that it allows with c_eta = 1,
eta1 = gamma/(k m sigma_a); that of lemma 23 is smaller by k² m²/sigma~³.

The other conclusions, |<w1, x>| <= C eta1 sigma~/gamma (here for all x) and |b+ - b-| <= C_b eta1
|a| eps_e, are judged as D grows. (The proof has (1 + p_o sigma~)/gamma in the first, (131).)
"""

import math
from dataclasses import dataclass

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
    Hypothesis,
    Kind,
    Reading,
    Statement,
    bound,
    hidden_constant,
)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Whole networks after the first step; every seed is one at each D."""

    dictionary: tuple[int, ...] = (30, 100, 300)
    """Numbers of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    m: int = 10
    """Half the width: neurons without their twins."""
    step: float = 1.0
    """eta1 k m sigma_a/gamma, which the lemma bounds by a constant."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= 10, "k", "1 to 10", self.k)
        require(min(self.dictionary) > self.k, "dictionary", "more than k", self.dictionary)
        require(self.m >= 1, "m", "at least 1", self.m)
        require(self.step > 0, "step", "positive", self.step)

    def eta1(self, steps: TwoSteps) -> float:
        """The step size at these sizes."""
        sd_a = steps.sd**2 / (steps.gamma * self.k**2)
        return self.step * steps.gamma / (self.k * self.m * sd_a)


def reach(steps: TwoSteps, eta: float) -> Float[np.ndarray, " neurons"]:
    """The largest |<w1, x>| over all points: rates are 1/2."""
    return eta * np.abs(steps.a) * np.abs(steps.one.T).sum(axis=1) / (2 * steps.sd)


def largest_output(steps: TwoSteps, eta: float, twin: float = -1.0) -> float:
    """A number that |g1| exceeds at no point; `twin` is the sign of a twin's a."""
    T_a, T_b = steps.one.T_a, steps.one.T_b
    a_plus, a_minus = steps.a + eta * T_a, twin * steps.a + eta * T_a
    apart = 2 * reach(steps, eta) + 2 * eta * np.abs(steps.a * T_b)
    return float(np.sum(np.abs(a_plus + a_minus) + np.abs(a_minus) * apart))


def statement(twin: float = -1.0) -> Statement[Sizes]:
    """The lemma; a twin with another sign is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        D = np.array(sizes.dictionary, float)
        outputs, along, apart = (np.zeros((len(D), len(lab.seeds))) for _ in range(3))
        scale, eps = np.zeros(len(D)), np.zeros(len(D))
        for i, dictionary in enumerate(sizes.dictionary):
            for j, seed in enumerate(lab.seeds):
                steps = two_steps(
                    dictionary=dictionary, k=sizes.k, m=sizes.m, neurons=sizes.m, seed=seed
                )
                eta = sizes.eta1(steps)
                outputs[i, j] = largest_output(steps, eta, twin)
                along[i, j] = reach(steps, eta).max()
                apart[i, j] = 2 * np.abs(steps.one.T_b).max()
                scale[i] = eta * steps.sd / steps.gamma
                eps[i] = error_scale(steps.law, 2 * sizes.m, DELTA)
        certain = bound("a number above |g1(x)| for all x", outputs.ravel(), 1.0, every=True)
        room = f"c_eta up to {sizes.step / outputs.max():.3g} at least would do here"
        pull = hidden_constant("largest |<w1, x>| over eta1 sigma~/gamma", D, along, scale)
        twins = hidden_constant(
            "largest |b+ - b-| over eta1 |a| eps_e", D, apart, eps, constant="C_b"
        )
        return [certain.noted(room), pull.under(Reading.RUN), twins.under(Reading.RUN)]

    return Statement(
        id="shi2022.lemma-19",
        title="After the first step no output reaches 1",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=_hypotheses,
        text=TEXTS["lemma-19"],
        control=Control(
            "the twin of a neuron has the same a, as the proof of lemma 44 prints",
            lambda: statement(twin=1.0),
        ),
        seeds=20,
        place="Lemma 19, appendix B.5",
        references=("shi2022",),
    )


def _hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """Each at the D at which it is hardest."""
    k = sizes.k
    return [
        first_hypotheses(k, min(sizes.dictionary), sizes.m)[0],
        first_hypotheses(k, max(sizes.dictionary), sizes.m)[1],
        Hypothesis(
            name="eta1 <= c_eta gamma/(k m sigma_a)",
            value=sizes.step,
            side="<=",
            limit=1.0,
            constant=r"c_\eta",
        ),
        Hypothesis(name="sigma_xi <= 1/k", value=1 / k / math.sqrt(k), side="<=", limit=1 / k),
    ]


STATEMENT = statement()

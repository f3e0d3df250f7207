r"""Lemma 20: the second gradient is cleaner than the first.

With b0 the initial bias, beta = P(0 < b0 + xi < 1), and eps_e2 as in `second_step`,

    |T_j - beta gamma/sigma~| <= O(eps_e2/sigma~ + eta1/sigma_xi + eta1 |a| eps_e/(sigma~ sigma_xi))
    for j in A, and |T_j| <= O(sigma_phi² eps_e2 sigma~) for the others.

So the ratio of the relevant components to the others grows from the first step to the second, for
every neuron: in the population by orders of magnitude (to the rounding of float64, since E y = 0
makes the background's components of second order in the tiny q1). In a sample of n points the noise
of the sample, of relative size sigma~/(gamma sqrt n), is in both steps, and the gain is a factor of
about 1.4: the cosine is .999 after the first step already (item signal-to-noise).
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.error_scale import error_scale
from featlearn.papers.shi2022.second_step import (
    DELTA,
    Sizes,
    bounded,
    draws,
    hypotheses,
    second_error,
)
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.papers.shi2022.two_steps import TwoSteps, signal_to_noise
from featlearn.theory import Control, Evidence, Kind, Statement, bound

IDLE = 1e-6
"""A fitted constant so small says that rounding, not the mechanism, meets the bound."""
Components = Callable[[TwoSteps], Float[np.ndarray, "neurons dictionary"]]


def statement(components: Components = lambda steps: steps.two.T) -> Statement[Sizes]:
    """The lemma; other `components` are another claim."""

    def inside(steps: TwoSteps, m: int) -> Float[np.ndarray, " neurons"]:
        claim = steps.beta_two[:, None] * steps.gamma / steps.sd
        gap = np.abs(components(steps)[:, : steps.law.k] - claim).max(axis=1)
        eps, r = error_scale(steps.law, 2 * m, DELTA), steps.smoothing
        drift = steps.eta1 / r * (1 + np.abs(steps.a) * eps / steps.sd)
        return gap / (second_error(steps, m) / steps.sd + drift)

    def outside(steps: TwoSteps, m: int) -> Float[np.ndarray, " neurons"]:
        p = steps.law.truth.background_rate
        largest = np.abs(components(steps)[:, steps.law.k :]).max(axis=1)
        return largest / (p * (1 - p) / steps.sd * second_error(steps, m))

    def gain(steps: TwoSteps) -> float:
        k = steps.law.k
        return float(
            np.min(signal_to_noise(components(steps), k) / signal_to_noise(steps.one.T, k))
        )

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        drawn = draws(sizes, lab.seeds)
        names = ("|T_j - beta gamma/sigma~| over its bound, j in A", "|T_j| over its bound, others")
        one = bounded(names[0], sizes, drawn, inside, constant="C_A")
        two = bounded(names[1], sizes, drawn, outside, constant="C_B")
        idle = f"idle: a bound {1 / two.constant.value:.2g} times as strict would do, by rounding"
        two = two.noted(idle) if two.constant.value < IDLE else two
        gains = np.array([gain(steps) for steps in drawn[-1]])
        better = bound(
            "least gain of signal to noise, second step over first",
            gains,
            1.0,
            side=">=",
            every=True,
            instances=sizes.neurons,
        )
        return Evidence(parts=(one, two, better))

    return Statement(
        id="shi2022.lemma-20",
        title="The second step improves the signal-to-noise ratio",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-20"],
        control=Control(
            "the second gradient is the first one again", lambda: statement(lambda s: s.one.T)
        ),
        seeds=32,
        place="Lemma 20, appendix B.5",
        references=("shi2022",),
    )


STATEMENT = statement()

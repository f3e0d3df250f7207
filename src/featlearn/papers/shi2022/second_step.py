"""What lemmas 20, 21 and 22 share: the second step at growing width, against their bounds.

    eps_e2 = eta1 |a| k (gamma + eps_e) / (sigma~² sigma_xi)     (+ exp(-Theta(k)), which is 0 here)

eta1 = gamma² sigma~/(k m³) falls with m, so the bounds do too, and the constants in O() that are
fitted at the smaller m must hold at the larger ones. The exponential terms stand for points with
y g > 1, of which there are none at these step sizes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._choices import Side
from featlearn.distributions import mixture
from featlearn.papers.shi2022.error_scale import error_scale
from featlearn.papers.shi2022.two_steps import TwoSteps, two_steps
from featlearn.theory import Claim, Hypothesis, hidden_constant

DELTA = 0.05


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the second step is computed; every seed is a handful of neurons."""

    m: tuple[int, ...] = (10, 20, 40, 80, 160)
    """Half the width, which sets eta1 = gamma² sigma~/(k m³)."""
    dictionary: int = 60
    """Number of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    neurons: int = 6
    """Neurons a seed."""

    def __post_init__(self) -> None:
        require(len(self.m) > 0 and min(self.m) >= 1, "m", "at least 1", self.m)
        require(1 <= self.k <= 10, "k", "1 to 10", self.k)
        require(self.dictionary > self.k, "dictionary", "more than k", self.dictionary)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)


def draws(sizes: Sizes, seeds: Sequence[int]) -> list[list[TwoSteps]]:
    """The two steps at every m and seed."""
    return [
        [
            two_steps(dictionary=sizes.dictionary, k=sizes.k, m=m, neurons=sizes.neurons, seed=seed)
            for seed in seeds
        ]
        for m in sizes.m
    ]


def second_error(steps: TwoSteps, m: int) -> Float[np.ndarray, " neurons"]:
    """eps_e2 of every neuron, without its exponential term."""
    eps = error_scale(steps.law, 2 * m, DELTA)
    pull = steps.eta1 * np.abs(steps.a) * steps.law.k * (steps.gamma + eps)
    return pull / (steps.sd**2 * steps.smoothing)


def bounded(
    name: str,
    sizes: Sizes,
    drawn: list[list[TwoSteps]],
    ratio: Callable[[TwoSteps, int], Float[np.ndarray, " neurons"]],
    side: Side = "<=",
    *,
    constant: str = "C",
) -> Claim:
    """Judge that the worst ratio of a quantity to its bound does not grow with m."""
    worst = np.max if side == "<=" else np.min
    values = np.array(
        [[worst(ratio(d, m)) for d in row] for m, row in zip(sizes.m, drawn, strict=True)]
    )
    m = np.array(sizes.m, float)
    return hidden_constant(name, m, values, np.ones(len(m)), side=side, constant=constant)


def first_hypotheses(k: int, D: int, m: float, p_o: float = 0.5) -> list[Hypothesis]:
    """What lemmas 6 and 18 ask of the sizes."""
    return [
        Hypothesis(name="p_o >= c_p k²/D", value=p_o, side=">=", limit=k**2 / D, constant="c_p"),
        long_code(k, D * m / DELTA),
    ]


def long_code(k: int, inside: float) -> Hypothesis:
    """k = Omega(log²) of a number: that of neurons and patterns over delta, and more."""
    return Hypothesis(
        name="k >= c_k log²(Dm/delta)",
        value=k,
        side=">=",
        limit=math.log(inside) ** 2,
        constant="c_k",
        note=f"delta = {DELTA}",
    )


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """What lemmas 20 to 22 ask, each at the width at which it is hardest."""
    k, D, least, most = sizes.k, sizes.dictionary, min(sizes.m), max(sizes.m)
    truth = mixture(d=D, dictionary=D, k=k).truth
    gamma, sd = truth.label_covariance, float(truth.input_sd)
    eta1, sd_a = gamma**2 * sd / (k * least**3), sd**2 / (gamma * k**2)
    return [
        long_code(k, D * most / DELTA),
        Hypothesis(name="k <= c_D D", value=k, side="<=", limit=D, constant="c_D"),
        Hypothesis(
            name="eta1 <= c_eta gamma/(k m sigma_a)",
            value=eta1,
            side="<=",
            limit=gamma / (k * least * sd_a),
            constant=r"c_\eta",
        ),
    ]

r"""On a staircase h = sum_k alpha_k z_1…z_k the k-th bit grows as t^(2^(k-1)).

First layer alone, s = 0, at d = infinity. To leading order in t the residual is h, and

    du_k/dt = a alpha_k m_k u_1…u_(k-1),        m_r = s^(r)(b),

so that, by induction,

    u_k = 2^(1 - 2^(k-1)) (a t)^(2^(k-1)) prod_{i <= k} (alpha_i m_i)^(2^max(k-1-i, 0)).

The exponents are claimed by the paper (|u_k| = Theta(t^(2^(k-1)))); the constant is derived here.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import jax
import numpy as np

from featlearn._check import require
from featlearn.distributions import target_of
from featlearn.experiments.lab import Lab
from featlearn.papers.abbe2022.staircase import SHIFT, activation_of
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, identity, trend
from featlearn.training import FlowPath, Neurons, solve_flow

SHARP = 0.001
"""What the next order may still add at the first time."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A staircase of three steps and a window of early times."""

    alpha: tuple[float, ...] = (1.0, 0.8, 1.3)
    """Coefficients of z1, z1 z2, z1 z2 z3."""
    first: float = 0.01
    """First time."""
    last: float = 0.1
    """Last time."""

    def __post_init__(self) -> None:
        require(1 <= len(self.alpha) <= 3, "alpha", "one to three coefficients", len(self.alpha))
        require(0 < self.first < self.last, "first", "0 < first < last", self.first)


def early_path(alpha: tuple[float, ...], first: float, last: float) -> FlowPath:
    """The first layer's flow from u = 0, neurons at a = ±1, ±1/2."""
    h = target_of({tuple(range(1, k + 2)): c for k, c in enumerate(alpha)})
    a = np.array([-1.0, -0.5, 0.5, 1.0])
    zero = np.zeros(4)
    start = Neurons(
        a=a,
        u=np.zeros((4, h.k)),
        s=zero,
        b=zero + SHIFT,
        weight=np.full(4, 0.25),
    )
    times = np.geomspace(first, last, 7)
    sigmoid = activation_of("sigmoid")
    return solve_flow(h, sigmoid, start, times, trained=("w",), tolerance=1e-10, smallest=1e-17)


def slopes_at(z: float, count: int) -> list[float]:
    """The first derivatives s', s'', … of the sigmoid at z."""
    functions = [jax.nn.sigmoid]
    for _ in range(count):
        functions.append(jax.grad(functions[-1]))
    with jax.enable_x64(True):
        return [float(f(z)) for f in functions[1:]]


def leading_term(
    k: int, a: np.ndarray, t: float, alpha: Sequence[float], m: Sequence[float]
) -> np.ndarray:
    """u_k of neurons with second layer a, to leading order in t; k from 1."""
    product = functools.reduce(
        lambda total, i: total * (alpha[i - 1] * m[i - 1]) ** (2 ** max(k - 1 - i, 0)),
        range(1, k + 1),
        1.0,
    )
    power = 2 ** (k - 1)
    return 2.0 ** (1 - power) * (a * t) ** power * product


def statement(base: float = 2.0, factor: float = 1.0) -> Statement[Sizes]:
    """The claim with exponents base^(k-1), and the leading term times a factor."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        path = early_path(config.alpha, config.first, config.last)
        m = slopes_at(SHIFT, len(config.alpha))
        parts, t = [], path.times
        for k in range(1, len(config.alpha) + 1):
            u = np.abs(path.u[:, -1, k - 1])
            slope = math.log(u[1] / u[0]) / math.log(t[1] / t[0])
            claim = base ** (k - 1)
            parts.append(identity(f"exponent of u_{k}", slope, claim, tolerance=SHARP))
            told = factor * leading_term(k, path.a[0], float(t[0]), config.alpha, m)
            parts.append(
                identity(f"leading term of u_{k}", path.u[0, :, k - 1], told, tolerance=SHARP)
            )
        shown = tuple(
            trend(
                f"u_{{{k}}}",
                "t",
                t,
                np.abs(path.u[:, -1, k - 1])[:, None],
                [float(leading_term(k, path.a[0], float(s), config.alpha, m)[-1]) for s in t],
                relation="=",
                logarithmic=True,
            )
            for k in range(1, len(config.alpha) + 1)
        )
        return Evidence(parts=tuple(parts), trends=shown)

    return Statement(
        id="abbe2022.growth",
        title="On a staircase the k-th bit grows as t^(2^(k-1)), with its constant",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["growth"],
        control=Control("a leading term 1 % larger", lambda: statement(factor=1.01)),
        seeds=1,
        place="Proof of sufficiency for vanilla staircases",
        references=("abbe2022",),
    )


STATEMENT = statement()

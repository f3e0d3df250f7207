r"""The population gradient of one step on patterns, by characteristic functions.

As long as y g(x) < 1 everywhere, the gradient of the hinge loss on the patterns of Shi, Wei &
Liang (2022) is -dL/dw_i = a_i sum_j M_j T_j and -dL/db_i = a_i T_b (lemmas 15 to 22), where

    T_j = E[y phi_j 1(0 < z + xi < 1)],    T_b = E[y 1(0 < z + xi < 1)],    z = <q, phi> + b,

phi = (phi~ - E phi~)/sigma~ and xi ~ N(0, r²). Where the background is independent (A2), these
expectations follow from the functions

    psi(t) = prod_l E exp(i t q_l phi_l) exp(-r² t²/2),     Y(t) = E[y v exp(i t <q_A, phi_A>)],

with v = 1, or v = phi_j for j in A (for a background j, its own factor moves from psi to v), by

    E[y v 1(0 < z + xi < 1)] = (1/pi) int_0^inf Im[e^{itb} (1 - e^{-it}) Y(t) psi(t)] dt/t.

The expectation -dL/da_i = T_a = E[y s(z + xi)] is the same integral with (1 - e^{-it})/(it) in the
place of 1 - e^{-it}, plus E[y]/2. The midpoint rule converges exponentially, because psi decays
like a Gaussian at infinity and z is bounded. beta is the same probability without the inputs in A:
beta = P(0 < <q_-A, phi_-A> + b + xi < 1) (lemma 15).
"""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Complex, Float

from featlearn._check import require
from featlearn.distributions import Patterns

TAIL = 9.0
"""The integral stops where the Gaussian factor is exp(-TAIL²/2), about 3e-18."""


@dataclass(frozen=True, kw_only=True)
class FirstStep:
    """The population gradient of every neuron: the expectations T_j, T_b, T_a and beta."""

    T: Float[np.ndarray, "neurons dictionary"]
    T_b: Float[np.ndarray, " neurons"]
    T_a: Float[np.ndarray, " neurons"]
    beta: Float[np.ndarray, " neurons"]


def first_step(
    q: Float[np.ndarray, "neurons dictionary"],
    b: Float[np.ndarray, " neurons"],
    law: Patterns,
    smoothing: float,
) -> FirstStep:
    """Return T_j, T_b, T_a and beta of neurons with q = M^T w, by numerical integration.

    Args:
        q: components of the neurons on the patterns.
        b: biases.
        law: the patterns; its background must be independent (A2).
        smoothing: r, the sd of the noise in the pre-activation.
    """
    truth = law.truth
    require(
        truth.background_independent and not law.noisy and law.matrix is None,
        "first_step(law)",
        "orthonormal patterns with an independent background and no noise",
        f"rates {law.rates}, sigma {law.sigma}",
        "Take p_o = 1/2 for the mixture, or independent patterns.",
    )
    k, sd, p = law.k, float(truth.input_sd), truth.background_rate
    bits = np.array(list(itertools.product([0.0, 1.0], repeat=k)))
    count = bits.sum(axis=1).astype(int)
    chance = truth.counts[count] / np.array([math.comb(k, s) for s in count])
    signed = chance * truth.labels[count]
    phi = (bits - truth.relevant_rate) / sd
    neurons = zip(q, b, strict=True)
    rows = [_neuron(row, bias, k, phi, signed, p, sd, smoothing) for row, bias in neurons]
    T, T_b, T_a, beta = (np.array(each) for each in zip(*rows, strict=True))
    return FirstStep(T=T, T_b=T_b, T_a=T_a, beta=beta)


def _neuron(
    q: Float[np.ndarray, " dictionary"],
    b: float,
    k: int,
    phi: Float[np.ndarray, "codes k"],
    signed: Float[np.ndarray, " codes"],
    p: float,
    sd: float,
    smoothing: float,
) -> tuple[Float[np.ndarray, " dictionary"], float, float, float]:
    """Return T, T_b, T_a and beta of one neuron."""
    reach = np.abs(q).sum() / sd + abs(b) + 2 + TAIL * smoothing
    step = math.pi / reach
    t = step * (np.arange(math.ceil(TAIL / smoothing / step)) + 0.5)
    low, high = -p / sd, (1 - p) / sd
    off = (1 - p) * np.exp(1j * np.outer(q[k:] * low, t))
    on = p * np.exp(1j * np.outer(q[k:] * high, t))
    factors, moved = off + on, low * off + high * on
    before = np.cumprod(np.vstack([np.ones_like(t), factors]), axis=0)
    after = np.cumprod(np.vstack([np.ones_like(t), factors[::-1]]), axis=0)[::-1]
    others = before[:-1] * after[1:] * moved
    waves = np.exp(1j * np.outer(phi @ q[:k], t))
    window = np.exp(1j * t * b) * (1 - np.exp(-1j * t)) * np.exp(-((smoothing * t) ** 2) / 2) / t
    psi, Y = before[-1], signed @ waves
    relevant = (signed[:, None] * phi).T @ waves

    def integral(values: Complex[np.ndarray, "*rows t"]) -> Any:
        return step / math.pi * np.imag(values * window).sum(axis=-1)

    T = np.concatenate([integral(relevant * psi), integral(others * Y)])
    T_a = signed.sum() / 2 + integral(Y * psi / (1j * t))
    return T, float(integral(Y * psi)), float(T_a), float(integral(psi))

r"""Gradient flow on the disjoint PolyNet, exactly: a scalar differential equation (theorem 6).

The n bits stand in k blocks of n' = n/k with one relevant bit each; f(x) = prod_i <w_i, x_i>. On
the correlation loss -y f only the relevant weight v of a block moves, from all weights 1:

    dv/dt = v^(k-1),        t(v) = (1 - v^(2-k))/(k-2)          k >= 3.

A block is right about its bit with probability (1 + p(v))/2, p(v) = P(|s| < v) + P(|s| = v)/2, s a
sum of n' - 1 signs, so that the error of sign f is (1 - p(v)^k)/2: at chance until v is of order
sqrt n', and 0 once v > n' - 1.
"""

import functools

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom


def block_edge(v: float, block: int) -> float:
    """p(v), with the steps of the binomial joined by straight lines, so that it can be inverted."""
    at, edge = _edges(block)
    return float(np.interp(v, at, edge))


@functools.lru_cache(maxsize=16)
def _edges(block: int) -> tuple[np.ndarray, np.ndarray]:
    """The values of |s|, and p there."""
    n = block - 1
    at = np.arange(n % 2, n + 1, 2)
    mass = binom.pmf((n + at) // 2, n, 0.5) * np.where(at == 0, 1.0, 2.0)
    return np.append(at, n + 1), np.append(np.cumsum(mass) - mass / 2, 1.0)


def time_of(v: float, k: int) -> float:
    """t at which the relevant weight is v."""
    return float((1 - v ** (2 - k)) / (k - 2))


def time_of_error(error: float, block: int, k: int) -> float:
    """T(error): when the error of sign f is first that small."""
    if error <= 0:
        return time_of(float(block), k)
    edge = (1 - 2 * error) ** (1 / k)
    if block_edge(1.0, block) >= edge:
        return 0.0
    v = brentq(lambda u: block_edge(u, block) - edge, 1.0, float(block))
    return time_of(float(v), k)


def flat_share(block: int, k: int, error: float = 0.49) -> float:
    """T(error)/T(0): the share of the time that is spent near chance."""
    return time_of_error(error, block, k) / time_of_error(0.0, block, k)

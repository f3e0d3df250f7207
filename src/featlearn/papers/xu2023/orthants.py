r"""Orthant probabilities of nearly independent Gaussians, in closed form up to one integral.

z_i = sqrt(rho) u + sqrt(1 - rho) v_i with u, v_i independent N(0,1) are n Gaussians of correlation
rho >= 0. Given u the signs are independent, so with c = sqrt(rho/(1 - rho)),

    P(z_i > 0 for k of them, < 0 for the others) = integral of Phi(cu)^k Phi(-cu)^(n-k) phi(u) du.

k = n is the likeliest orthant and k = n/2 the least likely. Flipping the signs of half of the z_i
makes half of the correlations -rho and exchanges the two. The ratio to 2^-n is computed by
Gauss-Hermite quadrature.
"""

import functools

import numpy as np
from scipy.special import log_ndtr

NODES = 200


def orthant_ratio(n: int, k: int, rho: float) -> float:
    """2^n P(k of n Gaussians of correlation rho are positive and the others negative).

    Example:
        >>> rho = 0.3
        >>> exact = 4 * (1 / 4 + np.arcsin(rho) / (2 * np.pi))
        >>> bool(abs(orthant_ratio(2, 2, rho) - exact) < 1e-12)
        True
    """
    nodes, weights = _quadrature()
    cu = np.sqrt(rho / (1 - rho)) * nodes
    logs = k * log_ndtr(cu) + (n - k) * log_ndtr(-cu) + n * np.log(2)
    return float(weights @ np.exp(logs) / weights.sum())


@functools.cache
def _quadrature() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss and Hermite, found once."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights

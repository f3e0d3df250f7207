r"""B3 and B4 of lemma 4.1, exactly: how many points fall into the clusters, and how many are
flipped.

    I_nu = c_nu + n_nu points of cluster nu      n_nu flipped ones      (I_nu) multinomial, all 1/4

    B3   |I_nu - n/4| <= sqrt(eps n log n),        |n_nu - eta I_nu| <= sqrt(eps eta n log n)
    B4   |I_nu - I_-nu| >= n^(1/2-eps),            |n_nu - n_-nu| >= eta n^(1/2-eps)

for all four nu. N = I_nu + I_-nu is B(n, 1/2) for nu = mu1; given N the pairs ±mu1 and ±mu2 are
independent, I_nu is B(N, 1/2) and n_nu is B(I_nu, eta). So the probability is a sum over N of
products of sums over I_nu, in which the flips stand as a matrix product; nothing is sampled.
"""

import math

import numpy as np
from jaxtyping import Float
from scipy.stats import binom

TAIL = 1e-15
"""Numbers of points so rare are left out; the sum of what is left out is below 1e-11."""


def count_probability(
    n: int, eta: float, epsilon: float, *, B3: bool = True, B4: bool = True, flips: bool = True
) -> float:
    """P(B3, B4), or of one of them; without the conditions on flips if asked.

    Example:
        >>> (
        ...     count_probability(1000, 0.05, 1e-3 / 4),
        ...     round(count_probability(2, 0, 0.5, B3=False, flips=False), 12),
        ... )
        (0.0, 0.5)
    """
    totals = _likely(n, 0.5)
    most = int(totals[-1])
    sizes = np.arange(0, most + 1)
    pairs = _flips(sizes, n, eta, epsilon, B3, B4) if flips else np.ones((most + 1, most + 1))
    mine, other = sizes[:, None], sizes[None, :]
    if B3:
        reach = math.sqrt(epsilon * n * math.log(n))
        pairs = pairs * (np.abs(mine - n / 4) <= reach) * (np.abs(other - n / 4) <= reach)
    if B4:
        pairs = pairs * (np.abs(mine - other) >= n ** (0.5 - epsilon))
    inside = {
        int(N): float(binom.pmf(np.arange(N + 1), N, 0.5) @ _anti(pairs, int(N))) for N in totals
    }
    weights = binom.pmf(totals, n, 0.5)
    both = [inside[int(N)] * inside.get(n - int(N), 0.0) for N in totals]
    return float(weights @ np.asarray(both))


def _likely(n: int, share: float) -> np.ndarray:
    """The values of B(n, share), and n less them, that are not too rare."""
    low, high = binom.ppf(TAIL, n, share), binom.isf(TAIL, n, share)
    reach = int(max(high - n * share, n * share - low)) + 1
    return np.arange(max(0, math.floor(n / 2) - reach), min(n, math.ceil(n / 2) + reach) + 1)


def _anti(pairs: Float[np.ndarray, "sizes sizes"], N: int) -> Float[np.ndarray, " places"]:
    """pairs[I, N - I] for I = 0, …, N."""
    places = np.arange(N + 1)
    return pairs[places, N - places]


def _flips(
    sizes: np.ndarray, n: int, eta: float, epsilon: float, B3: bool, B4: bool
) -> Float[np.ndarray, "sizes sizes"]:
    """P(the conditions on n_nu, n_-nu | I_nu, I_-nu)."""
    most = int(binom.isf(TAIL, sizes[-1], eta)) + 1 if eta > 0 else 0
    counts = np.arange(most + 1)
    each = binom.pmf(counts[None, :], sizes[:, None], eta)
    if B3:
        reach = math.sqrt(epsilon * eta * n * math.log(n))
        each = each * (np.abs(counts[None, :] - eta * sizes[:, None]) <= reach)
    apart = np.abs(counts[:, None] - counts[None, :]) >= eta * n ** (0.5 - epsilon)
    found: np.ndarray = each @ (apart if B4 else np.ones_like(apart)) @ each.T
    return found

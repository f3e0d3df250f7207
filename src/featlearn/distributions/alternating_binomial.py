r"""Exact expectations of a parity of fair signs times a threshold function of their sum.

    v_1, …, v_K, s_1, …, s_N   independent fair signs      V = v_1 + … + v_K      S = s_1 + … + s_N

    alternating_step(K, N, theta)  =  E[ v_1…v_K 1(V + S > theta) ]
    alternating_ramp(K, N, theta)  =  E[ v_1…v_K (V + S - theta)_+ ]

Both functions keep full relative accuracy. `alternating_step` is an alternating sum of K + 1
binomial tails, that is a K-th difference of the cdf. At N = 10^6 and K = 7 the terms of this sum
are of order 1 and the sum is of order 1e-20, so that subtracting cdfs would give rounding noise.
With p the pmf of B ~ Bin(N, 1/2), S = 2B - N, L = floor((theta - K + N)/2) and Delta the forward
difference,

    alternating_step = (-1)^(K+1) 2^-K Delta^(K-1) p(L + 1),
    alternating_ramp = (-1)^K 2^-K [ (2 - r) Delta^(K-2) p(j + 1) + r Delta^(K-2) p(j) ],
                       j = L + 1,   r = 2j - (theta - K + N) in (0, 2],

and a difference of the pmf is itself a closed form without subtraction: the coefficient of x^i in
(1-x)^a (1+x)^N is a Krawtchouk polynomial, which for M = N + a is

    Delta^a p(j) = 2^a P(Bin(M, 1/2) = i) K_a(i; M) / C(M, a),      i = j + a,

where K_a(i; M) is computed in whole numbers by its three-term recurrence.
"""

import math
from collections.abc import Callable

import numpy as np
from jaxtyping import Float, Int

Whole = Int[np.ndarray, " neurons"]
Real = Float[np.ndarray, " neurons"]

ON_LATTICE = 1e-5
"""A threshold this near to a whole number is that number: biases come in float32."""


def alternating_step(K: int, N: Whole, theta: Real, *, strict: bool = True) -> Real:
    """Return E[v_1…v_K 1(V + S > theta)], with >= in place of > if `strict` is False; K >= 0.

    The signs v_1, …, v_K and s_1, …, s_N are fair and independent; V and S are their sums.

    Example:
        >>> alternating_step(1, np.array([2]), np.array([0.0]))
        array([0.25])
    """
    last = _last_below(*_split(theta), N - K, strict)
    if K == 0:
        from scipy.special import betainc

        b = np.clip(last, 0, np.maximum(N - 1, 0))
        tail = betainc(b + 1.0, np.maximum(N - b, 1.0), 0.5)
        return np.where(last < 0, 1.0, np.where(last >= N, 0.0, tail))
    return (-1) ** (K + 1) * 2.0**-K * pmf_difference(K - 1, N, last + 1)


def alternating_ramp(K: int, N: Whole, theta: Real) -> Real:
    """Return E[v_1…v_K (V + S - theta)_+] for K >= 1.

    The signs v_1, …, v_K and s_1, …, s_N are fair and independent; V and S are their sums.
    """
    whole, part = _split(theta)
    j = _last_below(whole, part, N - K, True) + 1
    r = (2 * j - (whole + N - K)) - part
    if K == 1:
        tail = alternating_step(0, N, (2 * j - N).astype(float))
        return (r * pmf_difference(0, N, j) + 2 * tail) / 2
    ends = (2 - r) * pmf_difference(K - 2, N, j + 1) + r * pmf_difference(K - 2, N, j)
    return (-1) ** K * 2.0**-K * ends


def flipped_difference(
    of: Callable[[Real], Real], s: Int[np.ndarray, " neurons"], theta: Real
) -> Real:
    """Return E[t H(t s)] for a fair sign t of integer weight s, from the case `of` of weight 1.

    H(s) is the expectation with s added to the sum that is compared with the threshold theta, and
    `of(theta)` is the value for s = 1.

    The difference H(s) - H(-s) telescopes into |s| differences over steps of 2. Each of them is the
    case of a sign of weight 1, so that the value is the sign of s times
    sum_{i < |s|} of(theta - (|s| - 2i - 1)). The value is exactly 0 where s = 0.
    """
    size = np.abs(s)
    total = np.zeros(len(s))
    for i in range(int(size.max(initial=0))):
        here = size > i
        shift = theta - (size - 2 * i - 1)
        total += np.where(here, of(shift), 0.0)
    return np.sign(s) * total


def pmf_difference(a: int, N: Whole, j: Whole) -> Real:
    """Return the a-th forward difference at j of the pmf of Bin(N, 1/2), to full relative accuracy.

    Example:
        >>> pmf_difference(1, np.array([2]), np.array([0]))  # 1/2 - 1/4
        array([0.25])
    """
    i, M = j + a, N + a
    ratio = _krawtchouk(a, i, M) / np.array([math.comb(int(m), a) for m in M], dtype=object)
    return 2.0**a * fair_pmf(M, i) * ratio.astype(float)


def fair_pmf(N: Whole, j: Whole) -> Real:
    r"""Return P(Bin(N, 1/2) = j) by Loader's saddle-point expansion; it is 0 for j outside 0..N.

    With e = (2j - N)/N the exponent -N [e artanh e + log(1 - e^2)/2] has no cancellation. So
    the relative error stays near 1e-15 at any N, except in the far tails, where e artanh e loses
    some digits (log-gamma functions would lose nine digits at N = 10^6).
    """
    inside = (j > 0) & (j < N)
    n, x = np.where(inside, N, 2).astype(float), np.where(inside, j, 1).astype(float)
    e = np.where(inside, 2 * j - N, 0) / n
    exponent = -n * (e * np.arctanh(e) + np.log1p(-(e**2)) / 2)
    correction = _stirling_error(n) - _stirling_error(x) - _stirling_error(n - x)
    value = np.sqrt(n / (2 * np.pi * x * (n - x))) * np.exp(exponent + correction)
    ends = np.where((j == 0) | (j == N), np.exp2(-N.astype(float)), 0.0)
    return np.where(inside, value, ends)


def _split(theta: Real) -> tuple[Whole, Real]:
    """Split each threshold into its whole part and a remainder in [0, 1).

    A threshold within `ON_LATTICE` of a whole number is first rounded to that number.
    """
    near = np.rint(theta)
    theta = np.where(np.abs(theta - near) < ON_LATTICE, near, theta)
    whole = np.floor(theta)
    return whole.astype(np.int64), theta - whole


def _last_below(whole: Whole, part: Real, offset: Whole, strict: bool) -> Whole:
    """Return the largest whole number b with 2b <= theta + offset, where theta = whole + part.

    If `strict` is False, return the largest b with 2b < theta + offset. The computation is in whole
    numbers, so that a threshold near N = 10^16 keeps its fractional part.
    """
    y = whole + offset
    return y // 2 if strict else np.where(part > 0, y // 2, (y - 1) // 2)


def _krawtchouk(a: int, i: Whole, M: Whole) -> np.ndarray:
    """Return the Krawtchouk polynomial K_a(i; M) = sum_s (-1)^s C(i, s) C(M - i, a - s).

    It is computed exactly, in Python's integers of any size.
    """
    i, M = i.astype(object), M.astype(object)
    before, here = 0 * M, 0 * M + 1
    for n in range(a):
        before, here = here, ((M - 2 * i) * here - (M - n + 1) * before) // (n + 1)
    return here


_SMALL = np.array(
    [0.0]
    + [
        math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2
        for n in range(1, 16)
    ]
)


def _stirling_error(n: Real) -> Real:
    """Return log n! minus Stirling's formula: exact up to n = 15, then five terms of its series."""
    m = np.maximum(n, 16.0)
    inverse = 1 / m**2
    series = 1 / 12 - inverse * (
        1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188))
    )
    return np.where(n < 16, _SMALL[np.minimum(n, 15).astype(int)], series / m)

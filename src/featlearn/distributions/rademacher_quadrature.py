r"""The law of a weighted sum of random signs by a Fourier series, with an estimated error.

It is cheap for many weights, for which the exact methods of `rademacher` are too expensive.

    n   weights, positive, in descending order      s = sum_i w_i xi_i,  xi_i fair signs
    t_k = k h  the nodes                            phi(t) = E cos(t s) = prod_i cos(w_i t)

A step at x, repeated with period 2 pi/h, is a Fourier series; its mean over s is a sum over the
nodes instead of an integral. It is *exact* as long as no repetition reaches the support of s, so

    F(x) = P(s < x) + P(s = x)/2 = 1/2 + h x/(2 pi) + (1/pi) sum_{k>=1} phi(t_k) sin(t_k x)/k

whenever 2 pi/h > R + |x|, where |s| <= R always (R = sum w) or with probability 1 - 4e-16
(R = 8.5 |w|, by Hoeffding). At a jump the series has the value one half, which is the convention
for atoms that lemma C.4 of Glasgow (2023) needs.

**Where to stop.** phi does not tend to 0, it is almost periodic: over all t its mean square is the
chance that two independent copies of s coincide, 2^-n if no two sums do. The terms left out after
node K then have the variance (2/pi)^2 (1/2) C 2^-n/K, with C = sum_l |phi(l h)| for neighbouring
nodes being alike. The estimated error of an interval is three standard deviations, with 2^-n/K or
with sum phi^2/k^2 over the last octave of nodes, whichever is larger. Nodes are doubled, from at
least 4096, until the estimated error is below the accuracy asked for; if that would take more than
2^31 cosines, `InputError` is raised. For a random direction the error is about
2.2 * 2^(-n/2)/sqrt(K h |w|): 1e-9 takes 2e7 nodes at n = 38, 7e4 at n = 46, 4096 from n = 50 on.

**What the estimate misses.** If all weights are multiples of some delta, |phi| is 1 again at
pi/delta. If this lies beyond the last node, values are wrong by up to half an atom, 0.4 delta/|w|.
Hence weights with a common divisor of at least 1e-7 of the largest weight are refused. The error
that remains is below 1e-7, and about 1e-10 for weights that were computed in float32.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from jaxtyping import Complex, Float

from featlearn._check import require

FIRST_NODES = 4096
"""Fewest nodes ever used; revivals of phi up to there are seen."""
MOST_COSINES = 2**31
"""Weights times nodes, at most: some seconds."""
TAIL = 8.5
"""P(|s| > TAIL |w|) <= 2 exp(-TAIL^2/2) = 4e-16."""
CONDITIONED = 12
"""At most so many dominating weights have their signs enumerated."""

Factors = tuple[
    Float[np.ndarray, "n 1"],
    Float[np.ndarray, "n 1"],
    Float[np.ndarray, "n nodes"],
    Float[np.ndarray, "n nodes"],
]
"""cos and sin of w_i t at the start of a block of nodes, and of the steps inside it."""


def below(
    w: Float[np.ndarray, " n"], x: Float[np.ndarray, " m"], accuracy: float, where: str
) -> Float[np.ndarray, "2 m"]:
    r"""Return F(x) and, up to a constant, G(x) for the sum s of `w` with random signs.

    F(x) = P(s < x) + P(s = x)/2 and G(x) = E[s 1(s < x)] + x P(s = x)/2; the constant cancels in
    differences of G. The series of G is half of the series of
    :math:`A(x) = E[|s| 1(|s| \le |x|)]`:

    .. math:: A(x)/2 = \frac{h x^2}{4\pi} + \frac1\pi \sum_k \varphi(t_k)
        \Big[\frac{x \sin t_k x}{k} + \frac{\cos t_k x - 1}{k^2 h}\Big],

    of which the term -1 is left out.

    If a few weights dominate the rest, all patterns of their signs are enumerated, which is exact,
    and the series is summed for the other weights given each pattern.
    """
    peeled = _dominating(w)
    rest = w[peeled:]
    patterns = 1.0 - 2.0 * (np.arange(2**peeled)[:, None] >> np.arange(peeled) & 1)
    fixed = patterns @ w[:peeled]
    reach = _reach(rest)
    y = x[:, None] - fixed
    z, place = np.unique(np.clip(y, -reach, reach), return_inverse=True)
    h = 2 * math.pi / (1.02 * (reach + np.abs(z).max()))

    (once,), (twice,) = _sum_series(rest, h, z, _product, accuracy, where)
    F = 0.5 + h * z / (2 * math.pi) + once.imag / math.pi
    half_A = h * z**2 / (4 * math.pi) + (z * once.imag + twice.real / h) / math.pi
    F = np.clip(F, 0.0, 1.0)[place].reshape(y.shape)
    F = np.where(y > reach, 1.0, np.where(y < -reach, 0.0, F))
    G = fixed * F + half_A[place].reshape(y.shape)
    return np.stack([F.mean(axis=1), G.mean(axis=1)])


def leave_one_out(
    w: Float[np.ndarray, " n"], centre: Float[np.ndarray, " m"], accuracy: float, where: str
) -> Float[np.ndarray, "m n"]:
    r"""Return P(|X_i - c| < w_i) with half weights at the ends, X_i = s - w_i xi_i, for all i.

    .. math:: \frac{h w_i}{\pi} + \frac2\pi \sum_k \frac{\cos t_k c}{k}
        \sin(w_i t_k) \prod_{j \ne i} \cos(w_j t_k),

    the product being that of all factors before i times that of all after i: nothing is divided.
    """
    reach = _reach(w)
    c = np.clip(centre, -reach - w[0], reach + w[0])
    h = 2 * math.pi / (1.02 * (reach + np.abs(c).max() + w[0]))

    once, _ = _sum_series(w, h, c, _products_but_one, accuracy, where)
    return np.clip(h * w / math.pi + 2 / math.pi * once.real.T, 0.0, 1.0)


def _product(factors: Factors) -> Float[np.ndarray, "1 nodes"]:
    cos_start, sin_start, cos_step, sin_step = factors
    return np.prod(cos_start * cos_step - sin_start * sin_step, axis=0, keepdims=True)


def _products_but_one(factors: Factors) -> Float[np.ndarray, "n nodes"]:
    cos_start, sin_start, cos_step, sin_step = factors
    cos = cos_start * cos_step - sin_start * sin_step
    terms = sin_start * cos_step + cos_start * sin_step
    for order in (range(len(cos)), reversed(range(len(cos)))):
        passed = np.ones(cos.shape[1])
        for i in order:
            terms[i] *= passed
            passed *= cos[i]
    return terms


def _sum_series(
    w: Float[np.ndarray, " n"],
    h: float,
    z: Float[np.ndarray, " columns"],
    spectrum: Callable[[Factors], Float[np.ndarray, "rows nodes"]],
    accuracy: float,
    where: str,
) -> Complex[np.ndarray, "2 rows columns"]:
    """Return the sums over k of spectrum(t_k) exp(i t_k z)/k^p for p = 1 and p = 2.

    The number of terms follows the rule **Where to stop** of this module. Within a block of nodes
    each angle is the angle at the start of the block plus one from a table, so that two products
    replace the evaluation of a cosine.
    """
    n = len(w)
    delta = common_divisor(w)
    require(
        delta is None,
        where,
        "weights without a common divisor",
        f"multiples of {delta:.6g}" if delta else "",
        "Their cosines come back: take method='meet', which is exact.",
    )
    most = MOST_COSINES // (n if spectrum is _product else 8 * n)
    lobe = TAIL / (h * float(np.linalg.norm(w[_dominating(w) :])))
    first = min(max(FIRST_NODES, 8 * 2 ** math.ceil(math.log2(lobe))), 2 ** int(math.log2(most)))
    block = min(max(256, 2**17 // n), max(16, 2**20 // len(z)), first // 8)
    block = 2 ** int(math.log2(block))
    assert first % (8 * block) == 0, "octaves are made of whole blocks"
    steps = h * np.arange(block)
    cos_step, sin_step = np.cos(np.multiply.outer(w, steps)), np.sin(np.multiply.outer(w, steps))
    turn_step = np.exp(1j * np.multiply.outer(steps, z)).view(float)

    total: Complex[np.ndarray, "rows columns"] = np.zeros((1, 1), dtype=complex)
    alike, errors, done, end = 1.0, [math.inf], 0, first // 8
    while True:
        energy: Float[np.ndarray, " rows"] = np.zeros(1)
        for start in range(done + 1, end + 1, block):
            angle = (w * (h * start))[:, None]
            factors = (np.cos(angle), np.sin(angle), cos_step, sin_step)
            k = np.arange(start, start + block, dtype=float)
            terms = spectrum(factors) / k
            inside = (np.concatenate([terms, terms / k]) @ turn_step).view(complex)
            total = total + inside * np.exp(1j * h * start * z)
            energy = energy + np.square(terms).sum(axis=1)
            if end <= first:
                alike += 2 * float(np.abs(_product(factors)).sum())
        done, end = end, 2 * end
        left_out = max(float(energy.max()), 2.0**-n / done)
        errors.append(3 * math.sqrt(2 / math.pi**2 * alike * left_out))
        if done < first:
            continue
        if errors[-1] <= accuracy:
            return total.reshape(2, -1, len(z))
        more = end <= most
        at_best = _extrapolated(errors[-3:], most / done) if more else errors[-1]
        require(
            at_best <= (4 if more else 1) * accuracy,
            where,
            f"an estimated error of at most {accuracy:g} from the quadrature",
            f"{at_best:.1e} at best for {n} weights",
            "Their cosines do not decay: take method='meet', which is exact, or a larger accuracy.",
        )


def _extrapolated(errors: list[float], growth: float) -> float:
    """Return the error to expect with `growth` times as many nodes, given the errors so far.

    `errors` are the errors after the last doublings of the nodes. Each further doubling is expected
    to reduce the error by the ratio of the last one, and at least by sqrt(1/2). A chance peak of
    phi raises the error of one doubling only, so earlier errors are used as well. The result may be
    somewhat too large, and the caller may continue in spite of it.
    """
    root = math.sqrt(0.5)
    now = min(error * root**age for age, error in enumerate(reversed(errors)))
    return now * min(errors[-1] / errors[-2], root) ** int(math.log2(growth))


def common_divisor(w: Float[np.ndarray, " n"]) -> float | None:
    """Return the largest delta of which all weights are multiples, up to rounding.

    The result is None if there is no such delta above about 1e-7 of the largest weight.

    Example:
        >>> common_divisor(np.array([0.9, 0.6, 0.3 * 7]))
        0.3
        >>> common_divisor(np.sqrt([2.0, 3.0, 5.0])) is None
        True
    """
    denominator = 1
    for ratio in w / w[0]:
        near = Fraction(float(ratio)).limit_denominator(10**6)
        denominator = math.lcm(denominator, near.denominator)
        if abs(float(near) - ratio) > 1e-15 * max(1.0, ratio) or denominator > 10**7:
            return None
    return float(w[0] / denominator)


def _dominating(w: Float[np.ndarray, " n"]) -> int:
    """Return how many of the largest weights have their signs enumerated.

    The last of them is the last weight, among the first `CONDITIONED`, that exceeds the Euclidean
    norm of all weights after it.
    """
    rest = np.sqrt(np.cumsum(np.square(w)[::-1])[::-1])
    dominates = w[:-1] > rest[1:]
    found = np.flatnonzero(dominates[:CONDITIONED])
    return int(found[-1]) + 1 if len(found) else 0


def _reach(w: Float[np.ndarray, " n"]) -> float:
    return float(min(w.sum(), TAIL * np.linalg.norm(w)))

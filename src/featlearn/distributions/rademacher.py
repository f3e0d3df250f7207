r"""The exact law of a sum of random signs, s = sum_i w_i xi_i with xi_i independent and fair.

    n   weights         c   threshold         X_i   s without coordinate i

Given a neuron's weights w, the gradient of Glasgow's linearised loss is a combination of
probabilities and moments of s (lemma C.4, where s = w_perp.xi and B1 to B4 name its terms). All
functions are differences of F or G, in which **an atom at the threshold x counts one half**,

    F(x) = P(s < x) + P(s = x)/2,    G(x) = E[s 1(s < x)] + x P(s = x)/2,

so an atom at an end of an interval counts one half, and an interval whose ends coincide has
probability 0. Lemma C.4 requires this choice in B3, which must vanish at |w_sig| = |w_opp|. B1
with w_sig = 0 and B4 with w_i = 0 have a factor 0 and hold for any choice.

There are three methods, and "auto" chooses one of them. The first two are exact up to rounding (for
n <= 44 the probabilities are exact counts):

    enumerate    all 2^n sums, n <= 22
    meet         two halves of at most 2^22 *distinct* sums, one searched for each sum of the other:
                 any w with n <= 44, and weights on a lattice (all equal, say) at any n
    quadrature   a Fourier series with an estimated error, see `rademacher_quadrature`; n >= 38
    auto         enumerate to n = 16, meet to n = 42 and where each half has at most 2^16 distinct
                 sums, else quadrature

Zero weights do not count in n. **Ties.** Sums of decimal weights such
as 0.1 or 0.3 are equal only up to rounding, so sums, and a sum and a threshold, are taken as equal
if they differ by at most max(n, 16) * 2.2e-16 * sum |w_i|, which covers the rounding of the
weights, the threshold and every addition. For weights in general position about 1e-14 of all pairs
are taken for a tie by mistake.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from featlearn._check import InputError, require, require_one_of
from featlearn.distributions import rademacher_quadrature as quadrature

METHODS = ("auto", "enumerate", "meet", "quadrature")
HALF = 22
"""At most 2^HALF distinct sums are written down at once."""

Thresholds = float | int | Float[np.ndarray, "..."]


def interval_probability(
    weights: Float[np.ndarray, " n"],
    low: Thresholds,
    high: Thresholds,
    method: str = "auto",
    *,
    accuracy: float = 1e-9,
) -> Float[np.ndarray, "..."]:
    """Return P(low < s < high) + (P(s = low) + P(s = high))/2; it is 0 if low = high.

    Here s is the sum of `weights` with independent fair signs.

    Args:
        weights: w, of any signs; the law depends on |w_i| only.
        low: lower ends, -inf allowed; broadcast against `high`.
        high: upper ends, not below `low`; inf allowed.
        method: one of `METHODS`.
        accuracy: largest estimated absolute error accepted from the quadrature.

    Returns:
        One probability per interval, in the shape of the ends (no dimension for two numbers).

    Example:
        >>> interval_probability(np.ones(2), low=0.0, high=np.array([0.0, 1.0, 2.0, 3.0]))
        array([0.   , 0.25 , 0.375, 0.5  ])

    References:
        Glasgow (2023), arXiv:2309.15111, lemma C.4.
    """
    where = f"interval_probability(method={method!r})"
    low, high = _ends(low, high, "interval_probability(low, high)")
    mass = _below(weights, np.stack([low, high]), method, accuracy, where)[0]
    return np.asarray(np.maximum(mass[1] - mass[0], 0.0))


def within(
    weights: Float[np.ndarray, " n"],
    c: Thresholds,
    method: str = "auto",
    *,
    accuracy: float = 1e-9,
) -> Float[np.ndarray, "..."]:
    """Return P(|s| < c) + P(|s| = c)/2 for c > 0, and 0 for c = 0, as in B1 and B2 of lemma C.4.

    Here s is the sum of `weights` with independent fair signs. The value is F(c) - F(-c), where an
    atom at a threshold counts one half. At c = 0 the two terms are equal and cancel (the limit from
    the right would be P(s = 0)); B1 itself has a factor 0 at c = 0.

    Args:
        weights: w, of any signs.
        c: thresholds, at least 0.
        method: one of `METHODS`.
        accuracy: largest estimated absolute error accepted from the quadrature.

    Returns:
        One probability per threshold, in the shape of `c`.

    Example:
        >>> within(np.array([1.0, -1.0]), np.array([0.0, 1.0, 2.0, 3.0]))
        array([0.  , 0.5 , 0.75, 1.  ])

    References:
        Glasgow (2023), arXiv:2309.15111, lemma C.4, B1 and B2.
    """
    c = np.asarray(c, dtype=float)
    require(bool(np.all(c >= 0)), "within(c)", "c >= 0", f"a smallest c of {np.min(c)}")
    F = _below(weights, c, method, accuracy, f"within(method={method!r})")[0]
    return np.asarray(np.maximum(2 * F - 1, 0.0))


def absolute_between(
    weights: Float[np.ndarray, " n"],
    low: Thresholds,
    high: Thresholds,
    method: str = "auto",
    *,
    accuracy: float = 1e-9,
) -> Float[np.ndarray, "..."]:
    """Return E[|s| 1(low < |s| < high)] with half weights at the ends, as in B3 of lemma C.4.

    Here s is the sum of `weights` with independent fair signs. The value is 2 (G(high) - G(low)).

    Args:
        weights: w, of any signs.
        low: lower ends, at least 0; broadcast against `high`.
        high: upper ends, not below `low`; inf allowed.
        method: one of `METHODS`.
        accuracy: of the quadrature, relative to `high`: its error is at most accuracy * high.

    Returns:
        One expectation per pair of ends; 0 where they coincide.

    Example:
        >>> absolute_between(np.ones(2), 0.0, np.array([2.0, 3.0]))
        array([0.5, 1. ])

    References:
        Glasgow (2023), arXiv:2309.15111, lemma C.4, B3.
    """
    where = f"absolute_between(method={method!r})"
    low, high = _ends(low, high, "absolute_between(low, high)")
    lowest = np.min(low, initial=0.0)
    require(bool(lowest >= 0), "absolute_between(low)", "low >= 0", f"a smallest low of {lowest}")
    moment = _below(weights, np.stack([low, high]), method, accuracy, where)[1]
    return np.asarray(np.maximum(2 * (moment[1] - moment[0]), 0.0))


def leave_one_out_window(
    weights: Float[np.ndarray, " n"],
    centre: Thresholds,
    index_subset: Sequence[int] | Int[np.ndarray, " subset"] | None = None,
    method: str = "auto",
    *,
    accuracy: float = 1e-9,
) -> Float[np.ndarray, "... subset"]:
    """Return P(|X_i - centre| <= |w_i|) with half weights at the ends, for many i, as in B4.

    X_i is the sum s of all w_j xi_j without the term of i. The probability equals
    P(s < centre | w_i xi_i < 0) - P(s < centre | w_i xi_i > 0), where ties count one half. So
    `enumerate` and `meet` go once through the law of s and read off the value for every i; the
    quadrature takes one pass over its nodes.

    Args:
        weights: w, of any signs.
        centre: one or many centres.
        index_subset: the coordinates i, counted from 0, in the order wanted; None is all of them.
        method: one of `METHODS`.
        accuracy: largest estimated absolute error accepted from the quadrature.

    Returns:
        One probability per centre and coordinate, coordinates last; 0 where w_i = 0.

    Example:
        >>> leave_one_out_window(np.array([1.0, 1.0, 3.0]), centre=1.0)
        array([0.125, 0.125, 0.875])

    References:
        Glasgow (2023), arXiv:2309.15111, lemma C.4, B4 (printed there with the wrong sign).
    """
    where = f"leave_one_out_window(method={method!r})"
    c = np.asarray(centre, dtype=float)
    require(bool(np.all(np.isfinite(c))), "leave_one_out_window(centre)", "finite centres", centre)
    subset = np.arange(len(weights)) if index_subset is None else np.asarray(index_subset, int)
    require(
        bool(np.all((subset >= 0) & (subset < len(weights)))),
        "leave_one_out_window(index_subset)",
        f"coordinates from 0 to {len(weights) - 1}",
        subset.tolist(),
    )
    w, place = _descending(weights, where)
    windows = np.zeros((c.size, len(weights)))
    method = _chosen(w, method, where)
    if len(w) and method == "quadrature":
        windows[:, place] = quadrature.leave_one_out(w, c.ravel(), accuracy, where)
    elif len(w) <= 2 * HALF:
        parts = _parts(len(w), method)
        for here, there in (parts, parts[::-1]) if method == "meet" else (parts,):
            law = _half(w[there], _tie(w), where)
            for j, one in enumerate(c.flat):
                windows[j, place[here]] = _influences(w[here], law, one)
    else:
        for one in np.unique(w):
            others = np.delete(w, np.flatnonzero(w == one)[0])
            ends = np.concatenate([c.ravel() - one, c.ravel() + one])
            low, high = np.split(_exactly_below(others, ends, method, where)[0], 2)
            windows[:, place[w == one]] = (high - low)[:, None]
    return windows[:, subset].reshape(*c.shape, len(subset))


class _Law(NamedTuple):
    """The law of a sum: its distinct values and their probabilities.

    The values ascend and are more than two `tie` apart.
    """

    values: Float[np.ndarray, " atoms"]
    masses: Float[np.ndarray, " atoms"]
    before: Float[np.ndarray, "2 atoms+1"]
    """Mass and first moment of all values before each one; the last entry is after all."""
    middle: Float[np.ndarray, "2 atoms"]
    """The same with half of that value included."""
    tie: float

    def below(self, x: Float[np.ndarray, " m"]) -> Float[np.ndarray, "2 m"]:
        """Return F(x) = P(s < x) + P(s = x)/2 and G(x) = E[s 1(s < x)] + x P(s = x)/2."""
        at = np.searchsorted(self.values, x - self.tie)
        result = self.before[:, at]
        on_it = np.flatnonzero(self.values.take(at, mode="clip") <= x + self.tie)
        on_it = on_it[at[on_it] < len(self.values)]
        result[:, on_it] = self.middle[:, at[on_it]]
        return result


def _law(w: Float[np.ndarray, " n"], tie: float, most: int) -> _Law | None:
    """Return the law of the sum of w_i xi_i, or None if it has more than `most` distinct values.

    The weights are added one after another, and equal sums (up to `tie`) are merged.
    """
    values, masses = np.zeros(1), np.ones(1)
    for one in w:
        values = np.concatenate([values - one, values + one])
        order = np.argsort(values, kind="stable")
        values, masses = values[order], np.concatenate([masses, masses])[order] / 2
        first = np.flatnonzero(np.diff(values, prepend=-np.inf) > 2 * tie)
        if len(first) < len(values):
            values, masses = values[first], np.add.reduceat(masses, first)
        if len(values) > most:
            return None
    share = np.stack([masses, masses * values])
    before = np.concatenate([np.zeros((2, 1)), np.cumsum(share, axis=1)], axis=1)
    return _Law(values, masses, before, before[:, :-1] + share / 2, tie)


def _half(w: Float[np.ndarray, " n"], tie: float, where: str) -> _Law:
    """Return the law of the sum of half of the weights; raise `InputError` if it is too large."""
    law = _law(w, tie, 2**HALF)
    if law is None:
        expected = f"at most 2^{HALF} distinct sums of each half of the weights"
        raise InputError(where, expected, f"more from {len(w)} weights", "Try 'quadrature'.")
    return law


def _below(
    weights: Float[np.ndarray, " n"],
    x: Float[np.ndarray, "..."],
    method: str,
    accuracy: float,
    where: str,
) -> Float[np.ndarray, "2 ..."]:
    """Return F(x) and G(x) by the given method; G is known up to a constant only."""
    w, _ = _descending(weights, where)
    method = _chosen(w, method, where)
    if method == "quadrature":
        both = quadrature.below(w, x.ravel(), accuracy, where)
    else:
        both = _exactly_below(w, x.ravel(), method, where)
    return both.reshape(2, *x.shape)


def _exactly_below(
    w: Float[np.ndarray, " n"], x: Float[np.ndarray, " m"], method: str, where: str
) -> Float[np.ndarray, "2 m"]:
    """Return F(x) and G(x), computed from the laws of two parts of the weights.

    For each value of one part, F and G of the other part are evaluated at x minus that value.
    """
    here, there = (_half(w[part], _tie(w), where) for part in _parts(len(w), method))
    both = np.empty((2, len(x)))
    for j, threshold in enumerate(x):
        mass, moment = here.below(threshold - there.values)
        both[0, j] = there.masses @ mass
        both[1, j] = there.masses @ (moment + there.values * mass)
    return both


def _influences(w: Float[np.ndarray, " n"], rest: _Law, centre: float) -> Float[np.ndarray, " n"]:
    """Return P(s < centre | xi_i = -1) - P(s < centre | xi_i = 1) for each weight in `w`.

    Here s is the sum of w_i xi_i plus an independent sum with the law `rest`; ties count one half.
    """
    sums = np.zeros(1)
    for one in w:
        sums = np.concatenate([sums - one, sums + one])
    order = np.argsort(sums)
    chance = np.empty_like(sums)
    chance[order] = rest.below(centre - sums[order])[0]
    differences = np.empty(len(w))
    for i in reversed(range(len(w))):
        minus, plus = np.split(chance, 2)
        differences[i] = minus.mean() - plus.mean()
        chance = (minus + plus) / 2
    return differences


def _parts(n: int, method: str) -> tuple[slice, slice]:
    """Return two slices that divide n weights into two parts.

    For `enumerate` the second part is empty; for `meet` the weights alternate between the parts.
    """
    return (slice(n), slice(0)) if method == "enumerate" else (slice(0, n, 2), slice(1, n, 2))


def _tie(w: Float[np.ndarray, " n"]) -> float:
    return float(max(len(w), 16) * np.finfo(float).eps * w.sum())


def _chosen(w: Float[np.ndarray, " n"], method: str, where: str) -> str:
    """Return the method to use, which "auto" leaves to the weights.

    Raise `InputError` if the method asked for cannot be used for these weights.
    """
    n = len(w)
    require_one_of(method, METHODS, where)
    if method == "enumerate":
        hint = "Try method='meet'."
        require(n <= HALF, where, f"at most {HALF} weights other than 0", n, hint)
    if method == "quadrature":
        require(n > 0, where, "a weight other than 0", "none", "Try method='meet'.")
    if method != "auto":
        return method
    if n <= 16:
        return "enumerate"
    if n <= 42 or all(_law(w[part], _tie(w), 2**16) is not None for part in _parts(n, "meet")):
        return "meet"
    return "quadrature"


def _descending(
    weights: Float[np.ndarray, " n"], where: str
) -> tuple[Float[np.ndarray, " nonzero"], Int[np.ndarray, " nonzero"]]:
    """Return the absolute nonzero weights, largest first, and their places in `weights`."""
    w = np.abs(np.asarray(weights, dtype=float))
    require(bool(np.all(np.isfinite(w))), where, "finite weights", "infinity or NaN")
    place = np.argsort(-w, kind="stable")[: np.count_nonzero(w)]
    return w[place], place


def _ends(
    low: Thresholds, high: Thresholds, where: str
) -> tuple[Float[np.ndarray, "..."], Float[np.ndarray, "..."]]:
    low, high = np.broadcast_arrays(np.asarray(low, dtype=float), np.asarray(high, dtype=float))
    wrong = ~(low <= high)
    first = f"{low[wrong][0]} and {high[wrong][0]}" if np.any(wrong) else ""
    require(not np.any(wrong), where, "low <= high", first)
    return low, high

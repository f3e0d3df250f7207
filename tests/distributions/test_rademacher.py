"""Sums of random signs against counting them in integers, and against each other.

The truth is `law_of`: every sign pattern of integer weights, added up in integers, probabilities
as fractions. It shares nothing with the code under test.
"""

import functools
import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from featlearn.distributions.rademacher import (
    absolute_between,
    interval_probability,
    leave_one_out_window,
    within,
)
from featlearn.distributions.rademacher_quadrature import common_divisor

INTEGERS = (
    [3],
    [1, 1],
    [2, -1, 1],
    [5, 3, 0, -2, 2, 1, 1],
    [4, 4, 4, 1, 1, 1, 1],
    [7, 6, -5, 4, 3, 2],
)
COUNTING = ("auto", "enumerate", "meet")


@functools.cache
def law_of(weights):
    """Value -> probability of sum_i w_i xi_i, in integers."""
    signs = itertools.product((-1, 1), repeat=len(weights))
    sums = Counter(sum(w * x for w, x in zip(weights, xi, strict=True)) for xi in signs)
    return {value: Fraction(count, 2 ** len(weights)) for value, count in sums.items()}


def inside(value, low, high):
    """1 inside, one half at an end, 0 outside; nothing if the ends coincide."""
    above, beyond = (int(value >= end) + int(value > end) for end in (low, high))
    return Fraction(above - beyond, 2)


def true_interval(weights, low, high):
    return sum(p * inside(s, low, high) for s, p in law_of(tuple(weights)).items())


def true_absolute(weights, low, high):
    return sum(p * abs(s) * inside(abs(s), low, high) for s, p in law_of(tuple(weights)).items())


def true_window(weights, centre, i):
    others, size = weights[:i] + weights[i + 1 :], abs(weights[i])
    return true_interval(others, centre - size, centre + size)


def sphere(rng, n):
    w = rng.normal(size=n)
    return w / np.linalg.norm(w)


# Counting.


@pytest.mark.parametrize("method", COUNTING)
@pytest.mark.parametrize("weights", INTEGERS, ids=str)
def test_integer_weights_are_counted_exactly_ties_and_all(weights, method):
    # Equality, not closeness: these probabilities are multiples of 2^-8 and sums of few of them.
    w = np.array(weights, dtype=float)
    ends = np.arange(0, 2 * sum(map(abs, weights)) + 3) / 2
    low, high = (grid.ravel() for grid in np.meshgrid(ends, ends))
    low, high = low[low <= high][::3], high[low <= high][::3]
    pairs = list(zip(low, high, strict=True))
    got = interval_probability(w, -low, high, method)
    assert got.tolist() == [true_interval(weights, -a, b) for a, b in pairs]
    got = interval_probability(w, low, high, method)
    assert got.tolist() == [true_interval(weights, a, b) for a, b in pairs]
    assert within(w, ends, method).tolist() == [true_interval(weights, -c, c) for c in ends]
    got = absolute_between(w, low, high, method)
    assert got.tolist() == [true_absolute(weights, a, b) for a, b in pairs]
    got = leave_one_out_window(w, ends - 1.5, method=method)
    truth = [[true_window(weights, c, i) for i in range(len(weights))] for c in ends - 1.5]
    assert got.tolist() == truth


@pytest.mark.parametrize("method", COUNTING)
@pytest.mark.parametrize("unit", [0.1, 0.7, 1 / 3, math.pi * 1e-5])
@pytest.mark.parametrize("weights", INTEGERS[3:], ids=str)
def test_decimal_weights_tie_as_their_integers_do(weights, unit, method):
    # Power: with a tolerance of 0 in place of max(n, 16) eps all 36 cases fail, with 1 eps four.
    w = unit * np.array(weights, dtype=float)
    c = np.arange(sum(map(abs, weights)) + 2)
    truth = [float(true_interval(weights, -int(x), int(x))) for x in c]
    assert within(w, unit * c, method).tolist() == truth
    rows = [[float(true_window(weights, int(x), i)) for i in range(len(weights))] for x in c]
    assert leave_one_out_window(w, c * unit, method=method).tolist() == rows


def test_sums_that_differ_by_more_than_rounding_are_no_ties():
    # Near 0, s is -2e-9, 0 or 2e-9, each with probability 1/8; a tie is a distance below 1.5e-14.
    w = np.array([1.0, 1.0 - 1e-9, 1.0, 1.0 + 1e-9])
    near = np.array([2e-9 - 1e-13, 2e-9, 2e-9 + 1e-13])
    for method in COUNTING:
        np.testing.assert_array_equal(
            within(w, near, method), [1 / 8, 2 / 8, 3 / 8], err_msg=method
        )


def test_an_empty_interval_has_no_probability_even_on_an_atom():
    w = np.array([1.0, 1.0])
    for method in COUNTING:
        assert float(within(w, 0.0, method)) == 0.0
        assert float(interval_probability(w, 2.0, 2.0, method)) == 0.0
        assert float(absolute_between(w, 2.0, 2.0, method)) == 0.0
    assert float(within(w, 1e-9)) == 0.5


def test_weights_that_are_zero_change_nothing_and_have_an_empty_window():
    w = np.array([0.0, 3.0, 0.0, 1.0])
    assert within(w, np.array([2.0, 3.0])).tolist() == [0.25, 0.5]
    assert leave_one_out_window(w, 3.0).tolist() == [0.0, 0.5, 0.0, 0.5]
    assert within(np.zeros(60), np.array([0.0, 1.0])).tolist() == [0.0, 1.0]
    assert leave_one_out_window(np.zeros(3), 0.0).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("weights", [[3, 1, 1, 1, 2, 0, 1, 4], [1, 1, 2, 1, 1, 1, 1, 1]], ids=str)
def test_lemma_c4_holds_with_these_conventions_where_every_boundary_is_an_atom(weights):
    # -grad L0 = E[y a 1(w.x > 0) x] over the cube, y = -x1 x2, a = 1; all numbers are dyadic.
    w = np.array(weights, dtype=float)
    x = np.array(list(itertools.product((-1.0, 1.0), repeat=8)))
    descent = ((-x[:, 0] * x[:, 1] * (x @ w > 0))[:, None] * x).mean(axis=0)
    sig, opp, rest = abs(w[0] - w[1]), abs(w[0] + w[1]), w[2:]  # sqrt 2 times the norms
    b1 = (w[0] - w[1]) * (descent[0] - descent[1]) / 2
    b2 = (w[0] + w[1]) * (descent[0] + descent[1]) / 2
    assert b1 == sig / 4 * float(within(rest, sig))
    assert b2 == -opp / 4 * float(within(rest, opp))
    assert w[2:] @ descent[2:] == float(absolute_between(rest, sig, opp)) / 4  # here sig < opp
    at_sig, at_opp = leave_one_out_window(rest, np.array([sig, opp]))
    np.testing.assert_array_equal(rest * descent[2:], np.abs(rest) / 4 * (at_sig - at_opp))


# Closed forms and limits.


@pytest.mark.parametrize("n", [30, 97, 98, 400])
def test_equal_weights_are_binomial_at_any_n(n):
    # 1e-13: masses below 2^-53 are rounded, n times.
    w, k = np.full(n, 0.3), np.arange(0, 12)
    heads = stats.binom(n, 0.5)
    middle = (n + k) / 2
    truth = heads.cdf(middle) - heads.pmf(middle) / 2
    np.testing.assert_allclose(interval_probability(w, -np.inf, 0.3 * k), truth, atol=1e-13)
    heads = stats.binom(n - 1, 0.5)
    truth = (
        heads.pmf(np.floor((n - 1 + k) / 2 + 0.5)) / 2
        + heads.pmf(np.ceil((n - 1 + k) / 2 - 0.5)) / 2
    )
    window = leave_one_out_window(w, 0.3 * k, index_subset=[n - 1])[:, 0]
    np.testing.assert_allclose(window, truth, atol=1e-13)


def test_two_sorts_of_weights_are_two_binomials():
    # No common divisor, yet few distinct sums: 24 ones and 24 roots of two.
    heads = np.arange(25)
    s = np.add.outer(2 * heads - 24, math.sqrt(2) * (2 * heads - 24))
    p = np.multiply.outer(*[stats.binom(24, 0.5).pmf(heads)] * 2)
    w = np.repeat([1.0, math.sqrt(2)], 24)
    for c in (0.5, 3.0, 2 + 2 * math.sqrt(2)):
        share = np.where(np.abs(np.abs(s) - c) < 1e-9, 0.5, np.abs(s) < c)
        assert float(within(w, c)) == pytest.approx(np.sum(p * share), abs=1e-13)
        expected = np.sum(p * share * np.abs(s))
        assert float(absolute_between(w, 0.0, c)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("n", "method"), [(18, "enumerate"), (36, "meet"), (60, "auto")])
def test_halving_weights_are_uniform_on_their_grid(n, method):
    # s takes the odd multiples of 2^(1-n) in (-2, 2), all equally often: P(|s| <= c) = c/2 and
    # E[|s| 1(|s| <= c)] = c^2/4 wherever c is an even multiple. 1e-9: what n = 60 is asked for.
    w, c = 2.0 ** -np.arange(n), np.array([0.125, 0.5, 1.0, 1.75])
    np.testing.assert_allclose(within(w, c, method), c / 2, atol=1e-9 if n > 44 else 1e-15)
    np.testing.assert_allclose(
        absolute_between(w, 0.0, c, method), c**2 / 4, atol=2e-9 if n > 44 else 1e-13
    )


def test_many_weights_are_gaussian_up_to_the_edgeworth_term(rng):
    # P(|s| <= c) = erf(c/sqrt 2) - (k4/12) He3(c) phi(c), k4 = -2 sum w^4, up to order 1/n^2.
    # Power: the term itself is over 2e-4 at c = 0.7, forty times the tolerance.
    w, c = sphere(rng, 998), np.array([0.1, 0.7, 1.5, 3.0])
    gauss, he3 = stats.norm, c**3 - 3 * c
    corrected = 2 * gauss.cdf(c) - 1 + np.sum(w**4) / 6 * he3 * gauss.pdf(c)
    np.testing.assert_allclose(within(w, c), corrected, atol=5e-6)
    assert abs(float(within(w, 0.7)) - (2 * gauss.cdf(0.7) - 1)) > 2e-4
    mean = math.sqrt(2 / math.pi) * (1 - np.exp(-(c**2) / 2))
    np.testing.assert_allclose(absolute_between(w, 0.0, c), mean, atol=2e-3)


@pytest.mark.parametrize("n", [12, 30, 64])
def test_the_whole_line_has_probability_one_and_moments_add_up(n, rng):
    w = sphere(rng, n)
    assert float(interval_probability(w, -np.inf, np.inf)) == 1.0
    assert float(within(w, 2 * np.abs(w).sum())) == 1.0
    cuts = np.array([0.0, 0.2, 0.9, 1.7, np.inf])
    pieces = absolute_between(w, cuts[:-1], cuts[1:])
    assert pieces.sum() == pytest.approx(float(absolute_between(w, 0.0, np.inf)), abs=1e-12)
    # d/dw_i E|s| = 2 E[xi_i 1(s > 0)], so E|s| = sum_i |w_i| P(|X_i| <= |w_i|).
    by_euler = float(np.abs(w) @ leave_one_out_window(w, 0.0))
    assert pieces.sum() == pytest.approx(by_euler, abs=1e-9)


# One way against another.


@pytest.mark.parametrize("n", [1, 2, 17, 19])
def test_enumerating_and_meeting_in_the_middle_agree(n, rng):
    w, c = sphere(rng, n), np.array([0.05, 0.4, 1.3])
    assert within(w, c, "meet").tolist() == within(w, c, "enumerate").tolist()
    np.testing.assert_allclose(
        absolute_between(w, 0.1, 0.1 + c, "meet"),
        absolute_between(w, 0.1, 0.1 + c, "enumerate"),
        rtol=1e-11,
    )
    assert (
        leave_one_out_window(w, c, method="meet").tolist()
        == leave_one_out_window(w, c, method="enumerate").tolist()
    )


def test_the_error_of_the_quadrature_is_what_it_is_estimated_to_be(rng):
    # Accuracy means three standard deviations: of 120 errors none should be much larger, and their
    # root mean square a third of it or less. Power: 512 nodes counted twice by a slip made that 1.8
    # times the accuracy; an estimate five times too large would fall below the lower bound.
    accuracy, c = 1e-6, np.array([0.1, 0.3, 1.0])
    errors = []
    for _ in range(40):
        w = sphere(rng, 26)
        series = within(w, c, "quadrature", accuracy=accuracy)
        errors.append(series - within(w, c, "meet"))
    assert np.abs(errors).max() < accuracy
    assert accuracy / 15 < np.sqrt(np.mean(np.square(errors))) < accuracy / 3
    series = leave_one_out_window(w, 0.3, method="quadrature", accuracy=accuracy)
    assert np.abs(series - leave_one_out_window(w, 0.3, method="meet")).max() < accuracy


def test_meeting_in_the_middle_and_quadrature_agree_at_38_weights(rng):
    # 4e-9 is the accuracy asked for, about a million nodes. At the default, 1e-9, 17 or 34 million
    # nodes left differences of 2e-12 to 7e-10 (24 values).
    w, c = sphere(rng, 38), np.array([0.1, 0.3, 1.0])
    exact, series = (within(w, c, method, accuracy=4e-9) for method in ("meet", "quadrature"))
    np.testing.assert_allclose(series, exact, atol=4e-9)


def test_both_agree_on_moments_and_windows_at_40_weights(rng):
    w, c = sphere(rng, 40), np.array([0.3, 1.0])
    exact, series = (
        absolute_between(w, 0.1, c, method, accuracy=2e-8) for method in ("meet", "quadrature")
    )
    np.testing.assert_allclose(series, exact, atol=2e-8)
    exact, series = (
        leave_one_out_window(w, 0.3, method=method, accuracy=1e-7)
        for method in ("meet", "quadrature")
    )
    np.testing.assert_allclose(series, exact, atol=1e-7)


def test_dominating_weights_are_no_trouble_for_the_quadrature(rng):
    # Without conditioning on the two large ones the nodes would lie 3e7 times denser, and be
    # refused; for the windows, which do without, 30 times denser.
    small = sphere(rng, 38)
    w = np.concatenate([[3e7, -1.5e7], small])
    c = np.array([1.5e7 - 0.3, 1.5e7, 1.5e7 + 1, 4.5e7 + 0.2])
    exact, series = (within(w, c, method, accuracy=1e-7) for method in ("meet", "quadrature"))
    np.testing.assert_allclose(series, exact, atol=2e-7)  # at this size 1e-7 of the sums tie
    w = np.concatenate([[30.0, -15.0], small])
    exact, series = (
        leave_one_out_window(w, 14.8, method=method, accuracy=1e-6)
        for method in ("meet", "quadrature")
    )
    np.testing.assert_allclose(series, exact, atol=1e-6)


@pytest.mark.parametrize("n", [60, 98, 300])
def test_windows_add_up_to_the_moment_as_b4_does_to_b3(n, rng):
    # Two series that share only their nodes. 1e-13: rounding; truncation is below it from n = 90.
    w = sphere(rng, n)
    at_sig, at_opp = leave_one_out_window(w, np.array([0.8, 0.2]))
    b3 = -float(absolute_between(w, 0.2, 0.8))
    assert float(np.abs(w) @ (at_sig - at_opp)) == pytest.approx(b3, abs=1e-13 if n > 90 else 1e-9)


def test_drawing_signs_gives_the_same_frequencies(rng):
    # Five standard errors: one false alarm in 2e6 seeds for each of four numbers. Power: one is
    # 7e-4, and P(|s| < c) in place of the half weights would be 0.11 off for the equal weights.
    draws = 400_000
    xi = 1.0 - 2.0 * rng.integers(0, 2, size=(draws, 48), dtype=np.int8)
    for w in (np.ones(48), sphere(rng, 48)):
        s = np.abs(xi @ w)
        c = 2.0 if w[0] == 1 else 0.3
        p = float(within(w, c))
        share = np.where(np.abs(s - c) < 1e-9, 0.5, s < c)
        assert abs(share.mean() - p) < 5 * math.sqrt(p * (1 - p) / draws)
        moment = share * s
        expected = float(absolute_between(w, 0.0, c))
        assert abs(moment.mean() - expected) < 5 * moment.std() / math.sqrt(draws)


# Invariances.


@pytest.mark.parametrize("n", [11, 25, 70])
def test_signs_and_order_of_the_weights_do_not_matter(n, rng):
    w, c = sphere(rng, n), np.array([0.1, 0.8])
    order = rng.permutation(n)
    other = (w * rng.choice([-1.0, 1.0], size=n))[order]
    assert within(other, c).tolist() == within(w, c).tolist()
    windows = leave_one_out_window(w, 0.4)
    assert leave_one_out_window(other, 0.4).tolist() == windows[order].tolist()
    np.testing.assert_allclose(leave_one_out_window(w, -0.4), windows, atol=1e-12)


@pytest.mark.parametrize("n", [11, 25, 70])
@pytest.mark.parametrize("scale", [1e-6, 3.0, 1e5])
def test_only_the_ratio_of_weights_and_threshold_matters(n, scale, rng):
    w, c = sphere(rng, n), np.array([0.1, 0.8])
    np.testing.assert_allclose(within(scale * w, scale * c), within(w, c), rtol=1e-12)
    np.testing.assert_allclose(
        absolute_between(scale * w, 0.0, scale * c), scale * absolute_between(w, 0.0, c), rtol=1e-11
    )


def test_results_take_the_shape_of_the_thresholds(rng):
    w = sphere(rng, 50)
    c = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    for method in ("auto", "quadrature"):
        table = within(w, c, method)
        assert table.shape == (2, 3)
        assert float(table[1, 0]) == pytest.approx(float(within(w, 0.4, method)), abs=1e-9)
        assert interval_probability(w, -0.1, c, method).shape == (2, 3)
    assert within(w, 1).shape == ()
    every = leave_one_out_window(w, c)
    assert every.shape == (2, 3, 50)
    some = leave_one_out_window(w, c, index_subset=np.array([7, 3]))
    assert some.tolist() == every[..., [7, 3]].tolist()


integers = st.lists(st.integers(-9, 9), min_size=1, max_size=7)


@settings(max_examples=60)
@given(
    weights=integers, ends=st.tuples(*[st.integers(0, 40)] * 2), unit=st.sampled_from([1.0, 0.1])
)
def test_any_integer_weights_are_counted_exactly(weights, ends, unit):
    low, high = sorted(ends)
    w = unit * np.array(weights, dtype=float)
    for method in COUNTING:
        got = interval_probability(w, unit * low, unit * high, method)
        assert float(got) == true_interval(weights, low, high)
        got = absolute_between(w, unit * low, unit * high, method)
        assert float(got) == pytest.approx(unit * float(true_absolute(weights, low, high)), 1e-13)


@settings(max_examples=15)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 24) | st.integers(46, 60),
    ends=st.tuples(*[st.floats(-3, 3)] * 3),
)
def test_neighbouring_intervals_add_up(seed, n, ends):
    a, b, c = sorted(ends)
    w = sphere(np.random.default_rng(seed), n)
    low, high, both = interval_probability(
        w, np.array([a, b, a]), np.array([b, c, c]), accuracy=1e-6
    )
    assert low + high == pytest.approx(both, abs=1e-6)
    assert 0 <= low <= both <= 1


# Refusals.


def weights_of(n):
    return np.sqrt(np.arange(1.0, n + 1))


REFUSALS = {
    "within(method='quadrature'): expected an estimated error of at most 1e-09 from the "
    "quadrature, got 4.6e-07 at best for 18 weights. Their cosines do not decay: take "
    "method='meet', which is exact, or a larger accuracy.": lambda: within(
        weights_of(18), 1.0, "quadrature"
    ),
    "within(method='quadrature'): expected weights without a common divisor, got multiples of "
    "0.01. Their cosines come back: take method='meet', which is exact.": lambda: within(
        0.01 * np.arange(30.0, 90.0), 1.0, "quadrature"
    ),
    "within(method='quadrature'): expected an estimated error of at most 1e-09 from the "
    "quadrature, got 1.8e-04 at best for 48 weights. Their cosines do not decay: take "
    "method='meet', which is exact, or a larger accuracy.": lambda: within(
        np.repeat([1.0, math.sqrt(2)], 24), 1.0, "quadrature"
    ),
    "within(method='quadrature'): expected a weight other than 0, got none. Try "
    "method='meet'.": lambda: within(np.zeros(3), 1.0, "quadrature"),
    "interval_probability(method='enumerate'): expected at most 22 weights other than 0, got 23. "
    "Try method='meet'.": lambda: interval_probability(weights_of(23), 0.0, 1.0, "enumerate"),
    "absolute_between(method='meet'): expected at most 2^22 distinct sums of each half of the "
    "weights, got more from 23 weights. Try 'quadrature'.": lambda: absolute_between(
        weights_of(46) ** 1.1, 0.0, 1.0, "meet"
    ),
    "within(method='exact'): expected one of 'auto', 'enumerate', 'meet', 'quadrature', got "
    "'exact'.": lambda: within(np.ones(3), 1.0, "exact"),
    "within(c): expected c >= 0, got a smallest c of -1.0.": lambda: within(
        np.ones(3), np.array([2.0, -1.0])
    ),
    "interval_probability(low, high): expected low <= high, got 2.0 and 1.0.": lambda: (
        interval_probability(np.ones(3), np.array([0.0, 2.0]), 1.0)
    ),
    "absolute_between(low): expected low >= 0, got a smallest low of -1.0.": lambda: (
        absolute_between(np.ones(3), -1.0, 1.0)
    ),
    "within(method='auto'): expected finite weights, got infinity or NaN.": lambda: within(
        np.array([1.0, np.nan]), 1.0
    ),
    "leave_one_out_window(index_subset): expected coordinates from 0 to 2, got [0, 3].": lambda: (
        leave_one_out_window(np.ones(3), 1.0, index_subset=[0, 3])
    ),
    "leave_one_out_window(centre): expected finite centres, got inf.": lambda: leave_one_out_window(
        np.ones(3), np.inf
    ),
}


@pytest.mark.parametrize("message", REFUSALS)
def test_a_request_that_cannot_be_served_is_refused_with_a_way_out(message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        REFUSALS[message]()


def test_a_common_divisor_is_found_through_rounding_and_only_if_there_is_one(rng):
    w = np.sort(np.round(np.abs(rng.normal(size=60)) + 0.1, 5))[::-1] * math.pi
    assert common_divisor(w) == pytest.approx(1e-5 * math.pi, rel=1e-12)
    # A float32 mantissa has 24 bits, so float32 weights have none above 1e-7.
    for n in range(3, 60):
        w = np.sort(np.abs(rng.normal(size=n)))[::-1]
        assert common_divisor(w) is None

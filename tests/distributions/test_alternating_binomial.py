"""Alternating sums of binomial tails against enumeration and against 60 digits."""

import decimal
import itertools
import math

import numpy as np
import pytest

from featlearn.distributions.alternating_binomial import (
    alternating_ramp,
    alternating_step,
    fair_pmf,
    flipped_difference,
    pmf_difference,
)


def enumerated(K, N, theta, of):
    """E[v_1…v_K of(V + S - theta)] over all signs."""
    total = 0.0
    for v in itertools.product((-1, 1), repeat=K):
        for b in range(N + 1):
            mass = math.comb(N, b) / 2 ** (N + K)
            total += math.prod(v) * of(sum(v) + 2 * b - N - theta) * mass
    return total


@pytest.mark.parametrize("K", range(6))
@pytest.mark.parametrize("N", [0, 1, 2, 9, 16])
def test_both_sums_are_those_of_the_enumeration(K, N):
    for theta in (-30.0, -7.0, -3.3, -1.0, 0.0, 0.4, 1.0, 2.0, 5.7, 8.0, 40.0):
        at = np.array([N]), np.array([theta])
        above = enumerated(K, N, theta, lambda y: float(y > 0))
        reached = enumerated(K, N, theta, lambda y: float(y >= 0))
        assert alternating_step(K, *at)[0] == pytest.approx(above, abs=1e-14)
        assert alternating_step(K, *at, strict=False)[0] == pytest.approx(reached, abs=1e-14)
        if K:
            ramp = enumerated(K, N, theta, lambda y: max(y, 0.0))
            assert alternating_ramp(K, *at)[0] == pytest.approx(ramp, abs=1e-13)


@pytest.mark.parametrize("s", [-3, 0, 1, 2])
def test_a_sign_of_weight_s_telescopes_into_unit_flips(s):
    N, theta = 11, 0.4

    def of(at):
        return alternating_step(1, np.array([N]), at)

    found = flipped_difference(of, np.array([s]), np.array([theta]))[0]
    tails = [
        sum(math.comb(N, b) for b in range(N + 1) if t * s + 2 * b - N > theta) for t in (1, -1)
    ]
    assert found == pytest.approx((tails[0] - tails[1]) / 2 ** (N + 1), abs=1e-15)
    assert s != 0 or found == 0.0


def digits60(a, N, j):
    """The a-th difference of the pmf of Bin(N, 1/2) at j, to 60 digits, from whole numbers."""
    whole = sum((-1) ** (a - r) * math.comb(a, r) * math.comb(N, j + r) for r in range(a + 1))
    with decimal.localcontext(prec=60, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX):
        return decimal.Decimal(whole) / decimal.Decimal(2) ** N


@pytest.mark.parametrize(
    ("a", "N", "j"),
    [(0, 20_000, 9_900), (6, 20_000, 10_007), (7, 20_001, 9_700), (14, 20_000, 10_100), (2, 9, 4)],
)
def test_differences_of_the_pmf_have_fourteen_right_digits_of_sixty(a, N, j):
    found = float(pmf_difference(a, np.array([N]), np.array([j]))[0])
    exact = digits60(a, N, j)
    assert abs(decimal.Decimal(found) - exact) <= abs(exact) * decimal.Decimal("1e-14")


def test_subtracting_the_pmf_itself_would_not_do():
    a, N, j = 14, 20_000, 10_100
    pmf = fair_pmf(np.full(a + 1, N), j + np.arange(a + 1))
    naive = sum((-1) ** (a - r) * math.comb(a, r) * pmf[r] for r in range(a + 1))
    exact = digits60(a, N, j)
    assert abs(decimal.Decimal(float(naive)) - exact) > abs(exact)


@pytest.mark.slow
def test_at_a_million_bits_the_digits_are_right_too():
    a, N, j = 7, 666_666, 333_300
    found = float(pmf_difference(a, np.array([N]), np.array([j]))[0])
    exact = digits60(a, N, j)
    assert abs(decimal.Decimal(found) - exact) <= abs(exact) * decimal.Decimal("1e-13")


def test_the_pmf_is_a_law_and_vanishes_outside():
    for N in (0, 1, 5, 16, 17, 400):
        j = np.arange(-2, N + 3)
        pmf = fair_pmf(np.full(len(j), N), j)
        expected = [math.comb(N, i) / 2**N if 0 <= i <= N else 0.0 for i in j]
        # 1e-15 in the bulk; in the far tail the exponent, near -280 here, costs three digits.
        np.testing.assert_allclose(pmf, expected, rtol=2e-12)


def test_beside_very_large_counts_the_threshold_keeps_its_fraction():
    N = np.array([4 * 10**15])
    near, far = (alternating_ramp(1, N, np.array([theta]))[0] for theta in (0.25, 0.75))
    # d/dtheta of E[v (v + S - theta)_+] is -P(theta - 1 < S < theta + 1)/2, the atom at 0 here.
    atom = fair_pmf(N, N // 2)[0]
    assert near - far == pytest.approx(atom * 0.25, rel=1e-6)

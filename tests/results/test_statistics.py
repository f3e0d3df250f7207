"""Intervals for a probability, against SciPy's and against how often they cover."""

import math

import pytest
from scipy.stats import binomtest

from featlearn.results.statistics import clopper_pearson


@pytest.mark.parametrize("trials", [1, 2, 7, 20, 200])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_the_interval_is_that_of_scipy(trials, level):
    for successes in {0, 1, trials // 2, trials - 1, trials}:
        exact = binomtest(successes, trials).proportion_ci(confidence_level=level, method="exact")
        found = clopper_pearson(successes, trials, level)
        assert found == pytest.approx((exact.low, exact.high), abs=1e-12)


@pytest.mark.parametrize("p", [0.5, 0.9, 0.99])
def test_the_interval_covers_at_least_as_often_as_it_says(p):
    n = 40
    intervals = [clopper_pearson(k, n) for k in range(n + 1)]
    chance = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    covered = sum(c for c, (low, high) in zip(chance, intervals, strict=True) if low <= p <= high)
    assert 0.95 <= covered < 0.999

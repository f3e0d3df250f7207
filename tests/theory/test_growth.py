"""How something grows: exponents, powers of a logarithm, and intervals, in absolute numbers."""

import math

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.results.statistics import exceeds
from featlearn.theory.growth import GrowthCurve, power_beside_log, power_of_log
from featlearn.theory.strength import detectable

D = (10, 100, 1000)
POWERS = (1.0, 1.5, 3.0)
"""One seed for each; mean 11/6, spread sqrt(13/12), standard error sqrt(13)/6."""
T975 = {2: 4.302652729911275, 4: 2.7764451051977987}


def curve(powers: tuple[float, ...] = POWERS) -> GrowthCurve:
    return GrowthCurve(name="", d=D, values=np.array(D, float)[:, None] ** np.array(powers))


def test_the_exponent_is_the_mean_over_seeds_with_its_error_and_students_interval() -> None:
    slope, error = curve().exponent
    assert slope == pytest.approx(11 / 6)
    assert error == pytest.approx(math.sqrt(13) / 6)
    low, high = curve().interval or (0.0, 0.0)
    assert low == pytest.approx(11 / 6 - T975[2] * math.sqrt(13) / 6)
    assert high == pytest.approx(11 / 6 + T975[2] * math.sqrt(13) / 6)


def test_one_seed_has_an_exponent_and_no_interval() -> None:
    alone = curve((2.0,))
    assert alone.exponent[0] == pytest.approx(2.0)
    assert alone.interval is None


def test_the_local_exponent_is_that_of_the_two_largest() -> None:
    values = np.array([[1.0, 1.0], [10.0, 10.0], [1000.0, 100.0]])
    bent = GrowthCurve(name="", d=D, values=values)
    np.testing.assert_allclose(bent.local, (1.5, 0.5))


def test_a_line_in_log_d_is_found_seed_by_seed() -> None:
    d = np.array(D, float)[:, None]
    a, b = np.array([2.0, -1.0]), np.array([0.5, 3.0])
    found = GrowthCurve(name="", d=D, values=d * (a + b * np.log(d))).linear_log
    np.testing.assert_allclose(found[0], a, atol=1e-9)
    np.testing.assert_allclose(found[1], b, atol=1e-9)


def test_a_power_of_log_d_has_welchs_interval_over_the_finite_values() -> None:
    # log d doubles from 10 to 100. Logarithms to base 2: (0, 1, 2) and (3, 3, 6), means 1 and 4;
    # variances of the means 1/3 and 1, so that the degrees of freedom are (4/3)² / (1/18 + 1/2).
    values = (np.array([1.0, 2.0, 4.0, np.inf]), np.array([8.0, 8.0, np.nan, 64.0]))
    q, error, interval = power_of_log((10, 100), values)
    assert q == pytest.approx(3.0)
    assert error == pytest.approx(math.sqrt(4 / 3))
    assert interval is not None
    from scipy.stats import t

    half = t.ppf(0.975, (16 / 9) / (10 / 18)) * math.sqrt(4 / 3)
    np.testing.assert_allclose(interval, (3 - half, 3 + half))
    falling = power_of_log((100, 10), values)
    np.testing.assert_allclose(falling[:2], (-3.0, math.sqrt(4 / 3)))


@pytest.mark.parametrize(
    ("first", "second", "q"),
    [((np.inf,), (2.0, 3.0), math.nan), ((1.0, 2.0), (), math.nan), ((1.0,), (2.0, 2.0), 1.0)],
)
def test_without_two_values_on_each_side_there_is_no_interval(
    first: tuple[float, ...], second: tuple[float, ...], q: float
) -> None:
    found, error, interval = power_of_log((10, 100), (np.array(first), np.array(second)))
    assert found == pytest.approx(q, nan_ok=True)
    assert math.isnan(error)
    assert interval is None


FOUR = (10.0, 100.0, 1000.0, 10_000.0)


def test_a_power_of_d_beside_a_given_power_of_the_log_in_absolute_numbers() -> None:
    # In units of log 10 the dimensions are 1, 2, 3, 4: slopes are (-3, -1, 1, 3)/10 of the logs.
    # With q = 2 taken away the logs are 0.5 log 10 times the dimension, and ±b at the last one.
    b, log10 = 0.2, math.log(10)
    values = [np.full(2, x**0.5 * math.log(x) ** 2) for x in FOUR]
    values[3] = values[3] * np.exp([-b, b])
    found = power_beside_log(FOUR, values, log_power=2.0)
    assert found.power == pytest.approx(0.5)
    assert found.log_power == 2.0
    # Two values at ±b have the standard error b; nothing else varies, so there is one degree left.
    assert found.stderr == pytest.approx(0.3 * b / log10)
    assert found.freedom == pytest.approx(1.0)
    half = 12.706204736 * 0.3 * b / log10
    np.testing.assert_allclose(found.interval or (), (0.5 - half, 0.5 + half))


def test_errors_of_all_dimensions_add_in_squares_with_welchs_freedom() -> None:
    spread = np.array([-1.0, 0.0, 1.0])
    values = [np.log(x) * np.exp(0.1 * spread) for x in FOUR]
    found = power_beside_log(FOUR, values, log_power=1.0)
    one = 0.1 / math.sqrt(3) / math.log(10)
    shares = np.array([-0.3, -0.1, 0.1, 0.3])
    assert found.power == pytest.approx(0.0, abs=1e-12)
    assert found.stderr == pytest.approx(one * math.sqrt(0.2))
    assert found.freedom == pytest.approx(0.2**2 / ((shares**4).sum() / 2))


def test_nine_of_ten_samples_tell_a_power_of_d90_from_none(rng) -> None:
    told, trials, seeds = 0, 400, 12
    error = 0.1 / math.sqrt(seeds) * math.sqrt(0.2) / math.log(10)
    truth = detectable(error, 27)  # Welch: 0.2² / (sum of fourth powers of the shares / 11)
    for _ in range(trials):
        values = [math.log(x) * x**truth * np.exp(0.1 * rng.normal(size=seeds)) for x in FOUR]
        found = power_beside_log(FOUR, values, log_power=1.0)
        told += exceeds(found.power, found.stderr, found.freedom) <= 0.001
    assert 0.85 <= told / trials <= 0.95


def test_both_powers_are_told_apart_where_the_logarithm_bends() -> None:
    values = [np.full(3, 7 * math.log(x) ** 1.5 * x**-0.2) for x in FOUR]
    both = power_beside_log(FOUR, values)
    assert both.power == pytest.approx(-0.2)
    assert both.log_power == pytest.approx(1.5)
    wrong = power_beside_log(FOUR, values, log_power=1.0)
    assert wrong.power > -0.2  # half a power of the log, taken for a power of d


def test_dimensions_without_two_values_leave_no_error_and_none_leaves_no_power() -> None:
    values = [np.array([1.0, np.inf]), *(np.ones(2) for _ in FOUR[1:])]
    found = power_beside_log(FOUR, values, log_power=0.0)
    assert found.power == pytest.approx(0.0)
    assert found.interval is None
    assert math.isnan(found.detectable)
    values[0] = np.full(2, np.nan)
    assert math.isnan(power_beside_log(FOUR, values).power)


def test_fewer_dimensions_than_unknowns_are_refused() -> None:
    with pytest.raises(InputError, match="at least 3 dimensions"):
        power_beside_log((10.0, 100.0), [np.ones(2)] * 2)

"""How something grows: exponents, powers of a logarithm, and intervals, in absolute numbers."""

import math

import numpy as np
import pytest

from featlearn.theory.growth import GrowthCurve, power_of_log

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

"""The slope of means that contain zeros."""

import math

import numpy as np
import pytest

from featlearn.theory.estimates import slope_of_means


@pytest.mark.parametrize("power", [-0.5, 0.0, 0.7])
def test_the_slope_of_means_finds_a_power_through_zeros_within_its_error(rng, power):
    x = np.array([10.0, 20.0, 40.0, 80.0])
    y = x[:, None] ** power * rng.exponential(size=(4, 400)) * (rng.random((4, 400)) < 0.5)
    slope, error = slope_of_means(x, y)
    assert abs(slope - power) < 5 * error
    # A mean of 400 of them has a relative error of sqrt(3/400); four sizes, evenly spaced.
    assert error == pytest.approx(math.sqrt(3 / 400) / math.log(2) / math.sqrt(5), rel=0.15)


def test_sizes_at_which_nothing_is_seen_have_no_slope():
    assert math.isnan(slope_of_means(np.array([1.0, 2.0]), np.array([[1.0, 2.0], [0.0, 0.0]]))[0])


def test_two_sizes_have_a_slope_and_one_size_has_none():
    y = np.array([[1.0, 3.0], [4.0, 12.0]])
    slope, error = slope_of_means(np.array([10.0, 20.0]), y)
    assert slope == pytest.approx(2.0)
    # Each mean has the relative error sqrt(2)/sqrt(2)/2 = 1/2, and log 20 - log 10 = log 2.
    assert error == pytest.approx(math.sqrt(0.5) / math.log(2))
    assert math.isnan(slope_of_means(np.array([10.0, 10.0]), y)[0])

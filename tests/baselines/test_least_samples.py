"""The least sample against kernel ridge regression written out in NumPy."""

import math

import jax
import numpy as np
import pytest

from featlearn.baselines import polynomial
from featlearn.baselines.least_samples import least_samples
from featlearn.distributions import Parity

LAW, RIDGE = Parity(d=8, k=2), 1e-3


@pytest.fixture(scope="module")
def points():
    return LAW.sample(400, key=jax.random.key(0))


@pytest.fixture(scope="module")
def test_points():
    return LAW.sample(500, key=jax.random.key(1))


def accuracy(points, test, n):
    """The accuracy of ridge regression with (x.z + 1)^2 on the first n points."""
    x, y, z = (np.asarray(part, float) for part in (points.x[:n], points.y[:n], test.x))
    kernel = (x @ x.T + 1) ** 2
    dual = np.linalg.solve(kernel + 2 * RIDGE * np.diag(kernel).mean() * np.eye(n), y)
    return np.mean(np.asarray(test.y) * ((z @ x.T + 1) ** 2 @ dual) > 0)


@pytest.mark.parametrize("level", [0.75, 0.95])
def test_so_many_points_suffice_and_a_little_fewer_do_not(points, test_points, level):
    found = least_samples(
        polynomial(2), points, test_points, level=level, ridge=RIDGE, low=2, start=10
    )
    assert accuracy(points, test_points, int(found)) >= level
    fewer = range(math.floor(found / 1.05), int(found))
    assert any(accuracy(points, test_points, n) < level for n in fewer)


def test_where_all_points_do_not_suffice_there_is_no_number(points, test_points):
    few = type(points)(x=points.x[:12], y=points.y[:12])
    found = least_samples(polynomial(2), few, test_points, level=0.95, ridge=RIDGE, low=2, start=10)
    assert math.isnan(found)

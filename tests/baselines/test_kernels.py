"""Kernels that know no network, against scikit-learn's and against their limits."""

import re

import numpy as np
import pytest
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from featlearn.baselines import Family, cosine_features, features, gram, linear, polynomial, rbf
from featlearn.baselines import family as module


def test_rbf_and_polynomial_kernels_are_those_of_scikit_learn(rng):
    x, z = rng.normal(size=(9, 4)), rng.normal(size=(7, 4))
    np.testing.assert_allclose(gram(rbf(0.3), x, z), rbf_kernel(x, z, gamma=0.3), rtol=1e-9)
    np.testing.assert_allclose(
        gram(polynomial(3, offset=0.5), x, z),
        polynomial_kernel(x, z, degree=3, gamma=1.0, coef0=0.5),
        rtol=1e-9,
        atol=1e-12,
    )


@pytest.mark.parametrize("intercept", [False, True])
def test_the_linear_kernel_is_the_product_of_its_features(intercept, rng):
    x = rng.normal(size=(5, 3))
    phi = features(linear(3, intercept=intercept), x)
    assert phi.shape == (5, 3 + intercept)
    np.testing.assert_allclose(gram(linear(3, intercept=intercept), x, x), phi @ phi.T, rtol=1e-12)


def test_random_cosines_tend_to_the_rbf_kernel(key, rng):
    x, N = rng.normal(size=(6, 3)), 40_000
    K = gram(cosine_features(3, N, sd=0.8**0.5, key=key), x, x)
    # Each entry is a mean of N terms of sd at most 1: five standard errors; a gamma off by a tenth
    # would miss by up to 0.1/e = 0.037, and the bound is 0.025.
    assert np.abs(K - gram(rbf(0.4), x, x)).max() < 5 / np.sqrt(N)


def test_slices_do_not_change_a_kernel(monkeypatch, rng):
    x, z = rng.normal(size=(11, 3)), rng.normal(size=(4, 3))
    whole = gram(rbf(0.2), x, z)
    monkeypatch.setattr(module, "SLICE_BYTES", 3 * 8 * 4)
    np.testing.assert_allclose(gram(rbf(0.2), x, z), whole, rtol=1e-14)


def test_a_kernel_alone_has_no_features():
    message = (
        "features('rbf(1)'): expected a family with finitely many features, got a kernel only. "
        "Use `gram`, or `kernel_factor` for features of the sample alone."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        features(rbf(1.0), np.ones((2, 2)))


def test_features_without_their_dimension_are_refused():
    message = (
        "Family('x'): expected features together with their dimension, or neither, "
        "got dimension=None."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Family(name="x", kernel=lambda x, z: x @ z.T, features=lambda x: x)

"""Products of images against the enumeration of all combinations."""

import itertools

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Distribution
from featlearn.distributions.images import Products, digit_products, load

FEW = Products(
    pixels=jnp.array([[0, 255], [51, 0], [102, 204], [255, 255]], jnp.uint8),
    signs=jnp.array([1.0, -1.0, 1.0, 1.0]),
    k=3,
)


def all_points() -> tuple[np.ndarray, np.ndarray]:
    """Every one of the 4^3 combinations, all equally likely."""
    pixels, signs = np.asarray(FEW.pixels) / 255, np.asarray(FEW.signs)
    chosen = np.array(list(itertools.product(range(4), repeat=3)))
    return pixels[chosen].reshape(len(chosen), -1), signs[chosen].prod(axis=1)


def test_the_closed_forms_are_means_over_all_combinations():
    x, y = all_points()
    assert FEW.label_mean == pytest.approx(y.mean())
    assert FEW.chance == pytest.approx(max((y > 0).mean(), (y < 0).mean()))
    np.testing.assert_allclose(FEW.label_correlations(), (x * y[:, None]).mean(axis=0))


def test_samples_are_the_combinations_with_their_labels_all_equally_often(key):
    x, y = all_points()
    m = 16_000
    batch = FEW.sample(m, key=key)
    assert isinstance(FEW, Distribution)
    assert batch.x.shape == (m, FEW.d)
    same = np.abs(np.asarray(batch.x)[:, None] - x[None]).max(axis=2) < 1e-6
    assert bool((same.sum(axis=1) == 1).all())
    which = same.argmax(axis=1)
    np.testing.assert_array_equal(batch.y, y[which])
    # Five standard errors of a share of 1/64 are 0.005: an image left out would give 0.
    np.testing.assert_allclose(np.bincount(which, minlength=64) / m, 1 / 64, atol=0.005)


def test_even_digits_count_plus_one():
    digits = load("digits", "test")
    law = digit_products(digits, k=2)
    assert law.d == 2 * 64
    np.testing.assert_array_equal(law.signs, np.where(digits.labels % 2 == 0, 1.0, -1.0))


def test_a_product_of_no_images_is_refused():
    message = "Products.k.: expected at least 1 image a point, got 0."
    with pytest.raises(InputError, match=f"^{message}$"):
        Products(pixels=FEW.pixels, signs=FEW.signs, k=0)

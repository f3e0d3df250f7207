"""Smoothed activations against quadrature, Monte Carlo, their limit and their own derivative."""

import itertools
import math
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.networks import ACTIVATIONS, RELU, Activation, activation

WIDTHS = (0.01, 0.3, 1.0, 4.0)
PLACES = np.array([-7.0, -1.0, -0.2, 0.0, 0.1, 0.5, 1.0, 1.3, 5.9, 6.0, 6.4, 12.0])
KINKS = np.array([0.0, 1.0, 6.0])
INDEPENDENT = {
    "relu": lambda z: np.where(z > 0, z, 0.0),
    "relu6": lambda z: np.minimum(np.where(z > 0, z, 0.0), 6.0),
    "truncated": lambda z: np.minimum(np.where(z > 0, z, 0.0), 1.0),
    "quadratic": lambda z: z * z,
}


def average(function, z, r):
    """E function(z + xi) by Gauss-Legendre on pieces that end at the kinks; |xi| <= 10 r."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    cuts = np.unique(
        np.clip([z - 10 * r, z - 3 * r, z, z + 3 * r, z + 10 * r, *KINKS], z - 10 * r, z + 10 * r)
    )
    total = 0.0
    for low, high in itertools.pairwise(cuts):
        at = (low + high) / 2 + (high - low) / 2 * nodes
        density = np.exp(-(((at - z) / r) ** 2) / 2) / (r * math.sqrt(2 * math.pi))
        total += (high - low) / 2 * np.sum(weights * density * function(at))
    return total


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_table_covers_every_activation_and_agrees_with_it(name):
    assert set(INDEPENDENT) == set(ACTIVATIONS)
    z = np.linspace(-8, 8, 65)
    np.testing.assert_array_equal(ACTIVATIONS[name].value(jnp.asarray(z)), INDEPENDENT[name](z))


@pytest.mark.parametrize("r", WIDTHS)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_smoothing_is_the_gaussian_average_of_value_and_slope(name, r):
    s = ACTIVATIONS[name]
    with jax.enable_x64(True):
        value, slope = s.smoothed(jnp.asarray(PLACES), r)
        slope_of = lambda z: np.asarray(s.derivative(jnp.asarray(z)))  # noqa: E731
        truth = [average(INDEPENDENT[name], z, r) for z in PLACES]
        true_slope = [average(slope_of, z, r) for z in PLACES]
    # Quadrature of smooth pieces: 1e-13 relative to values of up to 160.
    np.testing.assert_allclose(value, truth, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(slope, true_slope, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_smoothing_is_what_noise_does_on_average(name, rng):
    m, r, z = 100_000, 0.7, 0.4
    s = ACTIVATIONS[name]
    drawn = INDEPENDENT[name](z + r * rng.standard_normal(m))
    value, _ = s.smoothed(jnp.asarray(z), r)
    # Five standard errors of the draws themselves, about 0.002 times 5. Power: r^2 in place of r
    # moves the value of relu by 0.06, and of the quadratic by 0.25.
    assert abs(float(value) - drawn.mean()) < 5 * drawn.std() / math.sqrt(m)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_without_noise_the_activation_itself_remains(name):
    s, r = ACTIVATIONS[name], 1e-6
    with jax.enable_x64(True):
        z = jnp.asarray(PLACES)
        value, slope = s.smoothed(z, r)
        # At a kink the value is off by r/sqrt(2 pi); elsewhere by less than 1e-12.
        np.testing.assert_allclose(value, s.value(z), rtol=1e-12, atol=r)
        smooth = np.abs(PLACES[:, None] - KINKS).min(axis=1) > 10 * r
        np.testing.assert_allclose(slope[smooth], s.derivative(z)[smooth], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("r", WIDTHS)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_smoothed_slope_is_the_slope_of_the_smoothed_value(name, r):
    s = ACTIVATIONS[name]
    with jax.enable_x64(True):
        z = jnp.asarray(PLACES)
        by_jax = jax.vmap(jax.grad(lambda each: s.smoothed(each, r)[0]))(z)
        np.testing.assert_allclose(s.smoothed(z, r)[1], by_jax, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", ["relu", "relu6", "truncated"])
def test_hinges_add_up_to_the_activation(name):
    z = np.linspace(-8, 8, 65)
    sum_of_hinges = sum(c * np.maximum(z - k, 0) for c, k in ACTIVATIONS[name].hinges)
    np.testing.assert_array_equal(sum_of_hinges, INDEPENDENT[name](z))


def test_any_piecewise_linear_activation_can_be_smoothed():
    ramp = Activation(
        name="ramp",
        value=lambda z: jnp.clip(2 * z, 0, 2),
        derivative=lambda z: jnp.where((z > 0) & (z < 1), 2.0, 0.0),
        hinges=((2.0, 0.0), (-2.0, 1.0)),
    )
    value, slope = ramp.smoothed(jnp.asarray(0.3), 0.5)
    # float32.
    assert float(value) == pytest.approx(
        average(lambda z: np.clip(2 * z, 0, 2), 0.3, 0.5), rel=1e-5
    )
    assert 0 < float(slope) < 2


def test_any_elementwise_function_becomes_an_activation():
    s = activation(jnp.tanh)
    z = jnp.linspace(-2, 2, 9)
    np.testing.assert_array_equal(s.value(z), jnp.tanh(z))
    # float32.
    np.testing.assert_allclose(s.derivative(z), 1 - np.tanh(np.asarray(z)) ** 2, atol=1e-6)
    assert s == activation(jnp.tanh)
    assert hash(s) == hash(activation(jnp.tanh))
    assert activation(RELU) is activation("relu") is RELU


REFUSED = {
    "activation: expected one of 'relu', 'relu6', 'truncated', 'quadratic', got 'gelu'.": (
        lambda: activation("gelu")
    ),
    "Activation('tanh').smoothed: expected a piecewise-linear or quadratic activation, got tanh. "
    "Use relu, relu6, truncated or quadratic, or train without smoothing.": (
        lambda: activation(jnp.tanh).smoothed(jnp.zeros(1), 1.0)
    ),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_is_not_there_is_refused_in_words(sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        REFUSED[sentence]()

"""`smallest_zeta` against bisection on the definition itself; `clean_gradient` against loops."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import Parity
from featlearn.measurements import clean_gradient, signal_parts, smallest_zeta
from featlearn.networks import Gaussian, Params, TwoLayer
from featlearn.training import gradient, loss

MU = np.array([[1.0, -1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]])


def is_heavy(w, a, zeta, H):
    """Definition 4.2, first clause, as it is written."""
    first = w @ MU[0] / 2
    second = w @ MU[1] / 2
    own, other = np.where(a >= 0, first, second), np.where(a >= 0, second, first)
    signal, opposite = math.sqrt(2) * abs(own), math.sqrt(2) * abs(other)
    perp = np.linalg.norm(w[:, 2:], axis=1)
    S = math.exp(6 * H) * perp + opposite <= zeta * signal
    margins = []
    for mu, serves in ((MU[0], a >= 0), (-MU[0], a >= 0), (MU[1], a < 0), (-MU[1], a < 0)):
        on = S & serves & (own * np.sign(mu[0]) > 0)
        margins.append(np.mean(on * abs(a) * np.maximum(w @ mu, 0)))
    return np.mean(~S * (w**2).sum(axis=1)) <= zeta * min(margins)


@pytest.mark.parametrize("H", [0.0, 0.1])
def test_the_smallest_zeta_is_where_bisection_ends(H, rng):
    w = rng.normal(size=(40, 4)) * np.array([1, 1, 0.1, 0.1])
    a = rng.choice([-1.0, 1.0], 40) * np.linalg.norm(w, axis=1) * 2  # so that E a^2 is no clause
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if is_heavy(w, a, middle, H) else (middle, high)
    parts = signal_parts(*(jnp.asarray(v, jnp.float32) for v in (w, a, MU[0], MU[1])))
    found = float(smallest_zeta(parts, jnp.asarray(a, jnp.float32), H))
    assert found == pytest.approx(high, rel=1e-4)


def test_without_neurons_at_some_centre_no_zeta_will_do():
    w, a = jnp.array([[1.0, -1.0, 0.1, 0.0]]), jnp.array([1.0])
    parts = signal_parts(w, a, *jnp.asarray(MU))
    assert math.isinf(float(smallest_zeta(parts, a, 0.0)))


def test_the_clean_gradient_is_the_mean_of_its_terms(key):
    d, p = 5, 3
    network = TwoLayer(d=d, width=p, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="mean-field")
    params, xor = network.init(key=key), Parity(d=d)
    cube = xor.support()
    found = clean_gradient(network, loss("doubled-logistic"), params, cube, xor)
    w, a = np.asarray(params.w, float), np.asarray(params.a, float)
    want_w, want_a = np.zeros((p, d)), np.zeros(p)
    for x, y in zip(np.asarray(cube.x, float), np.asarray(cube.y, float), strict=True):
        z = np.where(np.arange(d) < 2, x, 0)
        f = np.maximum(w @ z, 0) @ a / p
        pull = -2 * y / (1 + math.exp(y * f))
        on = (w @ x > 0).astype(float)
        want_w += pull * (a * on)[:, None] * x / p / 2**d
        want_a += pull * np.maximum(w @ x, 0) / p / 2**d
    np.testing.assert_allclose(found.w, want_w, atol=1e-6)
    np.testing.assert_allclose(found.a, want_a, atol=1e-6)


def test_without_noise_coordinates_in_the_network_clean_and_true_gradients_agree_in_the_plane(key):
    network = TwoLayer(d=4, width=5, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="mean-field")
    drawn, xor = network.init(key=key), Parity(d=4)
    params = Params(w=drawn.w.at[:, 2:].set(0), a=drawn.a)
    of, cube = loss("doubled-logistic"), xor.support()
    clean, true = (
        clean_gradient(network, of, params, cube, xor),
        gradient(network, of, params, cube),
    )
    np.testing.assert_allclose(clean.w, true.w, atol=1e-6)
    np.testing.assert_allclose(clean.a, true.a, atol=1e-6)


def test_a_part_that_is_not_trained_has_no_clean_gradient():
    law = Gaussian(sd=1.0)
    network = TwoLayer(d=3, width=2, w=law, a=law, trained=("w",), scaling="mean-field")
    xor = Parity(d=3)
    params = network.init(key=jax.random.key(0))
    clean = clean_gradient(network, loss("logistic"), params, xor.support(), xor)
    assert not clean.a.any()
    assert clean.w.any()

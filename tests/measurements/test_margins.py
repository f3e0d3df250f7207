"""Margins and what heavy neurons carry, against a plain loop over neurons and centres."""

import re

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Parity, rotation
from featlearn.measurements import Margins
from featlearn.networks import Gaussian, Params, TwoLayer
from featlearn.training import LOSSES

D, P, RHO = 5, 60, 0.5
NETWORK = TwoLayer(d=D, width=P, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="mean-field")
LOSS = LOSSES["doubled-logistic"]


@pytest.fixture
def params(rng):
    w = rng.normal(size=(P, D)) * [3.0, 3.0, 0.5, 0.5, 0.5]
    return Params(w=jnp.asarray(w, jnp.float32), a=jnp.asarray(rng.normal(size=P), jnp.float32))


def measured(parity, params, key, rho=RHO):
    return Margins(law=parity, network=NETWORK, loss=LOSS, rho=rho).measure(params, key=key)


@pytest.mark.parametrize("rotated", [False, True])
def test_margins_are_those_of_a_plain_loop(rotated, params, key):
    parity = Parity(d=D, basis=rotation(D, key=key) if rotated else None)
    w, a = np.asarray(params.w, float), np.asarray(params.a, float)
    if rotated:
        w = w @ np.asarray(parity.basis, float)
        params = Params(w=jnp.asarray(w, jnp.float32), a=params.a)
    got = measured(parity, params, key)
    mu = np.asarray(parity.means, float)
    labels = [1.0, 1.0, -1.0, -1.0]
    gamma, carried, heavy = np.zeros(4), np.zeros(4), 0
    for j in range(P):
        own, other = (0, 2) if a[j] >= 0 else (2, 0)
        signal = (w[j] @ mu[own] / 2) * mu[own]
        opposite = (w[j] @ mu[other] / 2) * mu[other]
        orthogonal = w[j] - signal - opposite
        length = np.linalg.norm
        is_heavy = length(orthogonal) + length(opposite) <= RHO * length(signal)
        heavy += is_heavy
        for c in range(4):
            active = max(w[j] @ mu[c], 0)
            gamma[c] += labels[c] * a[j] * active / P
            if is_heavy and signal @ mu[c] > 1e-3:  # 0 up to float32 for the other pair
                carried[c] += labels[c] * a[j] * active / P
    # float32 means of sixty terms of size one.
    np.testing.assert_allclose(got["gamma"], gamma, atol=1e-5)
    np.testing.assert_allclose(got["gamma_heavy"], carried, atol=1e-5)
    np.testing.assert_allclose(got["g"], 2 / (1 + np.exp(gamma)), atol=1e-5)
    assert float(got["heavy_share"]) == pytest.approx(heavy / P)
    assert 0.1 < heavy / P < 0.9


def test_heavy_neurons_carry_a_positive_margin_at_every_centre(params, key):
    carried = np.asarray(measured(Parity(d=D), params, key)["gamma_heavy"])
    # y(mu) a is |a| there; without y(mu), as printed, the last two would be negative.
    assert np.all(carried > 0)


def test_when_every_neuron_is_pure_signal_all_of_the_margin_is_heavy(key):
    parity = Parity(d=D)
    mu1, mu2 = parity.means[0], parity.means[2]
    params = Params(w=jnp.stack([mu1, -mu1, mu2, -mu2]), a=jnp.array([1.0, 1.0, -1.0, -1.0]))
    network = TwoLayer(d=D, width=4, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="mean-field")
    got = Margins(law=parity, network=network, loss=LOSS).measure(params, key=key)
    # One neuron of four sees each centre, with w.mu = 2.
    np.testing.assert_allclose(got["gamma"], 0.5, rtol=1e-6)
    np.testing.assert_allclose(got["gamma_heavy"], 0.5, rtol=1e-6)
    assert float(got["heavy_share"]) == 1.0


def test_a_parity_without_four_centres_is_refused_in_words():
    sentence = "Margins(law): expected a parity of k = 2 directions, got k = 1."
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        Margins(law=Parity(d=D, k=1), network=NETWORK, loss=LOSS)

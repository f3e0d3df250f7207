"""Weights on bits and learned terms, on networks solved by hand."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import featlearn as fl
from featlearn.distributions import Boolean, rotation
from featlearn.measurements.bit_parts import BitParts, LearnedTerms, recorded_output
from featlearn.networks import RELU, Gaussian, Params, TwoLayer, Uniform


def net(d, width):
    return TwoLayer(
        d=d, width=width, w=Gaussian(sd=1.0), a=Uniform(bound=1.0), scaling="mean-field"
    )


def test_a_neuron_is_split_into_bits_and_the_rest(key):
    law = Boolean(d=4, target="x1*x2", relevant=(2, 0))
    w = jnp.array([[1.0, 3.0, 2.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
    found = BitParts(law=law).measure(Params(w=w, a=jnp.ones(2)), key=key)
    np.testing.assert_allclose(found["u"], [[2.0, 1.0], [0.0, 0.0]])
    np.testing.assert_allclose(found["outside"], [5.0, 0.0])
    np.testing.assert_allclose(found["on_bit"], [np.sqrt(2), np.sqrt(0.5)], rtol=1e-6)
    assert float(found["on_others"]) == pytest.approx(np.sqrt(12.5 / 2), rel=1e-6)


def test_the_parts_do_not_see_a_rotation(key):
    law = Boolean(d=6, target="x1*x2 + x3")
    Q = rotation(6, key=key)
    params = net(6, 3).init(key=key)
    turned = Params(w=params.w @ Q, a=params.a)
    one = BitParts(law=law).measure(params, key=key)
    other = BitParts(law=dataclasses.replace(law, basis=Q)).measure(turned, key=key)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-5), one, other)


def test_a_linear_network_has_learned_the_linear_terms(key):
    """relu(z) - relu(-z) = z: f = 2 x1 - x2, and nothing of x1*x2."""
    law = Boolean(d=5, target="x1 + x2 + x1*x2")
    eye = jnp.eye(2, 5)
    params = Params(w=jnp.concatenate([eye, -eye]), a=4 * jnp.array([2.0, -1.0, -2.0, 1.0]))
    found = LearnedTerms(samples=40_000, law=law, network=net(5, 4)).measure(params, key=key)
    # Five standard errors of sqrt(5/40000).
    np.testing.assert_allclose(found["learned"], [2.0, -1.0, 0.0], atol=0.06)


def test_the_recorded_output_is_the_mean_over_the_noise(key):
    law = fl.Boolean(d=30, target="x1 + x1*x2", noise="gaussian")
    how = fl.SGD(eta=0.1, batch=50, steps=3, loss=fl.squared)
    ex = fl.Experiment(law, net(30, 6), how, record=[BitParts(), fl.Weights()], at=[0, 3])
    data = fl.run(ex, seeds=2).dataset
    found = recorded_output(data, RELU)
    assert found.shape == (2, 2, 4)
    w, a = (data[name].sel(seed=1, step=3).values for name in ("weights_w", "a"))
    x = np.array(jax.random.normal(key, (200_000, 30)))
    x[:, :2] = [1.0, -1.0]
    f = np.maximum(x @ w.T, 0) @ a / 6
    place = 1  # corner (+1, -1): bit 1 changes fastest
    assert found[1, 1, place] == pytest.approx(f.mean(), abs=5 * f.std() / np.sqrt(200_000))

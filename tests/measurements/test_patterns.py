"""Cosine, signal and background of neurons, and accuracy on the sample, against cases by hand."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._streams import stream
from featlearn.distributions import mixture, rotation
from featlearn.measurements import Coverage, OnSample, PatternParts, components, cosines
from featlearn.networks import TRUNCATED, Gaussian, Params, TwoLayer
from featlearn.training import Sample, loss
from featlearn.training.data import fixed_points


def test_a_neuron_along_the_feature_has_cosine_one_however_short_it_is(key):
    law = mixture(d=6, dictionary=5, k=2)
    w = jnp.stack([1e-25 * law.direction, -3 * law.direction, jnp.zeros(6)])
    np.testing.assert_allclose(cosines(w, law.direction), [1, -1, 0], atol=1e-6)
    seen = PatternParts(law=law).measure(Params(w=w, a=jnp.ones(3)), key=key)
    assert float(seen["cos"]) == pytest.approx(1)


def test_signal_and_background_are_the_components_on_the_patterns(key):
    M = rotation(6, key=key)[:, :5]
    law = mixture(d=6, dictionary=5, k=2, matrix=M)
    q = jnp.array([[1.0, 3.0, 0.5, 0.0, -0.5], [0.0, 0.0, 1.0, 1.0, 1.0]])
    seen = PatternParts(law=law).measure(Params(w=q @ M.T, a=jnp.ones(2)), key=key)
    np.testing.assert_allclose(components(q @ M.T, law), q, atol=1e-5)
    np.testing.assert_allclose(seen["signal"], [2, 0], atol=1e-5)
    np.testing.assert_allclose(seen["background"], [np.sqrt(0.5 / 3), 1], rtol=1e-5)
    np.testing.assert_allclose(seen["signal_to_noise"], [2 / np.sqrt(0.5 / 3), 0], atol=1e-4)


def test_the_sample_that_is_judged_is_the_one_that_training_draws(key):
    law = mixture(d=8, dictionary=7, k=3)
    normal = Gaussian(sd=1.0)
    network = TwoLayer(
        d=8, width=4, w=normal, a=normal, b=normal, activation=TRUNCATED, scaling="mean-field"
    )
    params = network.init(key=key)
    points = fixed_points(Sample(samples=2500), law, key=stream(3, "sample"))
    assert points is not None
    right = np.asarray(points.y * network.forward(params, points.x) > 0)
    for judged in (None, 700):
        measurement = OnSample(
            law=law, network=network, loss=loss("hinge"), samples=2500, judged=judged
        )
        seen = measurement.measure(params, key=stream(3, "sample"))
        assert float(seen["train_accuracy"]) == pytest.approx(right[:judged].mean(), abs=1e-6)


def test_a_centre_is_covered_by_a_neuron_that_points_to_it(key):
    centres = jnp.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    coverage = Coverage(centres=centres, labels=jnp.array([1.0, -1.0, 1.0]), near=0.9)
    params = Params(w=jnp.array([[2.0, 2.0], [3.0, -3.0]]), a=jnp.array([1.0, 1.0]))
    seen = jax.jit(lambda p: coverage.measure(p, key=key))(params)
    assert float(seen["covered"]) == pytest.approx(2 / 3)
    assert float(seen["same_sign"]) == pytest.approx(2 / 3)
    np.testing.assert_allclose(seen["nearest"], [1, 1, 0], atol=1e-6)

"""Margins of clean and flipped points, the ratio of pulls to full accuracy, and alignment."""

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import Clusters
from featlearn.measurements import SampleMargins, alignments, log_pull_ratio
from featlearn.networks import Gaussian, Params, TwoLayer

D = 5
NETWORK = TwoLayer(d=D, width=4, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="one")


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 20.0, 80.0])
def test_the_ratio_of_pulls_is_that_of_float64(rng, scale):
    margins = (scale * rng.normal(size=50)).astype(np.float32).astype(float)
    low, high = margins.min(), margins.max()
    exact = np.logaddexp(0, high) - np.logaddexp(0, low)
    if scale < 1e-3:  # where float64 itself loses digits: its series, the next term is scale^2
        exact = (high - low) / 2
    found = float(log_pull_ratio(jnp.asarray(margins, jnp.float32)))
    assert found == pytest.approx(exact, rel=1e-4)


def test_margins_are_the_least_of_clean_and_of_flipped_points(key):
    law = Clusters(d=D, sigma=0.4, flips=0.3)
    params = NETWORK.init(key=key)
    seen = SampleMargins(law=law, network=NETWORK, samples=60).measure(params, key=key)
    draw = law.draw(60, key=key)
    margin = np.asarray(draw.y * NETWORK.forward(params, draw.x))
    noisy = np.asarray(draw.noisy)
    assert float(seen["clean_margin"]) == pytest.approx(margin[~noisy].min(), rel=1e-5)
    assert float(seen["flipped_margin"]) == pytest.approx(margin[noisy].min(), rel=1e-5)
    assert float(seen["train_accuracy"]) == pytest.approx((margin > 0).mean())


def test_a_neuron_that_prefers_no_direction_has_alignment_one_half():
    w = 1e-30 * jnp.array([[1.0, 1.0], [2.0, 0.0], [2.0, 0.0]])
    assert alignments(w, jnp.array([1.0, 1.0, -1.0]), jnp.eye(2)).tolist() == [0.5, 1.0, 0.0]
    still = Params(w=jnp.zeros((2, 2)), a=jnp.ones(2))
    assert alignments(still.w, still.a, jnp.eye(2)).tolist() == [0.5, 0.5]

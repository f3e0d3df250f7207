"""What a neuron has made of the relevant bits, in cases solved by hand."""

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import LeakyParity
from featlearn.measurements import GradientError, HeldOut, Relevance, relevant_parts
from featlearn.networks import RELU6, Constant, Gaussian, Params, TwoLayer
from featlearn.training import loss


def test_the_kink_is_where_the_neuron_switches_on(key):
    # c (z / sqrt d) + b with d = 16, c = 2, b = -1/2 crosses 0 at z = 1.
    params = Params(w=jnp.zeros((1, 16)).at[0, :3].set(2.0), a=jnp.ones(1), b=jnp.array([-0.5]))
    seen = Relevance(law=LeakyParity(d=16, k=3)).measure(params, key=key)
    assert float(seen["kink"][0]) == pytest.approx(1.0)
    assert float(seen["on_A"][0]) == 2.0
    assert float(seen["spread_on_A"][0]) == float(seen["outside_A"][0]) == 0.0


def test_neither_length_nor_sign_changes_the_cosine(rng):
    w = jnp.asarray(rng.normal(size=(5, 9)))
    one, two = relevant_parts(w, (1, 4, 8)), relevant_parts(-7 * w, (1, 4, 8))
    np.testing.assert_allclose(one.cos, two.cos, rtol=1e-5)
    assert float(relevant_parts(jnp.zeros((1, 9)), (0,)).cos[0]) == 0.0


def test_the_error_of_a_gradient_falls_as_the_root_of_the_batch(key):
    law = LeakyParity(d=12, k=3)
    network = TwoLayer(
        d=12,
        width=20,
        w=Gaussian(sd=1.0),
        a=Gaussian(sd=0.1),
        b=Constant(value=0.1),
        activation=RELU6,
        scaling="one",
    )
    params = network.init(key=key)
    small, large = (
        float(
            GradientError(law=law, network=network, loss=loss("hinge"), batch=m).measure(
                params, key=key
            )["gradient_error"]
        )
        for m in (100, 10_000)
    )
    # The norm of some 300 noisy coordinates is within a tenth of its mean, or a fifth of the ratio.
    assert small / large == pytest.approx(10, rel=0.4)


def test_held_out_points_of_a_half_have_a_name_of_their_own():
    law = LeakyParity(d=5, k=3)
    network = TwoLayer(d=5, width=2, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="mean-field")
    half = HeldOut(
        law=law.of_half("leaky"),
        network=network,
        loss=loss("hinge"),
        samples=5,
        name="leaky",
    )
    assert list(half.quantities) == ["leaky_loss", "leaky_accuracy"]

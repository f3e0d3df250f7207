"""Held-out loss and accuracy against a plain evaluation of the very same points."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import Batch, Parity
from featlearn.measurements import HeldOut, held_out
from featlearn.networks import Constant, Gaussian, TwoLayer
from featlearn.training import LOSSES

D, WIDTH = 4, 6
NETWORK = TwoLayer(d=D, width=WIDTH, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="one")


@pytest.mark.parametrize(("samples", "slices"), [(3, 1), (4, 1), (12, 3), (13, 4), (15, 4)])
def test_slices_add_up_to_a_plain_evaluation_of_exactly_so_many_points(
    samples, slices, key, monkeypatch
):
    monkeypatch.setattr(held_out, "SLICE_BYTES", 4 * WIDTH * 4)  # four points of the wide layer
    parity, params = Parity(d=D), NETWORK.init(key=key)
    got = HeldOut(law=parity, network=NETWORK, loss=LOSSES["hinge"], samples=samples).measure(
        params, key=key
    )
    size = min(samples, 4)
    drawn = [parity.sample(size, key=jax.random.fold_in(key, i)) for i in range(slices)]
    x, y = (np.concatenate([getattr(each, name) for each in drawn])[:samples] for name in "xy")
    f = np.maximum(x @ np.asarray(params.w).T, 0) @ np.asarray(params.a)
    # float32 means of up to fifteen terms.
    assert float(got["test_loss"]) == pytest.approx(np.maximum(1 - y * f, 0).mean(), rel=1e-5)
    assert float(got["test_accuracy"]) == pytest.approx((y * f > 0).mean())


def test_an_output_of_zero_is_an_error(key):
    silent = TwoLayer(d=D, width=2, w=Gaussian(sd=1.0), a=Constant(value=0.0), scaling="mean-field")
    got = HeldOut(law=Parity(d=D), network=silent, loss=LOSSES["hinge"], samples=10).measure(
        silent.init(key=key), key=key
    )
    assert float(got["test_accuracy"]) == 0.0
    assert float(got["test_loss"]) == 1.0


def test_the_points_left_over_in_the_last_slice_do_not_count_even_if_infinite(key, monkeypatch):
    monkeypatch.setattr(held_out, "SLICE_BYTES", 4 * WIDTH * 4)

    class LastPointsBad:
        d = D

        def sample(self, m, *, key):
            return Batch(x=jnp.full((m, D), jnp.inf).at[:2].set(1.0), y=jnp.ones(m))

    got = HeldOut(law=LastPointsBad(), network=NETWORK, loss=LOSSES["logistic"], samples=2).measure(
        NETWORK.init(key=key), key=key
    )
    assert np.isfinite(got["test_loss"])


def test_the_same_key_gives_the_same_points(key):
    one = HeldOut(law=Parity(d=D), network=NETWORK, loss=LOSSES["hinge"], samples=50)
    params = NETWORK.init(key=key)
    jax.tree.map(
        np.testing.assert_array_equal, one.measure(params, key=key), one.measure(params, key=key)
    )

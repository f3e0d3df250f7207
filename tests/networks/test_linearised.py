"""The tangent model against its definition."""

import jax
import jax.numpy as jnp
import numpy as np

from featlearn.networks import Expansion, FoldedGaussian, Gaussian, Linearised, TwoLayer


def a_network(d: int = 5) -> TwoLayer:
    normal = Gaussian(sd=1.0)
    return TwoLayer(d=d, width=6, w=normal, a=normal, b=normal, scaling="one")


def test_the_move_is_multiplied_by_the_slope_of_the_network(key):
    with jax.enable_x64(True):
        network = a_network()
        at = network.init(key=key)
        x = jax.random.normal(jax.random.key(1), (7, 5))
        move = network.init(key=jax.random.key(2))
        tangent = Linearised(network=network).forward(Expansion(at=at, move=move), x)
        step = 1e-6
        ahead = network.forward(jax.tree.map(lambda p, v: p + step * v, at, move), x)
        behind = network.forward(jax.tree.map(lambda p, v: p - step * v, at, move), x)
        slope = (ahead - behind) / (2 * step)
        np.testing.assert_allclose(tangent, network.forward(at, x) + slope, rtol=1e-5, atol=1e-6)


def test_folding_keeps_the_first_columns_and_the_norm_of_the_rest(key):
    full = Gaussian(sd=2.0).draw((3, 10), key=key)
    folded = FoldedGaussian(sd=2.0, d=10).draw((3, 5), key=key)
    np.testing.assert_array_equal(folded[:, :4], full[:, :4])
    np.testing.assert_allclose(folded[:, 4], jnp.linalg.norm(full[:, 4:], axis=1), rtol=1e-6)

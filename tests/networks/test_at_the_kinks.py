"""Ties and kinks, where two formulas that agree elsewhere part, and sizes in absolute numbers."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.networks import (
    ACTIVATIONS,
    Constant,
    FoldedGaussian,
    Gated,
    Gaussian,
    TwoLayer,
)
from featlearn.networks.fully_connected import ClassParams, FullyConnected
from featlearn.networks.gated import GatedParams

STEP = 2.0**-20
ONE = Constant(value=1.0)


@pytest.mark.parametrize(
    ("name", "at", "below", "on", "above"),
    [
        ("relu", 0.0, 0, 0, 1),
        ("relu6", 0.0, 0, 0, 1),
        ("relu6", 6.0, 1, 0, 0),
        ("truncated", 0.0, 0, 0, 1),
        ("truncated", 1.0, 1, 0, 0),
    ],
)
def test_the_slope_on_a_kink_is_zero(name, at, below, on, above):
    z = jnp.array([at - STEP, at, at + STEP])
    assert ACTIVATIONS[name].derivative(z).tolist() == [below, on, above]


def test_a_gate_on_its_boundary_is_closed():
    # x is 1: g.x = -1, 0, 1; w.x + b = 5, 7, 11; a = 1, 10, 100.
    network = Gated(d=1, width=3, g=ONE, w=ONE, a=ONE, b=ONE)
    params = GatedParams(
        g=jnp.array([[-1.0], [0.0], [1.0]]),
        w=jnp.array([[2.0], [3.0], [4.0]]),
        b=jnp.array([3.0, 4.0, 7.0]),
        a=jnp.array([1.0, 10.0, 100.0]),
    )
    x = jnp.ones((1, 1))
    assert network.features(params, x).tolist() == [[0.0, 0.0, 11.0]]
    assert network.forward(params, x).tolist() == [1100.0]
    assert network.rate == 1.0


def test_every_part_of_a_gated_network_has_a_stream_of_its_own(key):
    normal = Gaussian(sd=1.0)
    params = Gated(d=1, width=4, g=normal, w=normal, a=normal, b=normal).init(key=key)
    parts = [np.ravel(part) for part in (params.g, params.w, params.a, params.b)]
    assert len({tuple(part.tolist()) for part in parts}) == 4


@pytest.mark.parametrize(
    "smallest",
    [
        lambda n: TwoLayer(d=n, width=1, w=ONE, a=ONE, scaling="one"),
        lambda n: TwoLayer(d=1, width=n, w=ONE, a=ONE, scaling="one"),
        lambda n: Gated(d=n, width=1, g=ONE, w=ONE, a=ONE, b=ONE),
        lambda n: Gated(d=1, width=n, g=ONE, w=ONE, a=ONE, b=ONE),
        lambda n: FullyConnected(d=n, width=1, classes=2),
        lambda n: FullyConnected(d=1, width=n, classes=2),
        lambda n: FullyConnected(d=1, width=1, classes=n + 1),
    ],
)
def test_the_smallest_network_is_one_neuron_of_one_input(smallest):
    smallest(1)
    with pytest.raises(InputError):
        smallest(0)


def test_the_classes_of_a_small_network_by_hand():
    network = FullyConnected(d=2, width=1, classes=3)
    params = ClassParams(
        w=jnp.array([[1.0, 2.0]]),
        b=jnp.array([-1.0]),
        a=jnp.array([[1.0], [2.0], [-1.0]]),
        c=jnp.array([0.0, 10.0, 20.0]),
    )
    # w.x + b = 1 + 6 - 1 = 6, squared 36.
    assert network.logits(params, jnp.array([[1.0, 3.0]])).tolist() == [[36.0, 82.0, -16.0]]


def test_what_a_fully_connected_network_learns_is_counted():
    network = FullyConnected(d=7, width=5, classes=3)
    params = network.init(key=jax.random.key(0))
    assert network.parameters == 5 * 7 + 5 + 3 * 5 + 3
    assert sum(leaf.size for leaf in jax.tree.leaves(params)) == network.parameters


def test_a_fully_connected_network_starts_at_the_sizes_it_says(key):
    params = FullyConnected(d=100, width=400, classes=50).init(key=key)
    # Standard deviations 1/sqrt d and 1/p; of 40 000 and 20 000 normals they are known to .5 %.
    assert float(jnp.std(params.w)) == pytest.approx(0.1, rel=0.025)
    assert float(jnp.std(params.a)) == pytest.approx(1 / 400, rel=0.025)
    assert not np.any(params.b)
    assert not np.any(params.c)
    first = np.ravel(params.w)[:50] * 10, np.ravel(params.a)[:50] * 400
    assert abs(np.corrcoef(*first)[0, 1]) < 0.7


def test_folding_keeps_the_inner_columns_and_the_norm_of_the_rest(key):
    full = Gaussian(sd=0.5).draw((4, 9), key=key)
    folded = FoldedGaussian(sd=0.5, d=9).draw((4, 3), key=key)
    np.testing.assert_array_equal(folded[:, :2], full[:, :2])
    np.testing.assert_allclose(folded[:, 2], np.linalg.norm(full[:, 2:], axis=1), rtol=1e-6)

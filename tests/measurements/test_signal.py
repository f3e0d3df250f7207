"""Signal parts against geometry: Pythagoras, exchange, rotation, and lengths known by hand."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Parity, rotation
from featlearn.measurements import SignalParts, on_side_of, signal_parts
from featlearn.networks import Params

D, P = 6, 40
NORMS = ("signal", "opposite", "orthogonal")


def parts_of(w, a, parity):
    return signal_parts(jnp.asarray(w), jnp.asarray(a), parity.means[0], parity.means[2])


@pytest.fixture
def neurons(rng):
    return rng.normal(size=(P, D)).astype(np.float32), rng.choice([-0.5, 0.5], P).astype(np.float32)


def test_a_neuron_built_from_its_parts_is_taken_apart_again(rng):
    along = rng.normal(size=(P, 2))
    rest = np.concatenate([np.zeros((P, 2)), rng.normal(size=(P, D - 2))], axis=1)
    unit1, unit2 = np.eye(D)[0] - np.eye(D)[1], np.eye(D)[0] + np.eye(D)[1]
    w = (along[:, [0]] * unit1 + along[:, [1]] * unit2) / np.sqrt(2) + rest
    a = np.where(np.arange(P) % 2, 1.0, -1.0)
    with jax.enable_x64(True):
        parts = parts_of(w, a, Parity(d=D))
        np.testing.assert_allclose(parts.along_mu1, along[:, 0], atol=1e-12)
        np.testing.assert_allclose(parts.along_mu2, along[:, 1], atol=1e-12)
        signal = np.where(a > 0, *np.abs(along.T))
        np.testing.assert_allclose(parts.signal, signal, atol=1e-12)
        np.testing.assert_allclose(parts.orthogonal, np.linalg.norm(rest, axis=1), atol=1e-12)


def test_the_three_parts_obey_pythagoras(neurons):
    w, a = neurons
    parts = parts_of(w, a, Parity(d=D))
    total = sum(np.asarray(getattr(parts, name)) ** 2 for name in NORMS)
    # float32 sums of six squares.
    np.testing.assert_allclose(total, (w**2).sum(axis=1), rtol=1e-5)


def test_turning_the_sign_of_a_exchanges_signal_and_opposite(neurons):
    w, a = neurons
    one, other = parts_of(w, a, Parity(d=D)), parts_of(w, -a, Parity(d=D))
    np.testing.assert_array_equal(one.signal, other.opposite)
    np.testing.assert_array_equal(one.opposite, other.signal)
    np.testing.assert_array_equal(one.orthogonal, other.orthogonal)


def test_turning_neurons_and_data_together_changes_nothing(neurons, key):
    w, a = neurons
    Q = rotation(D, key=key)
    one = parts_of(w, a, Parity(d=D))
    turned = parts_of(w @ np.asarray(Q), a, Parity(d=D, basis=Q))
    # float32 products with Q.
    jax.tree.map(lambda x, y: np.testing.assert_allclose(x, y, atol=1e-5), one, turned)


def test_a_neuron_with_a_of_zero_counts_as_positive():
    parts = parts_of([[3.0, -3.0, 4.0]], [0.0], Parity(d=3))
    assert float(parts.signal[0]) == pytest.approx(3 * np.sqrt(2), rel=1e-6)


def test_every_neuron_serves_the_one_centre_that_its_signal_points_to(neurons):
    w, a = neurons
    parity = Parity(d=D)
    sides = np.asarray(on_side_of(parts_of(w, a, parity), jnp.asarray(a)))
    np.testing.assert_array_equal(sides.sum(axis=0), 1.0)
    for j in range(P):
        cluster = int(sides[:, j].argmax())
        assert w[j] @ np.asarray(parity.means[cluster]) > 0
        assert float(parity.mean_labels[cluster]) == np.sign(a[j])


@pytest.mark.parametrize("threshold", [0.5, 1.5])
def test_found_and_rest_are_those_of_a_plain_loop(neurons, threshold, key):
    w, a = neurons
    parity = Parity(d=D)
    got = SignalParts(law=parity, threshold=threshold).measure(
        Params(w=jnp.asarray(w), a=jnp.asarray(a)), key=key
    )
    found, rest = np.zeros(4), 0.0
    for j in range(P):
        own, _other = (0, 2) if a[j] >= 0 else (2, 0)
        means = np.asarray(parity.means) / np.sqrt(2)
        u = w[j] @ means[own]
        rest += (w[j] @ w[j] - u**2) / P
        if abs(u) >= threshold:
            found[own if u > 0 else own + 1] += 1 / P
    np.testing.assert_allclose(got["found"], found, atol=1e-6)
    assert float(got["rest"]) == pytest.approx(rest, rel=1e-5)
    np.testing.assert_allclose(got["norm"], np.linalg.norm(w, axis=1), rtol=1e-5)
    np.testing.assert_array_equal(got["a"], a)
    # Were the threshold ignored, all neurons would be found.
    assert 0 < found.sum() < 1


def test_a_parity_without_four_centres_is_refused_in_words():
    sentence = "SignalParts(law): expected a parity of k = 2 directions, got k = 3."
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        SignalParts(law=Parity(d=D, k=3), threshold=1.0)

"""Two-layer networks against their equation, neuron by neuron, and paired starts."""

import re
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import signs
from featlearn.networks import (
    RELU6,
    TRUNCATED,
    Constant,
    Gaussian,
    Params,
    Sphere,
    Ternary,
    TwoLayer,
    Uniform,
)


def network(**changes):
    fields = {"d": 5, "width": 8, "w": Gaussian(sd=1.0), "a": Gaussian(sd=1.0)}
    fields |= {"scaling": "mean-field"}
    return TwoLayer(**{**fields, **changes})


SCALES = {"mean-field": (1 / 8, 8.0), "sqrt": (8**-0.5, 1.0), "one": (1.0, 1.0)}


@pytest.mark.parametrize("scaling", SCALES)
@pytest.mark.parametrize("biased", [False, True])
def test_the_output_is_the_sum_over_neurons_that_the_equation_says(scaling, biased, key, rng):
    one = network(scaling=scaling, activation=TRUNCATED, b=Gaussian(sd=1.0) if biased else None)
    params = one.init(key=key)
    x = rng.standard_normal((6, 5)).astype(np.float32)
    scale, rate = SCALES[scaling]
    expected = np.zeros(6)
    for j in range(8):
        b = 0.0 if params.b is None else float(params.b[j])
        z = x @ np.asarray(params.w[j]) + b
        expected += scale * float(params.a[j]) * np.clip(z, 0, 1)
    # float32 sums of eight terms of size one.
    np.testing.assert_allclose(one.forward(params, jnp.asarray(x)), expected, atol=1e-5)
    assert (one.scale, one.rate) == pytest.approx((scale, rate))
    assert (params.b is None) is not biased


@pytest.mark.parametrize("scaling", SCALES)
@pytest.mark.parametrize("biased", [False, True])
def test_a_mirrored_start_is_zero_everywhere(scaling, biased, key):
    one = network(
        width=64,
        scaling=scaling,
        pairing="mirrored",
        b=Constant(value=0.3) if biased else None,
    )
    params = one.init(key=key)
    f = one.forward(params, signs(50, 5, key=key))
    features = one.features(params, signs(50, 5, key=key))
    # Twins have the very same features; the sums of 64 terms of size 2 cancel to float32.
    np.testing.assert_array_equal(features[:, :32], features[:, 32:])
    np.testing.assert_allclose(f, 0.0, atol=1e-5)


@pytest.mark.parametrize("pairing", ["mirrored", "negated"])
def test_twins_are_what_the_pairing_says(pairing, key):
    params = network(pairing=pairing, b=Gaussian(sd=1.0)).init(key=key)
    twin = 1 if pairing == "mirrored" else -1
    assert params.b is not None
    np.testing.assert_array_equal(params.w[4:], twin * params.w[:4])
    np.testing.assert_array_equal(params.b[4:], twin * params.b[:4])
    np.testing.assert_array_equal(params.a[4:], -params.a[:4])


@pytest.mark.parametrize(("n", "k", "q"), [(101, 3, 300), (301, 5, 200), (1001, 7, 100)])
def test_the_start_that_daniely_and_malach_print_is_far_from_zero(n, k, q, key):
    rms = {}
    for pairing in ("negated", "mirrored"):
        one = TwoLayer(
            d=n,
            width=2 * q,
            w=Ternary(),
            a=Uniform(bound=n / k),
            b=Constant(value=1 / (8 * k)),
            activation=RELU6,
            scaling="one",
            pairing=pairing,
        )
        x = signs(1000, n, key=key) / n**0.5
        rms[pairing] = float(jnp.sqrt(jnp.mean(one.forward(one.init(key=key), x) ** 2)))
    # f = sum_i u_i s_i (no |s_i| reaches 6), s_i of variance 2/3 + b^2, u_i^2 of mean (n/k)^2/3.
    # One draw of q values of u^2 and of one direction in n dimensions spreads the rms by 8 % at
    # most (1 sd). The errata's own draws gave 264, 373, 686.
    expected = n / k * (q * (2 / 3 + 1 / (8 * k) ** 2) / 3) ** 0.5
    assert rms["negated"] == pytest.approx(expected, rel=0.35)
    # Twins cancel up to the rounding of a float32 sum.
    assert rms["mirrored"] < 1e-5 * expected


def test_each_layer_has_a_stream_of_its_own(key):
    with_bias = network(b=Gaussian(sd=1.0)).init(key=key)
    without = network(a=Constant(value=1.0)).init(key=key)
    np.testing.assert_array_equal(with_bias.w, without.w)
    assert not np.allclose(with_bias.a, with_bias.b)


def test_glasgows_start_is_on_the_sphere(key):
    params = network(w=Sphere(radius=0.3)).init(key=key)
    np.testing.assert_allclose(np.linalg.norm(params.w, axis=1), 0.3, rtol=1e-5)


def test_features_and_readout_make_up_the_network(key, rng):
    one, x = network(), jnp.asarray(rng.standard_normal((4, 5)), jnp.float32)
    params = one.init(key=key)
    features = one.features(params, x)
    np.testing.assert_array_equal(one.readout(params, features), one.forward(params, x))
    assert isinstance(params, Params)
    assert features.shape == (4, 8)


REFUSED: dict[str, dict[str, Any]] = {
    "TwoLayer(d): expected d >= 1, got 0.": {"d": 0},
    "TwoLayer(width): expected at least 1 neuron, got 0.": {"width": 0},
    "TwoLayer(scaling): expected one of 'mean-field', 'sqrt', 'one', got 'ntk'.": {
        "scaling": "ntk"
    },
    "TwoLayer(pairing): expected one of 'none', 'mirrored', 'negated', got 'twins'.": {
        "pairing": "twins"
    },
    "TwoLayer(trained): expected one of 'w', 'a', 'b', got 'W'.": {"trained": ("W",)},
    "TwoLayer(width): expected an even number of neurons for pairing='mirrored', got 7.": {
        "width": 7,
        "pairing": "mirrored",
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_wrong_argument_is_refused_in_words(sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        network(**REFUSED[sentence])

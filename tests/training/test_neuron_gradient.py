"""The exact gradient of a neuron: against enumeration of the cube and against quadrature."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Boolean
from featlearn.distributions.target import corners
from featlearn.networks import RELU, RELU6, activation
from featlearn.training.neuron_gradient import neuron_gradient


def enumerated(law, act, w, b):
    x = corners(law.d)
    y = np.asarray(law.label(jnp.asarray(x)), float)
    z = x @ w + b
    hinge = [(c, k) for c, k in act.hinges]
    slope = sum(c * (np.sign(z - k) + 1) / 2 for c, k in hinge)
    value = sum(c * np.maximum(z - k, 0) for c, k in hinge)
    return np.mean(y * value), np.mean(y * slope), (y * slope) @ x / len(x)


@pytest.mark.parametrize("act", [RELU, RELU6], ids=["relu", "relu6"])
@pytest.mark.parametrize("formula", ["x1 + x1*x2", "x1*x2*x3", "sign(x1 + x2 + x3) + 0.5"])
def test_boolean_noise_is_the_sum_over_the_cube(formula, act, rng):
    law = Boolean(d=11, target=formula, relevant=(4, 0, 7)[: 2 if "x3" not in formula else 3])
    # Random weights, and weights on a lattice, where sums meet the kink.
    for w in (rng.normal(size=11), rng.choice([-1.0, 1.0, 2.0, 0.0], 11)):
        found = neuron_gradient(law, act, w, b=0.5)
        a, b, g = enumerated(law, act, w, 0.5)
        np.testing.assert_allclose(found.w, g, atol=1e-12)
        assert found.a == pytest.approx(a, abs=1e-11)
        assert found.b == pytest.approx(b, abs=1e-12)


@pytest.mark.parametrize("act", [RELU, activation(jnp.tanh)], ids=["relu", "tanh"])
def test_gaussian_noise_is_the_integral_over_its_sum(act, rng):
    law = Boolean(d=9, target="x1 + 0.5*x1*x2", noise="gaussian")
    w = rng.normal(size=9)
    found = neuron_gradient(law, act, w, b=-0.3)
    # A fine trapezoidal rule over g, the noise along w: errors of 1e-7 at the kink of relu.
    g = np.linspace(-9, 9, 200_001)
    p = np.exp(-(g**2) / 2)
    p /= p.sum()
    sigma, z = np.linalg.norm(w[2:]), corners(2)
    with jax.enable_x64(True):
        pre = jnp.asarray((z @ w[:2] - 0.3)[:, None] + sigma * g)
        slope, value = np.asarray(act.derivative(pre)), np.asarray(act.value(pre))
    y = law.target.table / 4
    expected = np.concatenate([z.T @ (y * (slope @ p)), (y @ (slope @ (p * g))) * w[2:] / sigma])
    np.testing.assert_allclose(found.w, expected, atol=1e-5)
    assert found.a == pytest.approx(y @ (value @ p), abs=1e-6)


def test_many_weights_are_served_by_the_quadrature(rng):
    law = Boolean(d=400, target="x1*x2")
    w = rng.normal(size=400) / 20
    found = neuron_gradient(law, RELU, w)
    near = neuron_gradient(Boolean(d=400, target="x1*x2", noise="gaussian"), RELU, w)
    # Signs and normals differ by O(1/d) in law.
    np.testing.assert_allclose(found.w[:2], near.w[:2], atol=2e-4)


def test_a_smooth_activation_with_boolean_noise_is_refused(rng):
    with pytest.raises(InputError, match="a piecewise-linear activation for Boolean noise"):
        neuron_gradient(Boolean(d=5, target="x1"), activation(jnp.tanh), np.ones(5))

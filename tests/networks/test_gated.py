"""The gated network against the ReLU network, and its training against finite differences."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Parity
from featlearn.networks import (
    RELU,
    Constant,
    Gated,
    Gaussian,
    Glorot,
    Params,
    TwoLayer,
)
from featlearn.training import Adadelta, Descent, Fresh, gradient, loss

NORMAL, ZERO = Gaussian(sd=1.0), Constant(value=0.0)
NETWORK = Gated(d=5, width=6, g=NORMAL, w=NORMAL, a=NORMAL, b=ZERO)


def test_with_gates_equal_to_weights_it_is_the_relu_network(key):
    drawn = NETWORK.init(key=key)
    params = replace(drawn, g=drawn.w)
    x = jax.random.normal(jax.random.key(1), (7, 5))
    relu = TwoLayer(d=5, width=6, w=NORMAL, a=NORMAL, b=ZERO, activation=RELU, scaling="one")
    f = relu.forward(Params(w=drawn.w, a=drawn.a, b=drawn.b), x)
    np.testing.assert_allclose(NETWORK.forward(params, x), f, rtol=1e-5, atol=1e-6)


def test_its_gradient_is_a_closed_form_and_leaves_the_gates(key):
    batch = Parity(d=5).sample(9, key=key)
    params = NETWORK.init(key=jax.random.key(1))
    found = gradient(NETWORK, loss("squared"), params, batch)
    x, y = np.asarray(batch.x, float), np.asarray(batch.y, float)
    g, w, a, b = (np.asarray(part, float) for part in (params.g, params.w, params.a, params.b))
    on = (x @ g.T > 0).astype(float)
    features = on * (x @ w.T + b)
    delta = (features @ a - y) / len(y)
    np.testing.assert_allclose(found.a, delta @ features, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found.w, (delta[:, None] * a * on).T @ x, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found.b, (delta[:, None] * a * on).sum(axis=0), rtol=1e-4, atol=1e-5)
    assert float(jnp.abs(found.g).max()) == 0.0


def test_a_rule_remembers_only_the_parts_that_move(key):
    phase = Descent(
        law=Parity(d=5),
        network=replace(NETWORK, trained=("a",)),
        loss=loss("hinge"),
        data=Fresh(batch=4),
        steps=3,
        rule=Adadelta(eta=1.0),
    )
    params = NETWORK.init(key=key)
    state = phase.start(params, None)
    assert [leaf.shape for leaf in jax.tree.leaves(state.memory)] == [(6,), (6,)]
    after = phase.step(state, 0, None, key=key).params
    for part in ("g", "w", "b"):
        np.testing.assert_array_equal(getattr(after, part), getattr(params, part))
    assert not np.array_equal(after.a, params.a)


def test_gates_cannot_be_named_as_trained():
    message = "Gated.trained.: expected one of 'w', 'a', 'b', got 'g'."
    with pytest.raises(InputError, match=f"^{message}$"):
        replace(NETWORK, trained=("g",))


def test_glorot_gives_the_variance_two_over_inputs_plus_outputs(key):
    w = Glorot().draw((300, 200), key=key)
    a = Glorot().draw((20_000,), key=key)
    # Uniform: largest entry sqrt(6/(in + out)), variance 2/(in + out); 5 standard errors below 2 %.
    assert float(jnp.abs(w).max()) == pytest.approx((6 / 500) ** 0.5, rel=1e-3)
    assert float(w.var()) == pytest.approx(2 / 500, rel=0.03)
    assert float(a.var()) == pytest.approx(2 / 20_001, rel=0.04)

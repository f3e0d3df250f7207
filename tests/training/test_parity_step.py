"""The exact first step against the population's gradient by enumeration, and against samples."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import LeakyParity
from featlearn.networks import (
    RELU,
    RELU6,
    TRUNCATED,
    Constant,
    Gaussian,
    Ternary,
    TwoLayer,
    Uniform,
)
from featlearn.training import SGD, DecoupledDecay, ParityStep, gradient, loss, parity_correlations
from featlearn.training.loop import advance


def a_network(d, k, width, activation=RELU6, b=None):
    return TwoLayer(
        d=d,
        width=width,
        w=Ternary(),
        a=Uniform(bound=d / k),
        b=Constant(value=1 / (8 * k) if b is None else b),
        activation=activation,
        scaling="one",
        pairing="mirrored",
    )


def correlations(law, network, params):
    w, A = np.asarray(params.w), np.array(law.A)
    on_A = w[:, A].astype(int)
    others = (w != 0).sum(axis=1) - (on_A != 0).sum(axis=1)
    return parity_correlations(law, network.activation, on_A, others, np.asarray(params.b, float))


@pytest.mark.parametrize(
    ("half", "d", "k", "relevant", "activation"),
    [
        ("mixture", 13, 5, (), RELU6),
        ("uniform", 9, 3, (2, 7, 4), RELU6),
        ("leaky", 9, 3, (2, 7, 4), RELU6),
        ("mixture", 6, 1, (3,), RELU6),
        ("mixture", 9, 3, (), RELU),
        ("mixture", 11, 7, (), TRUNCATED),
    ],
)
def test_all_correlations_are_those_of_the_whole_cube(half, d, k, relevant, activation, key):
    with jax.enable_x64(True):
        law = LeakyParity(d=d, k=k, relevant=relevant, half=half)
        network = a_network(d, k, 60, activation)
        params = network.init(key=key)
        slope = gradient(network, loss("hinge"), params, law.support())
        found = correlations(law, network, params)
        w, a, A = np.asarray(params.w), np.asarray(params.a), np.array(law.A)
        g_w = -(a * law.size * found.irrelevant)[:, None] * w
        g_w[:, A] = -(a * law.size)[:, None] * found.relevant
        np.testing.assert_allclose(slope.w, g_w, atol=1e-13)
        np.testing.assert_allclose(slope.b, -a * found.bias, atol=1e-13)
        np.testing.assert_allclose(slope.a, -found.output, atol=1e-13)


def test_ties_at_the_kink_follow_the_activation(key):
    # sqrt(d) b = 1 at d = 16, b = 1/4: sums of signs sit on both kinks' lattice; relu6'(0) = 0.
    with jax.enable_x64(True):
        law, network = LeakyParity(d=16, k=3), a_network(16, 3, 30, TRUNCATED, b=0.25)
        params = network.init(key=key)
        slope = gradient(network, loss("hinge"), params, law.support())
        found = correlations(law, network, params)
        np.testing.assert_allclose(slope.b, -np.asarray(params.a) * found.bias, atol=1e-13)


def test_a_million_samples_agree_with_the_closed_form(key):
    law, network = LeakyParity(d=301, k=5), a_network(301, 5, 12)
    params = network.init(key=key)
    found = correlations(law, network, params)
    m, rounds = 10_000, 20

    @jax.jit
    def sums(k):
        batch = law.sample(m, key=k)
        z = network.preactivations(params, batch.x)
        on = batch.y[:, None] * RELU6.derivative(z)
        u = batch.x[:, : law.k] / law.size
        return on.mean(0), (on.T @ u) / m, (batch.y @ RELU6.value(z)) / m

    parts = [sums(k) for k in jax.random.split(key, rounds)]
    bias, relevant, output = (np.mean([np.asarray(p[i]) for p in parts], axis=0) for i in range(3))
    # Five standard errors of 2e5 bounded terms (0.011, and sd of relu6 about 1); the D2 half alone
    # carries correlations of .25, so a forgotten half misses by more than ten of them.
    assert np.abs(bias - found.bias).max() < 5 / np.sqrt(m * rounds)
    assert np.abs(relevant - found.relevant).max() < 5 / np.sqrt(m * rounds)
    assert np.abs(output - found.output).max() < 5 / np.sqrt(m * rounds)
    assert found.relevant.max() > 0.2


def test_the_phase_takes_the_step_of_descent_on_the_population(key):
    law, network = LeakyParity(d=11, k=3, relevant=(1, 5, 9)), a_network(11, 3, 40)
    params, forget = network.init(key=key), DecoupledDecay(lam={"w": 0.5, "a": 0.5})
    exact = ParityStep(decay=forget).bind(law, network)
    plain = SGD(eta=1.0, steps=1, loss="hinge", decay=forget).bind(law, network)
    cube = plain.fixed(key=key)
    one = advance(exact, exact.start(params, None), 0, 1, None, key)
    two = advance(plain, plain.start(params, cube), 0, 1, cube, key).params
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(two), strict=True):
        np.testing.assert_allclose(left, right, atol=2e-6)


def test_balanced_neurons_end_exactly_on_the_relevant_bits(key):
    law, network = LeakyParity(d=201, k=5), a_network(201, 5, 400)
    params = network.init(key=key)
    step = ParityStep(decay=DecoupledDecay(lam={"w": 0.5, "a": 0.5})).bind(law, network)
    after = step.step(params, 0, None, key=key)
    balanced = params.w[:, :5].sum(axis=1) == 0
    assert bool(balanced.any())
    assert float(jnp.abs(after.w[balanced, 5:]).max()) == 0.0
    assert bool((jnp.asarray(after.b) == jnp.asarray(params.b))[balanced].all())


def test_a_start_that_is_not_zero_is_refused():
    network = TwoLayer(
        d=9,
        width=4,
        w=Gaussian(sd=1.0),
        a=Uniform(bound=1.0),
        b=Constant(value=0.0),
        scaling="mean-field",
    )
    with pytest.raises(InputError, match="whose output starts at 0"):
        ParityStep().bind(LeakyParity(d=9, k=3), network)

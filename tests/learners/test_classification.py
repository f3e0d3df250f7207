"""Cross-entropy and R1 + lambda R2, against their formulas and against what they must do."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.learners.classification import Classification, OnLabelled, balance, cross_entropy
from featlearn.networks.fully_connected import FullyConnected
from featlearn.training import Adam, Plain, Plan, Recording, Weights, train


def test_the_losses_are_those_of_the_equations(rng):
    z, y = rng.normal(size=(6, 3)), rng.integers(0, 3, 6)
    f = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    assert float(cross_entropy(jnp.asarray(z), jnp.asarray(y))) == pytest.approx(
        -np.log(f[np.arange(6), y]).mean(), rel=1e-5
    )
    mean = f.mean(axis=0)
    r1, r2 = (mean * np.log(mean)).sum(), -(f * np.log(f)).sum() / 6
    assert float(balance(jnp.asarray(z), 0.3)) == pytest.approx(r1 + 0.3 * r2, rel=1e-4)


def test_balance_is_least_for_sure_and_equally_frequent_classes(rng):
    best = float(balance(50 * jnp.eye(4), 1.0))
    assert best == pytest.approx(-np.log(4), rel=1e-5)
    others = [float(balance(jnp.asarray(5 * rng.normal(size=(4, 4))), 1.0)) for _ in range(20)]
    assert min(others) > best
    assert np.isfinite(float(jax.grad(balance)(1e4 * jnp.eye(4)[:1], 1.0).sum()))


def plan_of(rng, steps, **changes):
    network = FullyConnected(d=4, width=6, classes=3)
    x, labels = jnp.asarray(rng.normal(size=(30, 4)), jnp.float32), jnp.arange(30) % 3
    choices = {"steps": steps, "rule": Adam(eta=0.02), "batch": 10} | changes
    phase = Classification(network=network, x=x, labels=labels, **choices)
    looks = (
        OnLabelled(name="train", network=network, x=x, labels=labels),
        Weights(network=network),
    )
    return Plan(
        init=lambda key: network.init(key=key),
        phases=(phase,),
        recording=Recording(measurements=looks, steps=(0, steps)),
    )


def test_one_full_step_is_the_gradient_of_the_mean(rng):
    plan = plan_of(rng, 1, batch=30, rule=Plain(eta=0.02), schedule="constant")
    records = {t: r for at in train(plan, seed=0) for t, r in at.records.items()}
    phase, start = plan.phases[0], next(iter(train(plan, seed=0))).state.params

    def loss(params):
        return cross_entropy(phase.network.logits(params, phase.x), phase.labels)

    slope = jax.grad(loss)(start)
    np.testing.assert_allclose(records[1]["weights_w"], start.w - 0.02 * slope.w, atol=1e-6)
    np.testing.assert_allclose(records[1]["weights_c"], start.c - 0.02 * slope.c, atol=1e-6)


def test_training_learns_and_resumes_to_the_same_bits(rng):
    plan = plan_of(rng, 150, unlabelled=jnp.ones((7, 4)))
    positions = list(train(plan, seed=1, chunk_seconds=0.0))
    end = positions[-1]
    assert end.records[150]["train_loss"] < 0.5 * positions[0].records[0]["train_loss"]
    *_, again = train(plan, seed=1, resume=positions[len(positions) // 2])
    np.testing.assert_array_equal(again.state.params.w, end.state.params.w)


def test_the_number_of_parameters_is_counted(key):
    network = FullyConnected(d=784, width=9, classes=10)
    leaves = jax.tree.leaves(network.init(key=key))
    assert network.parameters == sum(leaf.size for leaf in leaves) == 7165

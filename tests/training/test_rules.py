"""Update rules against their textbook recursions, written once more in plain NumPy."""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from featlearn._check import InputError
from featlearn.training import Adadelta, Adam, Momentum, Plain
from featlearn.training.optax_rule import optax_rule

ETA = 0.1


def plain(gradients):
    for g in gradients:
        yield ETA * g


def momentum(gradients, beta=0.8):
    """v_t = sum_s beta^(t-s) g_s, written out."""
    for t in range(len(gradients)):
        yield ETA * sum(beta ** (t - s) * gradients[s] for s in range(t + 1))


def adam(gradients, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """Kingma & Ba (2015), algorithm 1: moments are weighted means of all gradients so far."""
    for t in range(len(gradients)):
        ages = np.arange(t, -1, -1)
        first = np.tensordot(beta1**ages, gradients[: t + 1], 1) / np.sum(beta1**ages)
        second = np.tensordot(beta2**ages, gradients[: t + 1] ** 2, 1) / np.sum(beta2**ages)
        yield ETA * first / (np.sqrt(second) + epsilon)


def adadelta(gradients, rho=0.95, epsilon=1e-6):
    """Zeiler (2012), algorithm 1."""
    mean_g2 = mean_dx2 = np.zeros_like(gradients[0])
    for g in gradients:
        mean_g2 = rho * mean_g2 + (1 - rho) * g**2
        dx = -np.sqrt(mean_dx2 + epsilon) / np.sqrt(mean_g2 + epsilon) * g
        mean_dx2 = rho * mean_dx2 + (1 - rho) * dx**2
        yield -ETA * dx


RULES: dict[str, tuple[Any, Any]] = {
    "plain": (Plain(eta=ETA), plain),
    "momentum": (Momentum(eta=ETA, beta=0.8), momentum),
    "adam": (Adam(eta=ETA), adam),
    "adadelta": (Adadelta(eta=ETA), adadelta),
    "momentum of optax": (optax_rule(optax.sgd(ETA, momentum=0.8)), momentum),
    "adam of optax": (optax_rule(optax.adam, learning_rate=ETA), adam),
}


@pytest.mark.parametrize("name", RULES)
def test_every_move_is_that_of_the_textbook(name, rng):
    rule, textbook = RULES[name]
    gradients = rng.normal(size=(30, 4))
    with jax.enable_x64(True):
        memory = rule.start({"w": jnp.zeros(4)})
        for t, expected in enumerate(textbook(gradients)):
            moves, memory = rule.move(
                {"w": jnp.asarray(gradients[t])}, memory, params=None, scale=1.0, t=t
            )
            np.testing.assert_allclose(moves["w"], expected, rtol=1e-10, atol=1e-14)


def test_a_rule_of_optax_is_scaled_as_any_other():
    rule, g = optax_rule(optax.sgd(ETA)), jnp.array([1.0, -2.0])
    moves, _ = rule.move(g, rule.start(g), params=g, scale=0.5, t=0)
    np.testing.assert_allclose(moves, [0.5 * ETA, -ETA], rtol=1e-6)


@pytest.mark.parametrize("given", [(optax.adam,), (3,)])
def test_what_is_no_rule_of_optax_is_refused(given):
    with pytest.raises(InputError, match=r"optax_rule: expected a transformation such as optax"):
        optax_rule(*given)


def test_a_finished_rule_takes_no_numbers():
    message = "optax_rule: expected a function with its numbers, got a finished rule."
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        optax_rule(optax.adam(0.1), learning_rate=0.2)


def test_the_first_step_of_adam_has_length_eta_whatever_the_gradient():
    rule = Adam(eta=ETA)
    g = jnp.array([1e-3, -1.0, 1e3])
    moves, _ = rule.move(g, rule.start(g), params=g, scale=1.0, t=0)
    # epsilon = 1e-8 against 1e-3: 1e-5.
    np.testing.assert_allclose(moves, [ETA, -ETA, ETA], rtol=2e-5)


def test_in_float32_and_compiled_adam_stays_near_the_textbook(rng):
    rule, gradients = Adam(eta=ETA), rng.normal(size=(100, 3)).astype(np.float32)
    move = jax.jit(lambda rule, g, memory, t: rule.move(g, memory, params=None, scale=1.0, t=t))
    memory = rule.start(jnp.zeros(3))
    for t, expected in enumerate(adam(gradients.astype(float))):
        moves, memory = move(rule, jnp.asarray(gradients[t]), memory, t)
        # 1 - beta2^(t+1) is a difference of float32 numbers: 6e-8 of 1e-3 at the worst, 6e-5.
        np.testing.assert_allclose(moves, expected, rtol=3e-4, atol=3e-5)

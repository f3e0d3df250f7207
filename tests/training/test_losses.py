"""Losses: the identities that the papers use."""

import re

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.training import LOSSES, loss

OUTPUTS = np.linspace(-5, 5, 41, dtype=np.float32)


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_the_pull_of_the_doubled_logistic_loss_leaves_minus_y_by_tanh_half_f(y):
    f = jnp.asarray(OUTPUTS)
    difference = LOSSES["doubled-logistic"].derivative(f, jnp.float32(y)) + y
    # Glasgow: l' - l0' = tanh(f/2). float32.
    np.testing.assert_allclose(difference, np.tanh(OUTPUTS / 2), atol=1e-6)


VALUES = {
    "logistic": lambda f, y: np.log1p(np.exp(-y * f)),
    "doubled-logistic": lambda f, y: 2 * np.log1p(np.exp(-y * f)),
    "hinge": lambda f, y: np.where(y * f < 1, 1 - y * f, 0),
    "squared": lambda f, y: 0.5 * (f - y) ** 2,
    "linear": lambda f, y: -y * f,
}


@pytest.mark.parametrize("y", [-1.0, 1.0])
@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_its_formula(name, y):
    got = LOSSES[name].value(jnp.asarray(OUTPUTS), jnp.float32(y))
    np.testing.assert_allclose(got, VALUES[name](OUTPUTS.astype(float), y), rtol=1e-5, atol=1e-6)


def test_large_margins_neither_overflow_nor_vanish_too_soon():
    f, y = jnp.array([-1e4, -100.0, 80.0]), jnp.float32(1.0)
    np.testing.assert_allclose(LOSSES["logistic"].value(f, y), [1e4, 100.0, np.exp(-80)], rtol=1e-5)
    np.testing.assert_allclose(
        LOSSES["logistic"].derivative(f, y), [-1, -1, -np.exp(-80)], rtol=1e-5
    )


def test_the_same_function_is_the_same_loss():
    def cubed(f, y):
        return (1 - y * f) ** 3

    assert loss(cubed) == loss(cubed)
    assert hash(loss(cubed)) == hash(loss(cubed))
    assert loss(cubed).name == "cubed"
    assert loss(LOSSES["hinge"]) is loss("hinge")


def test_an_unknown_loss_is_refused_in_words():
    sentence = (
        "loss: expected one of 'logistic', 'doubled-logistic', 'hinge', 'squared', 'linear', "
        "got 'mse'."
    )
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        loss("mse")

"""What every activation must satisfy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.networks import ACTIVATIONS, activation

MEMBERS = {**ACTIVATIONS, "tanh": activation(jnp.tanh), "gelu": activation(jax.nn.gelu)}
PLACES = np.array([-7.3, -1.1, -0.2, 0.05, 0.5, 0.95, 1.3, 5.9, 6.1, 9.0])
"""Between the kinks."""


@pytest.fixture(params=MEMBERS)
def member(request):
    return MEMBERS[request.param]


def test_the_derivative_is_that_of_jax(member):
    with jax.enable_x64(True):
        z = jnp.asarray(PLACES)
        by_jax = jax.vmap(jax.grad(lambda each: member.value(each)))(z)
        np.testing.assert_allclose(member.derivative(z), by_jax, rtol=1e-10, atol=1e-12)


def test_value_and_derivative_keep_shape_and_precision(member):
    z = jnp.ones((2, 3, 4))
    for function in (member.value, member.derivative):
        assert function(z).shape == z.shape
        assert function(z).dtype == jnp.float32


def test_it_is_hashable_and_so_can_choose_a_program(member):
    assert hash(member) == hash(activation(member))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_smoothing_never_lowers_a_convex_one_and_keeps_shapes(name):
    member, z = MEMBERS[name], jnp.asarray(PLACES, jnp.float32)
    value, slope = member.smoothed(z, 0.5)
    assert value.shape == slope.shape == z.shape
    if name in ("relu", "quadratic"):
        # Jensen; float32.
        assert bool((value >= member.value(z) - 1e-5).all())

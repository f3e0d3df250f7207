"""What every loss must satisfy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.training import LOSSES, loss

MEMBERS = {**LOSSES, "exponential": loss(lambda f, y: jnp.exp(-y * f))}
OUTPUTS = np.linspace(-4.05, 3.95, 81)
"""Not at the kink of the hinge."""


@pytest.fixture(params=MEMBERS)
def member(request):
    return MEMBERS[request.param]


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_the_derivative_is_that_of_jax(member, y):
    with jax.enable_x64(True):
        f = jnp.asarray(OUTPUTS)
        label = jnp.asarray(y)
        by_jax = jax.vmap(jax.grad(lambda each: member.value(each, label)))(f)
        got = jnp.broadcast_to(member.derivative(f, jnp.full_like(f, y)), f.shape)
        np.testing.assert_allclose(got, by_jax, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_it_is_convex_in_the_output(member, y):
    with jax.enable_x64(True):
        f = jnp.asarray(OUTPUTS)
        slopes = jnp.broadcast_to(member.derivative(f, jnp.full_like(f, y)), f.shape)
        values = member.value(f, jnp.full_like(f, y))
        assert bool((jnp.diff(slopes) >= -1e-12).all())
        # A tangent lies below: l(g) >= l(f) + l'(f)(g - f), for all pairs.
        tangents = values[:, None] + slopes[:, None] * (f[None, :] - f[:, None])
        assert bool((values[None, :] >= tangents - 1e-9).all())


def test_it_pulls_towards_the_label_at_zero(member):
    for y in (-1.0, 1.0):
        pull = float(member.derivative(jnp.float32(0.0), jnp.float32(y)))
        assert pull * y < 0


def test_turning_output_and_label_changes_nothing(member):
    f = jnp.asarray(OUTPUTS, jnp.float32)
    one, other = member.value(f, jnp.ones_like(f)), member.value(-f, -jnp.ones_like(f))
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


def test_value_and_derivative_keep_precision(member):
    f = jnp.zeros(3)
    for function in (member.value, member.derivative):
        assert function(f, jnp.ones(3)).dtype == jnp.float32
        assert function(f, jnp.ones(3)).shape == (3,)

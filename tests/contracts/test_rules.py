"""What every update rule must satisfy; a new class is a new row."""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from featlearn import training
from featlearn._check import InputError
from featlearn.training import Adadelta, Adam, Momentum, OptaxRule, Plain, optax_rule
from featlearn.training.rules import Rule

MEMBERS = [
    Plain(eta=0.1),
    Momentum(eta=0.1),
    Adam(eta=0.1),
    Adadelta(eta=0.1),
    optax_rule(optax.sgd, learning_rate=0.1, momentum=0.9),
]
SCALES = {Plain: 1.0, Momentum: 0.5, Adam: 0.5, Adadelta: 30.0, OptaxRule: 0.5}
"""Shares of the step size at which each goes down a parabola within a few hundred steps."""


@pytest.fixture(params=MEMBERS, ids=lambda rule: type(rule).__name__)
def member(request):
    return request.param


def test_every_rule_of_the_package_has_a_row():
    offered = {
        each
        for each in vars(training).values()
        if inspect.isclass(each) and hasattr(each, "move") and each is not Rule
    }
    assert offered == {type(each) for each in MEMBERS}


def test_a_move_has_the_shape_of_the_gradient_and_memory_keeps_its_own(member):
    assert isinstance(member, Rule)
    tree = {"w": jnp.ones((2, 3)), "inner": [jnp.ones(4), None]}
    memory = member.start(tree)
    moves, after = member.move(tree, memory, params=tree, scale=1.0, t=0)
    shapes = lambda each: jax.tree.map(lambda leaf: (leaf.shape, leaf.dtype), each)  # noqa: E731
    assert shapes(moves) == shapes(tree)
    assert shapes(after) == shapes(memory)


def test_no_gradient_means_no_move(member):
    g = jnp.zeros(3)
    moves, _ = member.move(g, member.start(g), params=g, scale=1.0, t=0)
    np.testing.assert_array_equal(moves, 0.0)


def test_moves_are_proportional_to_their_scale_and_elementwise(member, rng):
    g = jnp.asarray(rng.normal(size=4), jnp.float32)
    memory = member.start(g)
    once, _ = member.move(g, memory, params=g, scale=1.0, t=0)
    twice, _ = member.move(g, memory, params=g, scale=2.0, t=0)
    alone, _ = member.move(g[:1], member.start(g[:1]), params=g[:1], scale=1.0, t=0)
    np.testing.assert_allclose(twice, 2 * once, rtol=1e-6)
    np.testing.assert_array_equal(alone, once[:1])


def test_it_goes_down_a_parabola(member):
    scale = SCALES[type(member)]

    def step(t, state):
        x, memory = state
        moves, memory = member.move(2 * x, memory, params=x, scale=scale, t=t)
        return x - moves, memory

    start = jnp.array([1.0, -2.0])
    end, _ = jax.lax.fori_loop(0, 1000, step, (start, member.start(start)))
    assert float(jnp.abs(end).max()) < 0.1


@pytest.mark.parametrize("eta", [0.0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("kind", [Plain, Momentum, Adam, Adadelta])
def test_a_step_size_is_a_positive_number(kind, eta):
    with pytest.raises(InputError, match=rf"{kind.__name__}\(eta\): expected a positive number"):
        kind(eta=eta)

"""What every update rule must satisfy; a new class is a new row."""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn import training
from featlearn.training import Adadelta, Adam, Momentum, Plain
from featlearn.training.rules import Rule

MEMBERS = [Plain(), Momentum(), Adam(), Adadelta()]
ETAS = {Plain: 0.1, Momentum: 0.05, Adam: 0.05, Adadelta: 3.0}
"""Step sizes at which each goes down a parabola within a few hundred steps."""


@pytest.fixture(params=MEMBERS, ids=lambda rule: type(rule).__name__)
def member(request):
    return request.param


def test_every_rule_of_the_package_has_a_row():
    offered = {
        each
        for each in vars(training).values()
        if inspect.isclass(each) and hasattr(each, "move") and hasattr(each, "start")
    }
    assert offered == {type(each) for each in MEMBERS}


def test_a_move_has_the_shape_of_the_gradient_and_memory_keeps_its_own(member):
    assert isinstance(member, Rule)
    tree = {"w": jnp.ones((2, 3)), "inner": [jnp.ones(4), None]}
    memory = member.start(tree)
    moves, after = member.move(tree, memory, eta=0.1, t=0)
    shapes = lambda each: jax.tree.map(lambda leaf: (leaf.shape, leaf.dtype), each)  # noqa: E731
    assert shapes(moves) == shapes(tree)
    assert shapes(after) == shapes(memory)


def test_no_gradient_means_no_move(member):
    g = jnp.zeros(3)
    moves, _ = member.move(g, member.start(g), eta=0.1, t=0)
    np.testing.assert_array_equal(moves, 0.0)


def test_moves_are_proportional_to_eta_and_elementwise(member, rng):
    g = jnp.asarray(rng.normal(size=4), jnp.float32)
    memory = member.start(g)
    once, _ = member.move(g, memory, eta=0.1, t=0)
    twice, _ = member.move(g, memory, eta=0.2, t=0)
    alone, _ = member.move(g[:1], member.start(g[:1]), eta=0.1, t=0)
    np.testing.assert_allclose(twice, 2 * once, rtol=1e-6)
    np.testing.assert_array_equal(alone, once[:1])


def test_it_goes_down_a_parabola(member):
    eta = ETAS[type(member)]

    def step(t, state):
        x, memory = state
        moves, memory = member.move(2 * x, memory, eta=eta, t=t)
        return x - moves, memory

    start = jnp.array([1.0, -2.0])
    end, _ = jax.lax.fori_loop(0, 1000, step, (start, member.start(start)))
    assert float(jnp.abs(end).max()) < 0.1

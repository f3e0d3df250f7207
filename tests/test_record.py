"""Records: which fields JAX traces, and that frozen means frozen."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import featlearn as fl
from featlearn._check import InputError, require
from featlearn._record import record


@record(numbers=("eta", "inner"))
class Outer:
    """Two numbers, one of them a record, and a choice."""

    eta: float
    inner: object = None
    name: str = "plain"

    def __post_init__(self) -> None:
        require(self.eta > 0, "Outer(eta)", "a positive number", self.eta)


def test_only_the_numbers_are_leaves_and_they_carry_their_names():
    nested = Outer(eta=1.0, inner=Outer(eta=2.0))
    leaves = jax.tree_util.tree_leaves_with_path(nested)
    assert [(jax.tree_util.keystr(path), leaf) for path, leaf in leaves] == [
        (".eta", 1.0),
        (".inner.eta", 2.0),
    ]


def test_a_record_comes_back_from_its_leaves_unchanged():
    one = Outer(eta=1.0, inner=Outer(eta=2.0, name="other"), name="mine")
    leaves, shape = jax.tree.flatten(one)
    assert jax.tree.unflatten(shape, leaves) == one


def test_checks_run_for_callers_and_not_inside_jax():
    with pytest.raises(InputError):
        Outer(eta=-1.0)
    with pytest.raises(InputError):
        dataclasses.replace(Outer(eta=1.0), eta=-1.0)
    assert jax.tree.map(lambda leaf: -leaf, Outer(eta=1.0)).eta == -1.0


def test_other_numbers_share_a_program_and_other_choices_do_not():
    program: Any = jax.jit(lambda one: one.eta * 2)
    for eta in (1.0, 2.0, 3.0):
        assert program(Outer(eta=eta)) == 2 * eta
    assert program._cache_size() == 1
    program(Outer(eta=1.0, name="other"))
    assert program._cache_size() == 2


def test_a_record_is_frozen_and_takes_keywords_only():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Outer(eta=1.0).eta = 2.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        Outer(1.0)  # type: ignore[call-arg]


def test_records_can_be_differentiated_through():
    slope = jax.grad(lambda one: jnp.sin(one.eta) + one.inner.eta**2)
    at = slope(Outer(eta=0.5, inner=Outer(eta=3.0)))
    assert float(at.eta) == pytest.approx(float(jnp.cos(0.5)))
    assert float(at.inner.eta) == pytest.approx(6.0)


def test_a_number_that_is_no_field_is_noticed_at_once():
    with pytest.raises(AssertionError, match="has no field"):

        @record(numbers=("etta",))
        class Misspelt:
            eta: float


def test_a_part_of_one_s_own_fits_by_what_it_can_do():
    class Ones:
        def draw(self, shape, *, key):
            return jnp.ones(shape)

    start = fl.TwoLayer(d=2, width=2, w=Ones(), a=fl.Signs(size=1.0), scaling="one")
    assert start.init(key=jax.random.key(0)).w.tolist() == [[1, 1], [1, 1]]

"""Every random configuration trains a few steps, or is refused in one sentence; none breaks.

Fields are drawn by their types, valid or not, around a toy configuration of a random experiment.
The gate builds 50 and trains one in ten of them; `make test-slow` trains 1000.
"""

import types
import typing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from featlearn._check import InputError
from featlearn._config import field_types, replace
from featlearn.experiments.run import run
from featlearn.reproduction.catalogue import experiments

EXPERIMENTS = dict(sorted(experiments().items()))
TOY = {
    "d": 6,
    "dictionary": 5,
    "k": 3,
    "width": 8,
    "steps": 3,
    "samples": 20,
    "batch": 5,
    "batch_ratio": 1.0,
    "first_batch": 20,
    "test": 20,
    "records": 2,
    "epochs": 1,
    "positive": (1, 3),
}
"""Sizes at which a run takes a second."""
INTEGERS = st.sampled_from([-1, 0, 1, 2, 3, 4, 5, 7, 12])
NUMBERS = st.sampled_from([-1.0, 0.0, 1e-9, 0.01, 0.3, 0.5, 1.0, 3.0, float("nan"), float("inf")])


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type, of which many make no sense."""
    origin, options = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return st.one_of(*map(values, options))
    if origin is typing.Literal:
        return st.sampled_from(options)
    if origin is tuple:
        return st.lists(values(options[0]), max_size=6).map(tuple)
    simple = {int: INTEGERS, float: NUMBERS, bool: st.booleans(), type(None): st.none()}
    return simple.get(kind, st.sampled_from(["", "x", "../<y>"]))


def kinds_of(identity: str) -> dict[str, Any]:
    """The fields of an experiment and their types."""
    cls: Any = type(EXPERIMENTS[identity].config)
    return field_types(cls)


def toy_of(identity: str) -> dict[str, Any]:
    """The sizes that this experiment has."""
    return {name: value for name, value in TOY.items() if name in kinds_of(identity)}


@st.composite
def configurations(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """An experiment and some of its fields."""
    identity = draw(st.sampled_from(list(EXPERIMENTS)))
    kinds, toy = kinds_of(identity), toy_of(identity)
    changed = draw(st.lists(st.sampled_from(sorted(kinds)), max_size=3, unique=True))
    return identity, {**toy, **{name: draw(values(kinds[name])) for name in changed}}


def try_it(identity: str, changes: dict[str, Any], *, train: bool) -> str:
    """What became of a configuration: refused, built or trained."""
    named = EXPERIMENTS[identity]
    try:
        config = replace(named.config, changes, where=identity)
        config.experiment()
        if train:
            run(named, seeds=1, **changes)
    except InputError as refusal:
        sentence = str(refusal)
        assert ": expected " in sentence
        assert "\n" not in sentence
        return "refused"
    return "trained" if train else "built"


# One of its own, so that numbers are drawn alike on every machine and by every worker.
always = settings(derandomize=True, suppress_health_check=list(HealthCheck))


def test_fifty_are_built_or_refused():
    seen: list[str] = []

    @settings(always, max_examples=50)
    @given(configurations())
    def attempt(drawn):
        seen.append(try_it(*drawn, train=len(seen) % 10 == 0))

    attempt()
    assert {"refused", "built"} <= set(seen)


@pytest.mark.slow
@settings(always, max_examples=1000)
@given(configurations())
def test_a_thousand_are_trained_or_refused(drawn):
    try_it(*drawn, train=True)


@pytest.mark.parametrize("identity", list(EXPERIMENTS))
def test_the_toy_itself_is_valid(identity):
    assert try_it(identity, toy_of(identity), train=False) == "built"

"""Descriptions: equal for equal values in any process, different for each flipped field."""

import dataclasses
import functools
import json
import math
import subprocess
import sys
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import featlearn as fl
from featlearn._check import InputError
from featlearn._describe import ByCode, by_code, describe, digest_of, importable

NET = fl.TwoLayer(d=4, width=6, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")
EXPERIMENT = fl.Experiment(
    fl.Parity(d=4),
    NET,
    fl.SGD(eta=0.2, batch=16, steps=6, loss=fl.logistic),
    record=[fl.HeldOut(samples=50)],
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(PLAIN)
def test_a_description_is_json_and_the_same_twice(value):
    assert json.dumps(describe(value), sort_keys=True) == json.dumps(
        describe(value), sort_keys=True
    )


def test_numbers_are_alike_however_they_are_written():
    assert describe(1) == describe(1.0) == describe(np.float32(1)) == describe(jnp.asarray(1.0))
    assert describe(True) is True
    assert describe(0.1) != describe(0.1 + 1e-16 * 2**3)
    assert describe(math.inf) != describe(-math.inf)
    assert describe(np.array([1.0, 2.0])) != describe(np.array([1.0, 2.5]))
    assert describe(np.array([1.0])) != describe(np.array([1], np.float32))


def flipped(value: Any) -> Any:
    """Another value for a field, of about the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value * 2 + 2
    if isinstance(value, str):
        return {"one": "sqrt", "boolean": "gaussian", "none": "mirrored"}.get(value, value + "x")
    return value


RECORDS = [NET, fl.Parity(d=4), fl.HeldOut(samples=50), fl.Plain(eta=0.2), fl.Fresh(batch=4)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda each: type(each).__name__)
def test_every_flipped_field_is_another_description(record):
    known = {digest_of(record)}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if field.name in ("sign", "k") or flipped(value) is value:
            continue
        other = object.__new__(type(record))  # fields may depend on each other: no checks here
        for each in dataclasses.fields(record):
            object.__setattr__(other, each.name, getattr(record, each.name))
        object.__setattr__(other, field.name, flipped(value))
        assert digest_of(other) not in known, field.name
        known.add(digest_of(other))


def test_defaults_count_and_so_does_the_type():
    assert "rho" in describe(fl.Margins())
    assert digest_of(fl.Plain(eta=0.1)) != digest_of(fl.Momentum(eta=0.1, beta=0.0))


def make(power: int) -> Any:
    return lambda x: x**power


def test_functions_are_told_by_name_or_by_code():
    assert describe(math.sqrt) == {"function": "math.sqrt"}
    assert importable(make)
    assert not importable(make(2))
    assert describe(make(2)) == describe(make(2)) != describe(make(3))
    assert describe(functools.partial(make, 2)) != describe(functools.partial(make, 3))

    def explained(x):
        """One text."""
        return x + 1

    def other(x):
        """Another text, and other lines."""

        return x + 1

    assert describe(explained) == describe(other)

    def recursive(n):
        return recursive(n - 1) if n else 0

    assert describe(recursive) == describe(recursive)


def test_functions_with_the_same_code_are_one_choice_of_a_record():
    one, two = by_code(make(2)), by_code(make(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != by_code(make(3))
    assert isinstance(one, ByCode)
    assert one(3) == 9
    assert by_code(math.sqrt) is math.sqrt


def test_what_cannot_be_described_is_refused_in_a_sentence():
    with pytest.raises(InputError, match=r"a value to be named: expected numbers, .* got object"):
        describe(object())


IN_ANOTHER_PROCESS = """
import featlearn as fl
from featlearn._describe import digest_of
net = fl.TwoLayer(d=4, width=6, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")
how = fl.SGD(eta=0.2, batch=16, steps=6, loss=fl.logistic)
print(digest_of(fl.Experiment(fl.Parity(d=4), net, how, record=[fl.HeldOut(samples=50)])))
"""


def test_an_experiment_has_the_same_description_in_another_process():
    done = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == digest_of(EXPERIMENT)

"""One file for any value: what goes in comes out, and nothing that is not asked for."""

import dataclasses
import enum
import json
import math
import pickle
import zipfile
from typing import NamedTuple

import hypothesis.strategies as st
import numpy as np
import pytest
import xarray as xr
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays

from featlearn._check import InputError
from featlearn.results import codec
from featlearn.results.codec import load, records_in, save


class Side(enum.Enum):
    LEFT = "l"


class Pair(NamedTuple):
    a: np.ndarray
    b: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Point:
    x: tuple[float, ...]
    side: Side
    pair: Pair | None = None
    inner: "Point | None" = None


RECORDS = (Side, Pair, Point)
PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=True), st.text()
)
DTYPES = st.sampled_from(["f4", "f8", "i4", "i8", "u1", "b1", "c16", "U3"])
VALUES = st.recursive(
    st.one_of(PLAIN, DTYPES.flatmap(lambda d: arrays(d, array_shapes(min_dims=0, max_side=3)))),
    lambda inside: st.one_of(
        st.lists(inside, max_size=3),
        st.lists(inside, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=4), st.integers(0, 9)), inside, max_size=3),
    ),
    max_leaves=8,
)


def same(a, b):
    """Whether two values are equal in type and content, NaN included."""
    if isinstance(a, np.ndarray):
        alike = isinstance(b, np.ndarray) and a.dtype == b.dtype
        return alike and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a):
        return math.isnan(b)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


@given(value=VALUES)
def test_plain_values_and_arrays_come_back(value, tmp_path_factory):
    file = tmp_path_factory.mktemp("codec") / "x.npz"
    save(file, value)
    assert same(load(file), value)
    again = file.with_name("y.npz")
    save(again, value)
    assert again.read_bytes() == file.read_bytes(), "equal values give equal files"


def test_records_and_labelled_arrays_come_back(tmp_path, rng):
    point = Point(x=(1.0, math.inf), side=Side.LEFT, pair=Pair(a=np.arange(3), b=0.5))
    outer = Point(x=(), side=Side.LEFT, inner=point)
    data = xr.Dataset(
        {"loss": (("seed", "step"), rng.normal(size=(2, 3)), {"meaning": "held out"})},
        {"seed": [4, 5], "name": ("step", ["a", "b", "c"]), "at": ("seed", [np.nan, 2.0])},
        attrs={"of": "a test"},
    )
    save(tmp_path / "x.npz", {"point": outer, "data": data})
    back = load(tmp_path / "x.npz", RECORDS)
    assert back["point"].inner.x == (1.0, math.inf)
    assert back["point"].inner.side is Side.LEFT
    np.testing.assert_array_equal(back["point"].inner.pair.a, np.arange(3))
    xr.testing.assert_identical(back["data"], data)
    save(tmp_path / "y.npz", data)
    some = load(tmp_path / "y.npz", only=[])
    assert (list(some.data_vars), set(some.coords)) == ([], {"seed", "name", "at"})


def test_the_records_of_a_type_are_those_of_its_fields():
    assert records_in(tuple[Point, ...]) == {Point, Side, Pair}
    assert records_in(dict[str, np.ndarray]) == set()


@pytest.mark.parametrize("value", [object(), {1, 2}, lambda: 0, np.array([object()])])
def test_what_cannot_be_stored_is_refused(value, tmp_path):
    with pytest.raises(InputError, match="to be stored: expected"):
        save(tmp_path / "x.npz", value)


def test_records_that_nobody_asked_for_are_refused(tmp_path):
    save(tmp_path / "x.npz", Point(x=(), side=Side.LEFT))
    with pytest.raises(InputError, match="records of the types plain data alone, got"):
        load(tmp_path / "x.npz")


class Trap:
    """Unpickling it fails the test."""

    def __reduce__(self):
        return pytest.fail, ("something was unpickled",)


def forged(tmp_path, members):
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return tmp_path / "x.npz"


def test_nothing_is_unpickled(tmp_path):
    np.save(tmp_path / "trap.npy", np.array([Trap()], dtype=object), allow_pickle=True)
    structure = json.dumps({"array": "trap"})
    array = (tmp_path / "trap.npy").read_bytes()
    for trap in (array, pickle.dumps(Trap())):
        file = forged(tmp_path, {"structure.json": structure, "trap.npy": trap})
        with pytest.raises(InputError, match=r"numbers or texts, got object|got ValueError"):
            load(file)


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"structure.json": "{"},
        {"structure.json": '{"array": "../../etc"}'},
        {"structure.json": '{"record": "os.system", "fields": {}}'},
        {"structure.json": "[" * 100_000},
        {"structure.json": '{"dataset": {}}'},
    ],
)
def test_a_forged_file_is_one_sentence(members, tmp_path):
    with pytest.raises(InputError):
        load(forged(tmp_path, members), RECORDS)


def test_a_file_that_unfolds_to_too_much_is_not_unfolded(tmp_path, monkeypatch):
    save(tmp_path / "x.npz", np.zeros(10_000))
    monkeypatch.setattr(codec, "MAX_BYTES", 10_000)
    with pytest.raises(InputError, match="expected at most 10000 bytes"):
        load(tmp_path / "x.npz")

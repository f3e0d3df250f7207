"""One file for any result: plain values, arrays, records and labelled arrays, in one .npz.

    structure.json     the value, with a name in the place of every array
    <name>.npy         the arrays; those of labelled arrays go by their own names

`numpy.load` opens such a file anywhere. Equal values give equal bytes. What is read back is plain
data and records of the types that the reader names, nothing else: nothing is unpickled.
"""

import dataclasses
import enum
import json
import math
import re
import types
import typing
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from featlearn._check import InputError, require
from featlearn._describe import type_name

if TYPE_CHECKING:
    import xarray as xr

STRUCTURE = "structure.json"
LEVEL = 1
"""Of compression: the quickest."""
LARGEST = 8 * 2**30
"""Bytes that a file may unfold to."""
_PLAIN = re.compile(r"[\w.-]{1,60}")


def save(path: Path, value: object, *, compressed: bool = True) -> None:
    """Write a value into a new file; uncompressed where it is soon removed again."""
    arrays: dict[str, np.ndarray] = {}
    structure = _encode(value, arrays, "array")
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with (
        path.open("wb") as target,
        zipfile.ZipFile(target, "w", method, compresslevel=LEVEL) as file,
    ):
        file.writestr(_member(STRUCTURE, method), json.dumps(structure, allow_nan=False))
        for name, array in arrays.items():
            with file.open(_member(f"{name}.npy", method), "w", force_zip64=True) as handle:
                np.lib.format.write_array(handle, array, allow_pickle=False)


def load(path: Path, records: Iterable[type] = (), only: Iterable[str] | None = None) -> Any:
    """The value of a file.

    Args:
        path: the file.
        records: the types of records and enumerations that may be in it.
        only: of labelled arrays these alone; None is all.
    """
    known = {type_name(each): each for each in records}
    wanted = None if only is None else set(only)
    try:
        with zipfile.ZipFile(path) as file:
            size = sum(member.file_size for member in file.infolist())
            require(size <= LARGEST, str(path), f"at most {LARGEST} bytes", size)
            structure = json.loads(file.read(STRUCTURE))

            def array(name: str) -> np.ndarray:
                with file.open(f"{name}.npy") as handle:
                    found: np.ndarray = np.lib.format.read_array(handle, allow_pickle=False)
                    return found

            return _decode(structure, array, known, wanted)
    except InputError:
        raise
    except Exception as error:  # whatever a file of somebody else's may hold
        hint = "Use --fresh to compute it again."
        raise InputError(str(path), "a stored result", type(error).__name__, hint) from None


def records_in(hint: object) -> set[type]:
    """The records and enumerations that a value of this type may hold: a field's, and so on.

    Example:
        >>> sorted(kind.__name__ for kind in records_in(tuple[_Example, ...]))
        ['_Example', '_Kind']
    """
    found: set[type] = set()
    waiting = [hint]
    while waiting:
        each = waiting.pop()
        if isinstance(each, types.GenericAlias) or typing.get_origin(each) is not None:
            waiting += typing.get_args(each)
        elif isinstance(each, type) and each not in found and _is_record(each):
            found.add(each)
            if not issubclass(each, enum.Enum):
                waiting += typing.get_type_hints(each).values()
    return found


def nbytes(value: object) -> int:
    """About how much memory a value takes: that of its arrays."""
    arrays: dict[str, np.ndarray] = {}
    _encode(value, arrays, "array")
    return sum(array.nbytes for array in arrays.values())


class _Kind(enum.Enum):
    A = "a"


@dataclasses.dataclass(frozen=True)
class _Example:
    kind: _Kind


def _is_record(kind: type) -> bool:
    named_tuple = issubclass(kind, tuple) and hasattr(kind, "_fields")
    return dataclasses.is_dataclass(kind) or issubclass(kind, enum.Enum) or named_tuple


def _member(name: str, method: int) -> zipfile.ZipInfo:
    """A member without a date, so that equal values give equal files."""
    info = zipfile.ZipInfo(name)
    info.compress_type = method
    return info


def _encode(value: object, arrays: dict[str, np.ndarray], name: str) -> object:
    def inside(each: object, called: object = name) -> object:
        return _encode(each, arrays, str(called))

    if isinstance(value, enum.Enum):
        return {"enum": type_name(type(value)), "name": value.name}
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = {each: inside(getattr(value, each), each) for each in value._fields}
        return {"record": type_name(type(value)), "fields": parts}
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [inside(each) for each in value]}
    if isinstance(value, dict):
        return {"dict": [[inside(key), inside(each, key)] for key, each in value.items()]}
    if type(value).__name__ == "Dataset" and hasattr(value, "data_vars"):
        return {"dataset": _dataset(cast("xr.Dataset", value), inside)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [each.name for each in dataclasses.fields(value) if each.init]
        parts = {each: inside(getattr(value, each), each) for each in fields}
        return {"record": type_name(type(value)), "fields": parts}
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return {"array": _kept(np.asarray(value), arrays, name)}
    raise InputError(
        "a result to be stored",
        "numbers, texts, arrays, records, or lists and tables of them",
        type_name(type(value)),
    )


def _kept(array: np.ndarray, arrays: dict[str, np.ndarray], name: str) -> str:
    """Put an array among the others under a name of its own."""
    require(array.dtype.kind in "biufcUS", "an array to be stored", "numbers or texts", array.dtype)
    plain = name if _PLAIN.fullmatch(name) else "array"
    chosen, count = plain, 1
    while chosen in arrays or chosen == STRUCTURE:
        count += 1
        chosen = f"{plain}-{count}"
    arrays[chosen] = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return chosen


def _dataset(
    dataset: "xr.Dataset", inside: Callable[[object, object], object]
) -> dict[str, object]:
    return {
        "attributes": inside(dict(dataset.attrs), "attributes"),
        "coordinates": [str(name) for name in dataset.coords],
        "variables": {
            str(name): {
                "dims": list(variable.dims),
                "attributes": inside(dict(variable.attrs), "attributes"),
                "values": inside(np.asarray(variable.values), name),
            }
            for name, variable in dataset.variables.items()
        },
    }


def _decode(
    told: object,
    array: Callable[[str], np.ndarray],
    known: dict[str, type],
    only: set[str] | None,
) -> Any:
    def inside(each: object) -> Any:
        return _decode(each, array, known, only)

    if not isinstance(told, dict):
        return told
    if "array" in told:
        return array(told["array"])
    if "list" in told:
        return [inside(each) for each in told["list"]]
    if "tuple" in told:
        return tuple(inside(each) for each in told["tuple"])
    if "dict" in told:
        return {inside(key): inside(each) for key, each in told["dict"]}
    if "float" in told:
        return float(told["float"])
    if "dataset" in told:
        return _as_dataset(told["dataset"], inside, only)
    name = told.get("enum") or told.get("record")
    if name not in known:
        listed = ", ".join(known) or "plain data alone"
        raise InputError("a stored result", f"records of the types {listed}", name)
    kind: Any = known[name]
    if "enum" in told:
        return kind[told["name"]]
    return kind(**{each: inside(value) for each, value in told["fields"].items()})


def _as_dataset(
    told: dict[str, Any], inside: Callable[[object], Any], only: set[str] | None
) -> "xr.Dataset":
    import xarray as xr

    coordinates = set(told["coordinates"])
    found: dict[bool, dict[str, tuple[object, ...]]] = {True: {}, False: {}}
    for name, variable in told["variables"].items():
        if only is None or name in only or name in coordinates:
            parts = (variable["dims"], inside(variable["values"]), inside(variable["attributes"]))
            found[name in coordinates][name] = parts
    return xr.Dataset(found[False], found[True], attrs=inside(told["attributes"]))

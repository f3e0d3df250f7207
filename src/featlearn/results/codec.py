"""Save and load any result as one .npz file: plain values, arrays, records, labelled arrays.

    structure.json     the value, with a name instead of every array
    <name>.npy         the arrays; labelled arrays keep their own names

`numpy.load` can open such a file. Equal values give equal bytes. Loading returns plain data and
records of the types that the caller lists; nothing is unpickled.
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
COMPRESSION_LEVEL = 1
"""The level of compression; 1 is the quickest."""
COMPRESSED_BYTES = 2**16
"""Smaller arrays are stored as they are: the numbers of a training shrink by a tenth only, and
compressing them takes longer than writing them."""
MAX_BYTES = 8 * 2**30
"""The largest size in bytes of the contents of a file."""
PLAIN_KINDS = "biufcUS"
"""Kinds of arrays that are written and read: truth values, numbers, texts and bytes."""
_PLAIN = re.compile(r"[\w.-]{1,60}")


def save(path: Path, value: object, *, compressed: bool = True) -> None:
    """Write a value into a new file; checkpoints, which are soon removed, are not compressed."""
    arrays: dict[str, np.ndarray] = {}
    structure = _encode(value, arrays, "array")
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with (
        path.open("wb") as target,
        zipfile.ZipFile(target, "w", method, compresslevel=COMPRESSION_LEVEL) as file,
    ):
        file.writestr(_member(STRUCTURE, method), json.dumps(structure, allow_nan=False))
        for name, array in arrays.items():
            small = array.nbytes < COMPRESSED_BYTES
            member = _member(f"{name}.npy", zipfile.ZIP_STORED if small else method)
            with file.open(member, "w", force_zip64=True) as handle:
                np.lib.format.write_array(handle, array, allow_pickle=False)


def load(path: Path, records: Iterable[type] = (), only: Iterable[str] | None = None) -> Any:
    """Load the value that is stored in a file.

    Args:
        path: the file.
        records: the types of records and enumerations that may be in it.
        only: the names of the labelled arrays to load; None loads all.
    """
    known = {type_name(each): each for each in records}
    wanted = None if only is None else set(only)
    try:
        with zipfile.ZipFile(path) as file:
            size = sum(member.file_size for member in file.infolist())
            require(size <= MAX_BYTES, str(path), f"at most {MAX_BYTES} bytes", size)
            structure = json.loads(file.read(STRUCTURE))

            def array(name: str) -> np.ndarray:
                _require_plain(file, f"{name}.npy")
                with file.open(f"{name}.npy") as handle:
                    found: np.ndarray = np.lib.format.read_array(handle, allow_pickle=False)
                    return found

            return _decode(structure, array, known, wanted)
    except InputError:
        raise
    except Exception as error:  # the file may have any content
        hint = "Use --fresh to compute it again."
        raise InputError(str(path), "a stored result", type(error).__name__, hint) from None


def _require_plain(file: zipfile.ZipFile, name: str) -> None:
    """Refuse an array that has other entries than numbers or text, or is larger than its file."""
    with file.open(name) as handle:
        version = np.lib.format.read_magic(handle)
        read = {(1, 0): np.lib.format.read_array_header_1_0}.get(version)
        read = read or {(2, 0): np.lib.format.read_array_header_2_0}.get(version)
        require(read is not None, name, "an array of format 1.0 or 2.0", version)
        assert read is not None
        shape, _, dtype = read(handle)
    require(dtype.kind in PLAIN_KINDS, name, "numbers or texts", dtype)
    size, there = math.prod(shape) * dtype.itemsize, file.getinfo(name).file_size
    require(size <= there, name, f"at most the {there} bytes of its file", size)


def records_in(hint: object) -> set[type]:
    """Return all types of records and enumerations inside a type, with those of records' fields.

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
    """Return the total size in bytes of all arrays in a value."""
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
    """Return the header of a file in the archive, without a date: equal values give equal bytes."""
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
        return {"array": _add_array(np.asarray(value), arrays, name)}
    raise InputError(
        "a result to be stored",
        "numbers, texts, arrays, records, or lists and tables of them",
        type_name(type(value)),
    )


def _add_array(array: np.ndarray, arrays: dict[str, np.ndarray], name: str) -> str:
    """Add an array to `arrays` under a name that is still free, and return that name."""
    require(
        array.dtype.kind in PLAIN_KINDS, "an array to be stored", "numbers or texts", array.dtype
    )
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
    encoded: object,
    array: Callable[[str], np.ndarray],
    known: dict[str, type],
    only: set[str] | None,
) -> Any:
    def inside(each: object) -> Any:
        return _decode(each, array, known, only)

    if not isinstance(encoded, dict):
        return encoded
    if "array" in encoded:
        return array(encoded["array"])
    if "list" in encoded:
        return [inside(each) for each in encoded["list"]]
    if "tuple" in encoded:
        return tuple(inside(each) for each in encoded["tuple"])
    if "dict" in encoded:
        return {inside(key): inside(each) for key, each in encoded["dict"]}
    if "float" in encoded:
        return float(encoded["float"])
    if "dataset" in encoded:
        return _as_dataset(encoded["dataset"], inside, only)
    name = encoded.get("enum") or encoded.get("record")
    if name not in known:
        listed = ", ".join(known) or "plain data alone"
        raise InputError("a stored result", f"records of the types {listed}", name)
    kind: Any = known[name]
    if "enum" in encoded:
        return kind[encoded["name"]]
    return kind(**{each: inside(value) for each, value in encoded["fields"].items()})


def _as_dataset(
    encoded: dict[str, Any], inside: Callable[[object], Any], only: set[str] | None
) -> "xr.Dataset":
    import xarray as xr

    coordinates = set(encoded["coordinates"])
    found: dict[bool, dict[str, tuple[object, ...]]] = {True: {}, False: {}}
    for name, variable in encoded["variables"].items():
        if only is None or name in only or name in coordinates:
            parts = (variable["dims"], inside(variable["values"]), inside(variable["attributes"]))
            found[name in coordinates][name] = parts
    return xr.Dataset(found[False], found[True], attrs=inside(encoded["attributes"]))

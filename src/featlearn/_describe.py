"""Describe a value as JSON, so that values are equal exactly if their descriptions are.

Records are described by their type and every field, defaults included; arrays by type, shape and
content. The numbers 1 and 1.0 have the same description. A function that can be imported is
described by its name; any other (a lambda, a closure, a partial, a function from a notebook cell)
by its code without line numbers, file name and docstring, with its defaults and the values it
closes over.
"""

import dataclasses
import enum
import functools
import hashlib
import json
import math
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from featlearn._check import InputError


def describe(value: object) -> Any:
    """Describe the value as a JSON document; raise `InputError` if that is impossible.

    Example:
        >>> describe({"eta": 1.0, "sizes": (1, 2.5)})
        {'dict': [['eta', 1], ['sizes', [1, 2.5]]]}
        >>> describe(math.sqrt), describe(lambda x: x + 1) == describe(lambda x: x + 1)
        ({'function': 'math.sqrt'}, True)
    """
    return _described(value, ())


def digest_of(value: object) -> str:
    """Return a checksum of the description of a value."""
    text = json.dumps(describe(value), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def type_name(kind: type) -> str:
    """Return the public name of a type, which stays the same when a module of featlearn moves.

    A type that a user defined in a file is named after that file.
    """
    package = kind.__module__.split(".")[0]
    if package == "featlearn":
        return f"featlearn.{kind.__qualname__}"
    if package == "builtins":
        return kind.__qualname__
    module = getattr(sys.modules.get(kind.__module__), "__public_name__", kind.__module__)
    return f"{module}.{kind.__qualname__}"


def importable(function: object) -> bool:
    """Return whether a function or a type can be imported by its name, in other processes too."""
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", None)
    if not module or not name or module == "__main__" or "<" in name:
        return False
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is function


def _described(value: object, inside: tuple[int, ...]) -> object:
    if isinstance(value, enum.Enum):
        return {"enum": f"{type_name(type(value))}.{value.name}"}
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return _number(value)
    if id(value) in inside:  # a recursive function closes over itself
        return {"again": len(inside) - inside.index(id(value))}
    inside = (*inside, id(value))
    if isinstance(value, (bytes, complex, range, slice, type(Ellipsis))):
        return {type(value).__name__: repr(value)}
    if isinstance(value, (tuple, list)):
        listed = [_described(each, inside) for each in value]
        return (
            {"type": type_name(type(value)), "items": listed} if _is_named_tuple(value) else listed
        )
    if isinstance(value, (set, frozenset)):
        listed = [_described(each, inside) for each in value]
        return {"set": sorted(listed, key=lambda each: json.dumps(each, sort_keys=True))}
    if isinstance(value, Mapping):
        pairs = [[_described(k, inside), _described(v, inside)] for k, v in value.items()]
        return {"dict": sorted(pairs, key=lambda pair: json.dumps(pair[0], sort_keys=True))}
    if isinstance(value, type):
        return {"type": type_name(value)}
    if dataclasses.is_dataclass(value):
        counted = [f.name for f in dataclasses.fields(value) if f.metadata.get("hashed", True)]
        parts = {name: _described(getattr(value, name), inside) for name in counted}
        return {"type": type_name(type(value)), **parts}
    if callable(value):
        return _function(value, inside)
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return _array(value)
    if isinstance(value, types.ModuleType):
        return {"module": value.__name__}
    raise InputError(
        "a value to be named",
        "numbers, texts, arrays, records, functions, or lists and tables of them",
        type_name(type(value)),
        "Make its class a record with `fl.record`, or run without a store.",
    )


def _is_named_tuple(value: object) -> bool:
    """Return whether a tuple or list is an instance of a subclass, such as a named tuple."""
    return type(value) not in (tuple, list)


def _number(value: int | float) -> object:
    """Describe whole numbers as integers, and numbers that are not finite as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": repr(float(value))}
    return int(value) if float(value).is_integer() else float(value)


def _array(value: object) -> object:
    import numpy as np

    array = np.asarray(value)
    if array.shape == ():
        return _described(array.item(), ())
    content = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return {"array": [str(array.dtype), list(array.shape), content]}


def _function(value: Any, inside: tuple[int, ...]) -> object:
    if isinstance(value, ByCode):
        return _described(value.function, inside)
    if importable(value):
        module = getattr(sys.modules.get(value.__module__), "__public_name__", value.__module__)
        return {"function": f"{module}.{value.__qualname__}"}
    if isinstance(value, functools.partial):
        parts = (value.func, value.args, value.keywords)
        return {"partial": [_described(part, inside) for part in parts]}
    if isinstance(value, types.MethodType):
        of = [_described(value.__self__, inside), value.__func__.__name__]
        return {"method": of}
    if isinstance(value, (staticmethod, classmethod)):
        return _described(value.__func__, inside)
    if isinstance(value, types.FunctionType):
        cells = [_cell(cell, inside) for cell in value.__closure__ or ()]
        settings = _described([value.__defaults__, value.__kwdefaults__], inside)
        return {"code": _code(value.__code__, value.__doc__), "settings": settings, "over": cells}
    if hasattr(value, "__wrapped__"):  # such as a jitted function
        return {"wrapped": _described(value.__wrapped__, inside)}
    raise InputError(
        "a function to be named", "a function whose code can be read", type_name(type(value))
    )


def _cell(cell: types.CellType, inside: tuple[int, ...]) -> object:
    try:
        return _described(cell.cell_contents, inside)
    except ValueError:  # not filled yet
        return {"empty": True}


def _code(code: types.CodeType, doc: str | None = None) -> str:
    """Return a checksum of what the code does, which ignores its position in a file and its
    docstrings.
    """
    constants = [
        _code(each) if isinstance(each, types.CodeType) else _constant(each)
        for place, each in enumerate(code.co_consts)
        if not (place == 0 and doc is not None and each == doc)
    ]
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    parts = [code.co_code.hex(), constants, code.co_names, arguments, code.co_freevars]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _constant(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


class ByCode:
    """Wraps a function so that it is equal to any function with the same code, such as a worker's
    copy.

    Records that hold such wrapped functions are then equal too, and share their compiled programs.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function
        self.digest = digest_of(function)
        self.__name__ = getattr(function, "__name__", type(function).__name__)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self.function(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByCode) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<function {self.__name__} {self.digest[:12]}>"


def by_code(value: Any) -> Any:
    """Wrap a function that cannot be imported in `ByCode`; return anything else unchanged."""
    plain = isinstance(value, (types.FunctionType, functools.partial))
    if not plain or importable(value):
        return value
    try:
        return ByCode(value)
    except InputError:  # it closes over a value without description, so it equals only itself
        return value

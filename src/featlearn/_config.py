"""Configurations: frozen dataclasses of plain values, and what is derived from their fields.

The flags of a command, their help and the report's table of settings all come from the fields.
The string under a field is its help. This module imports nothing heavy, because every command of
the command line loads it.
"""

import ast
import dataclasses
import functools
import inspect
import textwrap
import types
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, runtime_checkable

from featlearn._check import InputError, require, suggestion
from featlearn._parse import PARSING


@runtime_checkable
class Dataclass(Protocol):
    """Any instance of a dataclass; every configuration is one."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]


if TYPE_CHECKING:  # unsaid it is any; type variables have defaults from Python 3.13 on
    import typing_extensions

    C = typing_extensions.TypeVar("C", bound=Dataclass, default=Any)
else:
    C = TypeVar("C", bound=Dataclass)
"""The class of a configuration."""


TypeForm = Any
"""A type as an annotation has it: a class, a union, a Literal. Python has no type for these yet."""


def fields(config: Dataclass) -> dict[str, Any]:
    """Return the fields of a configuration as name -> value, in order."""
    return {field.name: getattr(config, field.name) for field in dataclasses.fields(config)}


@functools.cache
def field_types(cls: type) -> dict[str, TypeForm]:
    """Return the fields of a configuration class as name -> type."""
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


@functools.cache
def field_help(cls: type) -> dict[str, str]:
    """Return the help of each field: the string below the field, in the class or a parent, on one
    line.

    Example:
        >>> field_help(_Example)
        {'d': 'Input dimension.'}
    """
    parents: list[type[Dataclass]] = [
        base for base in cls.__bases__ if dataclasses.is_dataclass(base)
    ]
    texts = {name: text for base in parents for name, text in field_help(base).items()}
    try:
        with PARSING:
            tree = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    except (OSError, TypeError):  # a class made at a prompt has no source
        return texts
    assert isinstance(tree, ast.ClassDef)
    for node, after in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            text = after.value if isinstance(after, ast.Expr) else None
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                texts[node.target.id] = " ".join(text.value.split())
    return texts


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Example:
    d: int = 10
    """Input dimension."""


def replace(config: C, changes: Mapping[str, object], where: str) -> C:
    """Return a copy of `config` with some fields changed; the error for an unknown name suggests a
    known one.
    """
    known = field_types(type(config))
    given, changes = changes, {name: plain(value) for name, value in changes.items()}
    for name, value in changes.items():
        if name not in known:
            hint = suggestion(name, known)
            raise InputError(where, "one of the fields " + ", ".join(known), repr(name), hint)
        long = [each for each in _whole_numbers(value) if abs(each) >= 2**63]
        require(not long, f"{where}: {name}", "integers of 64 bits", "one of more")
        told = repr(given[name])[:200]
        require(_fits(value, known[name]), f"{where}: {name}", type_name(known[name]), told)
    return dataclasses.replace(config, **changes)


def plain(value: Any) -> Any:
    """Convert a value to the form that configurations use: NumPy scalars become numbers, lists
    become tuples.

    Example:
        >>> import numpy as np
        >>> plain(np.float32(0.5)), plain(np.arange(3)), plain([np.int64(1)])
        (0.5, (0, 1, 2), (1,))
    """
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(map(plain, value)) if isinstance(value, (list, tuple, range)) else value


def _whole_numbers(value: Any) -> list[int]:
    several = value if isinstance(value, tuple) else (value,)
    return [each for each in several if isinstance(each, int)]


def changed_fields(config: Dataclass, default: Dataclass) -> dict[str, Any]:
    """Return the fields of `config` whose values differ from those in `default`."""
    other = fields(default)
    return {name: value for name, value in fields(config).items() if value != other[name]}


def parse(text: str, kind: Any, where: str) -> Any:
    """Read a value of type `kind` from the text of a flag.

    Example:
        >>> parse("64,128", tuple[int, ...], "--d"), parse("none", int | None, "--batch")
        ((64, 128), None)
    """
    origin, options = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if type(None) in options and text.lower() == "none":
            return None
        inner = [option for option in options if option is not type(None)]
        return parse(text, inner[0], where)
    if origin is tuple:
        return tuple(parse(part, options[0], where) for part in text.split(","))
    if origin is typing.Literal:
        named = {str(option): option for option in options}
        require(text in named, where, type_name(kind), repr(text))
        return named[text]
    if kind is bool:
        require(text.lower() in ("true", "false"), where, "true or false", repr(text))
        return text.lower() == "true"
    try:
        plain = kind not in (int, float) or (text.isascii() and "_" not in text)
        require(plain, where, type_name(kind), repr(text))
        return kind(text)
    except ValueError:
        raise InputError(where, type_name(kind), repr(text)) from None


def text_of(value: object) -> str:
    """Write a value as the text of a flag, which `parse` reads back.

    Example:
        >>> text_of((64, 128)), text_of(None), text_of(0.25), text_of(True)
        ('64,128', 'none', '0.25', 'true')
    """
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def flag(name: str) -> str:
    """Return the command line option that sets a field: `batch_ratio` has ``--batch-ratio``."""
    return "--" + name.replace("_", "-")


def _fits(value: object, kind: Any) -> bool:
    if kind is Any:
        return True
    origin, options = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, option) for option in options)
    if kind is type(None):
        return value is None
    if origin is tuple:
        return isinstance(value, (list, tuple)) and all(_fits(v, options[0]) for v in value)
    if origin is typing.Literal:
        return value in options
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(kind, type) and isinstance(value, kind)


def type_name(kind: Any) -> str:
    """Return the name of a type in words, for error messages."""
    origin, options = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(type_name(option) for option in options)
    if origin is tuple:
        return f"a list of {type_name(options[0]).removeprefix('a ').removeprefix('an ')}s"
    if origin is typing.Literal:
        return "one of " + ", ".join(map(repr, options))
    names = {int: "an integer", float: "a number", str: "a text", bool: "true or false"}
    return "none" if kind is type(None) else names.get(kind, str(kind))

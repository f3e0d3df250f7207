"""Frozen records as JAX pytrees: numbers are traced, sizes and choices are static.

A description such as a network or a phase of training has two kinds of field. *Numbers* (a step
size, a radius, a matrix) may change without changing the shape of any computation; *sizes and
choices* (a width, the name of a loss) decide what is computed. `record` tells JAX which is which,
so that all configurations of equal shape share one compiled program.

A field whose default is None may be a *blank*: a law, a network or a loss that the experiment fills
in with `filled`, so that users need not give it twice.
"""

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast, dataclass_transform

import jax

from featlearn._check import InputError, is_whole, require, suggestion
from featlearn._describe import by_code
from featlearn._fields import field_texts

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(
    undecorated: type | None = None, /, *, numbers: tuple[str, ...] = ()
) -> Callable[[type[T]], type[T]]:
    """Make a class a frozen keyword-only dataclass and a pytree whose leaves are `numbers`.

    The class also gets a method `replace`, unless it has one. JAX rebuilds a record without calling
    ``__init__`` and its checks, because the numbers are tracers then. Functions among the choices
    are compared by their code.

    Example:
        >>> @record(numbers=("eta",))
        ... class Rule:
        ...     eta: float
        ...     batch: int
        >>> jax.tree.leaves(Rule(eta=0.5, batch=10).replace(eta=0.25))
        [0.25]
    """

    hint = "Write @fl.record() with parentheses."
    require(undecorated is None, "record", "the names of fields", f"{undecorated}", hint)

    def decorate(cls: type[T]) -> type[T]:
        _check_types_first(cls)
        cls = dataclasses.dataclass(frozen=True, kw_only=True)(cls)
        names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
        static = [name for name in names if name not in numbers]
        assert set(numbers) <= set(names), f"{cls.__name__} has no field for {numbers}"

        def flatten(
            self: T,
        ) -> tuple[list[tuple[jax.tree_util.GetAttrKey, object]], tuple[object, ...]]:
            leaves = [(jax.tree_util.GetAttrKey(name), getattr(self, name)) for name in numbers]
            return leaves, tuple(by_code(getattr(self, name)) for name in static)

        def unflatten(choices: tuple[object, ...], values: Iterable[object]) -> T:
            self = object.__new__(cls)
            for name, value in zip((*static, *numbers), (*choices, *values), strict=True):
                object.__setattr__(self, name, value)
            return self

        jax.tree_util.register_pytree_with_keys(cls, flatten, unflatten)
        if "replace" not in vars(cls):
            cls.replace = _replace  # type: ignore[attr-defined]
        return cls

    return decorate


PLAIN: dict[object, tuple[type, ...]] = {
    int: (int,),
    float: (float, int),
    int | None: (int, type(None)),
    float | None: (float, int, type(None)),
}
"""Types of fields that are checked -> types of values that need no second look."""
NO_NUMBERS = (str, bytes, bool, complex, list, tuple, dict, set)


def _check_types_first(cls: type) -> None:
    """Make a class refuse texts, lists and None in its number fields, and values of another type in
    fields that hold a part such as a law or an activation, before its own checks run.

    A float field accepts everything else, because JAX passes tracers; an integer field accepts only
    whole numbers.
    """
    annotations = vars(cls).get("__annotations__", {})
    kinds = {name: kind for name, kind in annotations.items() if kind in PLAIN}
    parts = {name: found for name, kind in annotations.items() if (found := _part_types(kind))}
    own = vars(cls).get("__post_init__")
    if not kinds and not parts:
        return
    known: set[tuple[str, type]] = set()

    def __post_init__(self: Any) -> None:
        for name, kind in kinds.items():
            value = getattr(self, name)
            if type(value) not in PLAIN[kind]:
                _require_number(value, kind, f"{cls.__name__}({name})")
        for name, options in parts.items():
            value = getattr(self, name)
            if (name, type(value)) not in known:  # a protocol is slow to compare with
                _require_part(value, options, cls, name)
                known.add((name, type(value)))
        if own is not None:
            own(self)

    cls.__post_init__ = __post_init__  # type: ignore[attr-defined]


def _part_types(annotation: object) -> tuple[type, ...]:
    """Return the types that an annotation allows, if they are all featlearn's own or None; else
    nothing.

    Example:
        >>> from featlearn.networks import Activation
        >>> _part_types(Activation | None) == (Activation, type(None)), _part_types(int | None)
        (True, ())
    """
    options = annotation.__args__ if isinstance(annotation, types.UnionType) else (annotation,)
    ours = [option for option in options if option is not type(None)]
    if not all(isinstance(o, type) and o.__module__.startswith("featlearn.") for o in ours):
        return ()
    return cast(tuple[type, ...], options)


def _require_part(value: object, options: tuple[type, ...], cls: type, name: str) -> None:
    """Raise `InputError` if the value is of another type; a record of the user's own may stand in
    the place of a record of featlearn's, and whoever uses it asks for what is needed.
    """
    protocol = any(getattr(option, "_is_protocol", False) for option in options)
    its_own = dataclasses.is_dataclass(value) and not isinstance(value, type) and not protocol
    if isinstance(value, type) or not (isinstance(value, options) or its_own):
        named = " or ".join("None" if o is type(None) else o.__name__ for o in options)
        text = field_texts(cls).get(name, "")
        raise InputError(f"{cls.__name__}({name})", named, repr(value)[:200], text)


def _require_number(value: object, kind: object, where: str) -> None:
    whole = kind in (int, int | None)
    fits = is_whole(value) if whole else value is not None and not isinstance(value, NO_NUMBERS)
    require(fits, where, "a whole number" if whole else "a number", repr(value)[:200])


def replaced(self: T, changes: Mapping[str, object]) -> T:
    """Return a copy of the record with some fields changed; the error for an unknown name suggests
    a known one.
    """
    where, known = (
        type(self).__name__,
        [field.name for field in dataclasses.fields(cast(Any, self))],
    )
    for name in changes:
        expected = "one of the fields " + ", ".join(known)
        require(name in known, f"{where}.replace", expected, repr(name), suggestion(name, known))
    return cast(T, dataclasses.replace(cast(Any, self), **changes))


def _replace(self: T, **changes: object) -> T:
    """Return a copy of the record with some fields changed."""
    return replaced(self, changes)


def filled(self: T, **parts: object) -> T:
    """Return the record with the named fields filled in where they are None, also in records inside
    it.

    Example:
        >>> @record()
        ... class Look:
        ...     law: str | None = None
        ...     points: int = 5
        >>> filled(Look(), law="xor", network="two layers").law
        'xor'
    """
    if not dataclasses.is_dataclass(self) or isinstance(self, type):
        return self
    changes: dict[str, object] = {}
    for field in dataclasses.fields(self):
        value = getattr(self, field.name)
        if value is None and parts.get(field.name) is not None:
            changes[field.name] = parts[field.name]
        elif dataclasses.is_dataclass(value) and field.name not in _WHOLE:
            inner = filled(value, **parts)
            changes |= {field.name: inner} if inner is not value else {}
    return cast(T, dataclasses.replace(cast(Any, self), **changes)) if changes else self


_WHOLE = ("law", "rule")
"""Fields whose records are complete when they are given, so that `filled` does not enter them."""


def bound(value: T | None, where: str, what: str) -> T:
    """Return the value of a field that the experiment fills in; raise `InputError` if it is still
    None.
    """
    if value is None:
        hint = "Record it in an experiment, which fills it in, or give it."
        raise InputError(where, what, "none", hint)
    return value

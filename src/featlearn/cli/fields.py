"""Turn the fields of a configuration into flags: names, types, defaults and help.

The parser never sees the dataclass itself, because setting one flag must not reset the others. It
reports which flags were given, and these are applied to the configuration with
`dataclasses.replace`.
"""

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, cast

from cyclopts import Group, Parameter, Token, convert

from featlearn._check import require
from featlearn._config import field_help, field_types, fields, flag, parse

FIELDS = Group("Fields", sort_key=1)
COMMON = Group("Options", sort_key=2)


def parameters(configs: Iterable[Any], *, defaults: bool = True) -> list[inspect.Parameter]:
    """A keyword parameter for each field; the first configuration that has it defines it.

    A field whose type differs between configurations is passed on as text, which `own_fields`
    reads.
    """
    values: dict[str, Any] = {}
    texts: dict[str, str] = {}
    kinds: dict[str, list[Any]] = {}
    for config in configs:
        cls: Any = type(config)
        texts = {**field_help(cls), **texts}
        values = {**fields(config), **values}
        for name, kind in field_types(cls).items():
            kinds.setdefault(name, []).append(kind)
    return [
        _parameter(
            name, alike(kinds[name]), texts.get(name, ""), values[name] if defaults else None
        )
        for name in values
    ]


def alike(kinds: Sequence[Any]) -> Any:
    """The type if all types are equal, else None."""
    return kinds[0] if all(kind == kinds[0] for kind in kinds) else None


def own_fields(config: Any, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The `changes` to fields that this configuration has; texts are read as the fields' types."""
    kinds = field_types(cast(Any, type(config)))
    return {
        name: parse(value, kinds[name], flag(name)) if isinstance(value, str) else value
        for name, value in changes.items()
        if name in kinds
    }


def with_fields(
    call: Callable[..., int], extra: list[inspect.Parameter], title: str
) -> Callable[..., int]:
    """Wrap `call(..., **fields)` in a function whose signature lists all fields."""
    own = [
        parameter
        for parameter in inspect.signature(call).parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    taken = sorted({each.name for each in own} & {each.name for each in extra})
    require(not taken, "fields", "names that are no options of the command", ", ".join(taken))
    hints = typing.get_type_hints(call, include_extras=True)
    own = [parameter.replace(annotation=hints[parameter.name]) for parameter in own]
    order = sorted([*own, *extra], key=lambda parameter: parameter.kind)

    def command(*args: Any, **kwargs: Any) -> int:
        return call(*args, **kwargs)

    command.__signature__ = inspect.Signature(order)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in order}
    command.__doc__ = title
    return command


def plain_numbers(hint: Any, tokens: Sequence[Token]) -> Any:
    """Convert the words of an option as its type says; a number has no digits of other scripts."""
    for token in tokens:
        if hint in (int, float) and token.value:
            parse(token.value, hint, token.keyword or "argument")
    return convert(hint, tokens)


def _parameter(name: str, kind: Any, text: str, default: Any) -> inspect.Parameter:
    def read(hint: Any, tokens: Sequence[Token]) -> Any:
        text = ",".join(token.value for token in tokens)
        return text if kind is None else parse(text, kind, flag(name))

    if kind is bool:
        about = Parameter(help=text, group=FIELDS)
    else:
        note = ",".join(map(str, default)) if isinstance(default, tuple) else ""
        about = Parameter(
            help=text,
            group=FIELDS,
            converter=read,
            n_tokens=1,
            negative="",
            show_default=(lambda value: note) if note else default is not None,
        )
    shown = str if kind is None else kind
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[shown if default is not None else shown | None, about],
    )

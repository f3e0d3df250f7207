"""The one adaptor from a configuration to flags: names, types, defaults and help.

Flags are read from a *value*, never given to the parser as a dataclass: giving one flag must not
reset the others. What the parser reports as given is then applied with `dataclasses.replace`.
"""

import inspect
import typing
from collections.abc import Callable, Iterable
from typing import Annotated, Any

from cyclopts import Group, Parameter, Token

from featlearn._config import field_help, field_types, fields, parse

FIELDS = Group("Fields", sort_key=1)
COMMON = Group("Options", sort_key=2)


def parameters(configs: Iterable[Any], *, defaults: bool = True) -> list[inspect.Parameter]:
    """A keyword for each field that any of the configurations has; the first one speaks for it."""
    found: dict[str, inspect.Parameter] = {}
    for config in configs:
        cls: Any = type(config)
        kinds, texts = field_types(cls), field_help(cls)
        for name, value in fields(config).items():
            if name not in found:
                shown = value if defaults else None
                found[name] = _parameter(name, kinds[name], texts.get(name, ""), shown)
    return list(found.values())


def with_fields(
    call: Callable[..., int], extra: list[inspect.Parameter], title: str
) -> Callable[..., int]:
    """`call(..., **fields)` as a function whose signature spells the fields out."""
    own = [
        parameter
        for parameter in inspect.signature(call).parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    hints = typing.get_type_hints(call, include_extras=True)
    own = [parameter.replace(annotation=hints[parameter.name]) for parameter in own]
    order = sorted([*own, *extra], key=lambda parameter: parameter.kind)

    def command(*args: Any, **kwargs: Any) -> int:
        return call(*args, **kwargs)

    command.__signature__ = inspect.Signature(order)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in order}
    command.__doc__ = title
    return command


def _parameter(name: str, kind: Any, text: str, default: Any) -> inspect.Parameter:
    listed = typing.get_origin(kind) is tuple

    def convert(hint: Any, tokens: list[Token]) -> Any:
        return parse(tokens[0].value, kind, f"--{name.replace('_', '-')}")

    if listed:
        note = "" if default is None else ",".join(map(str, default))
        about = Parameter(
            help=text,
            group=FIELDS,
            converter=convert,
            n_tokens=1,
            negative="",
            show_default=(lambda value: note) if note else False,
        )
    else:
        about = Parameter(help=text, group=FIELDS)
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind if default is not None else kind | None, about],
    )

"""Add the texts of a class's fields to its docstring, for `help()` and the reference.

The string under a field is its text. `describe_fields` adds the texts of all fields to the
docstring of their class, as a section `Fields:`. The source is read only when somebody asks for the
docstring, so that importing a class costs nothing.
"""

import dataclasses
import inspect
from typing import Any, TypeVar

from featlearn._config import field_help

T = TypeVar("T", bound=type)

BLANKS = {
    "law": "The law of the data; left out, it is that of the experiment.",
    "network": "The network; left out, it is that of the experiment.",
    "loss": "The loss; left out, it is that of the phases.",
    "samples": "Number of points of the sample; left out, it is that of the phases.",
}
"""The texts of the fields that an experiment fills in, where nothing else is said."""


def field_texts(cls: type) -> dict[str, str]:
    """Return the text of each field of a dataclass, in order; it is empty for a field without text.

    Example:
        >>> field_texts(_Look)
        {'points': 'How many.', 'law': 'A law.'}
    """
    told = field_help(cls)
    return {
        field.name: told.get(field.name, BLANKS.get(field.name, "") if _is_blank(field) else "")
        for field in dataclasses.fields(cls)
        if not field.name.startswith("_")
    }


def describe_fields(cls: T) -> T:
    """Make the docstring of a dataclass end with the texts of its fields.

    Example:
        >>> print(describe_fields(_Look).__doc__)
        A place to look at.
        <BLANKLINE>
        Fields:
            points: How many.
            law: A law.
    """
    if dataclasses.is_dataclass(cls) and not isinstance(
        vars(cls).get("__doc__"), _DocstringWithFields
    ):
        cls.__doc__ = _DocstringWithFields(cls.__doc__)  # type: ignore[assignment]
    return cls


class _DocstringWithFields:
    """A docstring to which the texts of the fields of its class are added when it is read."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def __get__(self, instance: object, owner: type) -> str:
        texts = {name: text for name, text in field_texts(owner).items() if text}
        text = inspect.cleandoc(self.text or "")
        if not texts:
            return text
        return "\n".join([text, "", "Fields:", *(f"    {n}: {t}" for n, t in texts.items())])


def _is_blank(field: dataclasses.Field[Any]) -> bool:
    return field.default is None


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Look:
    """A place to look at."""

    points: int = 5
    """How many."""
    law: str | None = None
    """A law."""

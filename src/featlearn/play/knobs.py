"""The knobs of an experiment: its fields as the page shows them and sends them back.

The page writes the value of a knob as the command line writes the value of a flag. One parser reads
both, so the page accepts and refuses the same values as `featlearn run`, with the same messages.
"""

import shlex
import types
import typing
from collections.abc import Mapping
from typing import Any, cast

from featlearn._check import InputError, require, suggestion
from featlearn._config import (
    changed_fields,
    field_help,
    field_types,
    fields,
    flag,
    parse,
    replace,
    text_of,
    type_name,
)
from featlearn.experiments.named import NamedExperiment, seed_range

FIRST = ("formula", "d", "width", "eta", "steps", "noise", "sigma", "sigma_r", "flips")
"""The knobs that come first on the page, if an experiment has them."""
SEED = {
    "name": "seed",
    "help": "All randomness comes from it; the same seed gives the same bits.",
    "kind": "integer",
    "expected": "an integer",
    "text": "0",
    "first": True,
}


def knobs(config: Any) -> list[dict[str, Any]]:
    """Return the description of every field for the page; the fields of `FIRST` and the seed come
    first.

    Example:
        >>> from featlearn.papers.glasgow2023.xor import XOR
        >>> [knob["name"] for knob in knobs(XOR.config)][:6]
        ['d', 'width', 'eta', 'steps', 'noise', 'seed']
    """
    cls: Any = type(config)
    kinds, helps, values = field_types(cls), field_help(cls), fields(config)
    names = [name for name in FIRST if name in kinds]
    rest = [name for name in kinds if name not in names]
    return [
        *(_knob(name, kinds[name], helps.get(name, ""), values[name], True) for name in names),
        SEED,
        *(_knob(name, kinds[name], helps.get(name, ""), values[name], False) for name in rest),
    ]


def configured(named: NamedExperiment, asked: Mapping[str, str]) -> tuple[Any, int]:
    """Return the configuration and the seed, read from texts; fields without a text keep their
    defaults.
    """
    kinds, own = field_types(cast(Any, type(named.config))), fields(named.config)
    changes: dict[str, Any] = {}
    for name, text in asked.items():
        known = [*kinds, "seed"]
        require(name in known, named.id, "a known field", repr(name), suggestion(name, known))
        require(isinstance(text, str), flag(name), "a text", type(text).__name__)
        if name != "seed" and text.strip() != text_of(own[name]):
            changes[name] = parse(text.strip(), kinds[name], flag(name))
    seed = parse(asked.get("seed", "0").strip(), int, "seed")
    seed_range(1, seed)
    return replace(named.config, changes, where=named.id), seed


def texts(config: Any, seed: int) -> dict[str, str]:
    """Return the texts of all knobs, from which `configured` reads the same configuration and
    seed.
    """
    return {**{name: text_of(value) for name, value in fields(config).items()}, "seed": str(seed)}


def about(config: Any) -> list[str]:
    """Return remarks on the law of a configuration, one sentence each; the list may be empty.

    Example:
        >>> from featlearn.papers.abbe2022.staircase import STAIRCASE
        >>> about(STAIRCASE.config)[1]
        'A merged staircase: x1, then x1*x2, then x1*x2*x3.'
    """
    law = getattr(config, "law", None)
    return list(law().remarks) if callable(law) else []


def command(named: NamedExperiment, config: Any, seed: int) -> str:
    """Return the command line that trains the same configuration and seed, to the same bits.

    Example:
        >>> from featlearn._config import replace
        >>> from featlearn.papers.glasgow2023.xor import XOR
        >>> command(XOR, replace(XOR.config, {"d": 50, "rotated": True}, "XOR"), 3)
        'featlearn run glasgow2023.xor --d 50 --rotated --seeds 1 --first-seed 3'
    """
    words = ["featlearn", "run", named.id]
    for name, value in changed_fields(config, named.config).items():
        text = text_of(value)
        if isinstance(value, bool):
            words.append(flag(name) if value else flag(f"no_{name}"))
        elif text.startswith("-"):
            words.append(f"{flag(name)}={text}")
        else:
            words += [flag(name), text]
    return shlex.join([*words, "--seeds", "1", "--first-seed", str(seed)])


def field_of(error: InputError, config: Any) -> str | None:
    """Return the field that an error message is about; None if it is about no field.

    Example:
        >>> from featlearn.papers.glasgow2023.xor import XOR
        >>> field_of(InputError("--batch-ratio", "a number", "'x'"), XOR.config)
        'batch_ratio'
    """
    words = error.where.split(":")[-1].strip().lstrip("-").replace("-", "_")
    return words if words in (*fields(config), "seed") else _seed_of(words)


def _seed_of(words: str) -> str | None:
    return "seed" if words.startswith("first_seed") else None


def _knob(name: str, kind: Any, text: str, value: Any, first: bool) -> dict[str, Any]:
    known = {
        "name": name,
        "help": text,
        "kind": _kind(kind),
        "expected": type_name(kind),
        "text": text_of(value),
        "first": first,
    }
    options = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    return {**known, "options": list(map(str, options))} if options else known


def _kind(kind: Any) -> str:
    """Return the kind of input on the page: "integer", "number", "choice", "switch" or "text"."""
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return "text"
    if typing.get_origin(kind) is typing.Literal:
        return "choice"
    return {int: "integer", float: "number", bool: "switch"}.get(kind, "text")

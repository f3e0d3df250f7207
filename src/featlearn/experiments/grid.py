"""Grids of configurations: which fields vary, and which values each of them takes."""

import itertools
import math
from collections.abc import Mapping, Sequence

from featlearn._check import InputError, require, suggestion
from featlearn._config import C, Dataclass, TypeForm, field_types, parse, replace

Grid = dict[str, tuple[object, ...]]
MAX_POINTS = 100_000
"""The largest grid: more points would fill the memory before the first is computed."""


def parse_over(texts: Sequence[str], configs: Sequence[Dataclass]) -> Grid:
    """Read ``field=v1,v2,…`` or ``field=low..high:count`` (log-spaced) as a grid.

    Values are read with the field's type in the first configuration that has the field.
    """
    kinds: dict[str, TypeForm] = {}
    for config in configs:
        for name, kind in field_types(type(config)).items():
            kinds.setdefault(name, kind)
    grid: Grid = {}
    for text in texts:
        written, _, values = text.partition("=")
        name = written.strip().lstrip("-").replace("-", "_")
        require(
            name in kinds,
            f"--over {text}",
            f"field=v1,v2,… or field=low..high:count with one of the fields {', '.join(kinds)}",
            repr(written),
            suggestion(name, kinds),
        )
        require(name not in grid, f"--over {text}", "each field once", f"{name} again")
        grid[name] = _values(values, kinds[name], f"--over {written}")
    return grid


def configurations(
    config: C, grid: Mapping[str, Sequence[object]], where: str
) -> list[tuple[dict[str, object], C | InputError]]:
    """Return all points of the grid, each with its configuration or with the `InputError` that
    building the configuration raised.
    """
    number = math.prod(map(len, grid.values()))
    hint = "Sweep fewer values at once."
    require(number <= MAX_POINTS, where, f"at most {MAX_POINTS} points", number, hint)
    points: list[tuple[dict[str, object], C | InputError]] = []
    for values in itertools.product(*grid.values()):
        point = dict(zip(grid, values, strict=True))
        try:
            points.append((point, replace(config, point, where)))
        except InputError as error:
            points.append((point, error))
    return points


def log_range(low: float, high: float, count: int, *, whole: bool) -> tuple[float | int, ...]:
    """Return `count` values from `low` to `high`, evenly spaced in the logarithm.

    Example:
        >>> log_range(32, 512, 5, whole=True)
        (32, 64, 128, 256, 512)
    """
    require(0 < low <= high, "log range", "0 < low <= high", f"{low}..{high}")
    require(count >= 1, "log range", "at least 1 value", count)
    require(count <= MAX_POINTS, "log range", f"at most {MAX_POINTS} values", count)
    ratio = math.log(high / low) / max(1, count - 1)
    values = [low * math.exp(i * ratio) for i in range(count)]
    if whole:
        return tuple(sorted({round(value) for value in values}))
    return tuple(float(f"{value:.6g}") for value in values)


def _values(text: str, kind: TypeForm, where: str) -> tuple[object, ...]:
    if ".." in text:
        ends, _, count = text.partition(":")
        low, high = (parse(end, float, where) for end in ends.split("..", 1))
        number = parse(count or "5", int, where)
        return log_range(low, high, number, whole=kind is int or kind == int | None)
    require(bool(text), where, "at least one value", "none")
    # The values of a list-valued field are lists: they are written with + instead of commas.
    return tuple(parse(part.replace("+", ","), kind, where) for part in text.split(","))

"""Draw sweeps: a quantity against a field, or a map of where a statement holds.

A configuration that failed, or that never reached an event, is a missing point.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn.experiments.sweep import Point
from featlearn.figures.record import Axis, Figure, Panel, Raster, Series

VERDICTS = ("HOLDS", "FAILS", "OUT_OF_SCOPE", "UNDECIDED", "OPEN", "VACUOUS")
MOST_TICKS = 6
"""On a logarithmic axis up to this many swept values are written at the axis themselves: the labels
of matplotlib between two powers of ten run into each other there."""
ROLES = ("network", "ntk", "random-features", "kernel", "linear", "plain")


def curves(
    points: Sequence[Point], *, x: str, quantity: str, by: Sequence[str] = (), command: str = ""
) -> Figure:
    """Return a figure of the mean of a quantity over seeds against a field, one curve per value of
    the fields `by`.

    The band is one standard error to each side. If `x` is not numeric, its values are categories.
    """
    groups = itertools.product(*(_values(points, field) for field in by))
    series = tuple(
        _curve(points, x, quantity, dict(zip(by, group, strict=True)), ROLES[place % len(ROLES)])
        for place, group in enumerate(groups)
    )
    panel = Panel(x=_axis(points, x), y=Axis(label=quantity.replace("_", " ")), series=series)
    return Figure(
        id=f"sweep-{quantity}",
        title=f"{points[0].identity}: {quantity.replace('_', ' ')}",
        caption="Mean over seeds, with one standard error either way; missing points are missing.",
        panels=(panel,),
        command=command,
    )


def verdict_map(points: Sequence[Point], *, x: str, y: str | None, command: str = "") -> Figure:
    """Return a map of where a statement holds, over one or two fields, and maps of its fitted
    constants.
    """
    columns, rows = _values(points, x), _values(points, y) if y else [None]
    verdicts = np.full((len(rows), len(columns)), np.nan)
    constants: dict[str, Float[np.ndarray, "rows columns"]] = {}
    for point in points:
        if point.status == "failed":
            continue
        row = rows.index(point.config[y]) if y else 0
        place = row, columns.index(point.config[x])
        if point.values["verdict"] in VERDICTS:
            verdicts[place] = VERDICTS.index(point.values["verdict"])
        for name, constant in point.values["constants"].items():
            field = constants.setdefault(name, np.full(verdicts.shape, np.nan))
            field[place] = np.nan if constant["value"] is None else constant["value"]

    def panel(title: str, z: Float[np.ndarray, "rows columns"], role: str) -> Panel:
        places = np.arange(len(columns), dtype=float), np.arange(len(rows), dtype=float)
        labels = VERDICTS if role == "verdicts" else ()
        return Panel(
            x=_categories(x, columns),
            y=_categories(y or "", rows),
            raster=Raster(x=places[0], y=places[1], z=z, role=role, labels=labels),
            title=title,
        )

    panels = [panel("verdict", verdicts, "verdicts")]
    panels += [panel(f"constant {name}", field, "field") for name, field in constants.items()]
    return Figure(
        id="sweep-verdicts",
        title=f"{points[0].identity}: where it holds",
        caption="One square a configuration; an empty square is one that failed.",
        panels=tuple(panels),
        command=command,
    )


def _curve(
    points: Sequence[Point], x: str, quantity: str, group: dict[str, Any], role: str
) -> Series:
    every = _values(points, x)
    mine = [p for p in points if all(p.config.get(name) == v for name, v in group.items())]
    mine = sorted(mine, key=lambda point: every.index(point.config[x]))
    along = [p.config[x] if _numeric(every) else every.index(p.config[x]) for p in mine]
    estimates = [point.estimate(quantity) for point in mine]
    mean = np.array([_number(e.mean if e else None) for e in estimates])
    error = np.array([_number(e.stderr if e else None) for e in estimates])
    return Series(
        name=", ".join(f"{name} = {value}" for name, value in group.items()),
        x=np.array(along, dtype=float),
        y=mean,
        low=mean - np.nan_to_num(error),
        high=mean + np.nan_to_num(error),
        role=role,
    )


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _values(points: Sequence[Point], field: str) -> list[Any]:
    """Return the values of a field: numbers are sorted, other values keep the order of the grid."""
    found = list(dict.fromkeys(point.config[field] for point in points))
    return sorted(found) if _numeric(found) else found


def _numeric(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float) for value in values)


def _axis(points: Sequence[Point], field: str) -> Axis:
    """Return the axis of a field, which is logarithmic if the values span more than a factor of
    eight; a few values are its ticks.
    """
    values = _values(points, field)
    if not _numeric(values):
        return _categories(field, values)
    label = field.replace("_", " ")
    if not (min(values) > 0 and max(values) > 8 * min(values)):
        return Axis(label=label)
    few = values if len(values) <= MOST_TICKS else ()
    return Axis(label=label, scale="log", ticks=tuple((float(v), _text(v)) for v in few))


def _categories(field: str, values: Sequence[Any]) -> Axis:
    texts = [_text(value) for value in values]
    ticks = tuple((float(place), text) for place, text in enumerate(texts))
    return Axis(label=field.replace("_", " "), ticks=ticks)


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_text, value))
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)

"""Write figures to disk: as JSON, from which they can be drawn again, and as PDF, SVG, PNG and
CSV.
"""

import csv
import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np

from featlearn.figures.on_page import numbers
from featlearn.figures.record import Axis, Figure, Frame, Mark, Panel, Raster, Series
from featlearn.results.files import spreadsheet_cell

FORMATS = ("pdf", "svg", "csv")
_ARRAYS = ("x", "y", "low", "high", "z")


def to_document(figure: Figure) -> dict[str, Any]:
    """Return the figure as a JSON document: arrays become lists, numbers that are not finite become
    null.
    """
    document: dict[str, Any] = _plain(figure)
    return document


def from_document(document: dict[str, Any]) -> Figure:
    """Return the figure from which `to_document` made the document."""
    return Figure(**{**document, "panels": tuple(_panel(each) for each in document["panels"])})


def write(figure: Figure, folder: Path, formats: tuple[str, ...] = FORMATS) -> list[Path]:
    """Write the figure as ``<id>.<format>`` and return the files; PDF and SVG are drawn at two
    widths.
    """
    from featlearn.figures import on_paper

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for width in on_paper.WIDTHS:
        name = figure.id if width == "column" else f"{figure.id}-{width}"
        drawn = [folder / f"{name}.{ending}" for ending in formats if ending != "csv"]
        on_paper.save(figure, *drawn, width=width)
        written += drawn
    if "csv" in formats:
        written.append(write_csv(figure, folder / f"{figure.id}.csv"))
    return written


def write_csv(figure: Figure, file: Path) -> Path:
    """Write the numbers of a figure as CSV, with one row per point; missing numbers are empty."""
    names = ["panel", "frame", "series", "x", "y", "low", "high"]
    with file.open("w", newline="", encoding="utf-8") as handle:
        table = csv.DictWriter(handle, names, lineterminator="\n")
        table.writeheader()
        table.writerows({k: _cell(v) for k, v in row.items()} for row in figure.rows())
    return file


def _cell(value: Any) -> Any:
    if isinstance(value, float | np.floating):
        return f"{value:.9g}" if math.isfinite(value) else ""
    return "" if value is None else spreadsheet_cell(value)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, np.ndarray):
        return numbers(value) if value.ndim == 1 else [numbers(row) for row in value]
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _panel(document: dict[str, Any]) -> Panel:
    raster = document["raster"]
    frames = (
        Frame(**{**each, "series": tuple(map(_series, each["series"]))})
        for each in document["frames"]
    )
    return Panel(
        **{
            **document,
            "x": _axis(document["x"]),
            "y": _axis(document["y"]),
            "series": tuple(map(_series, document["series"])),
            "marks": tuple(Mark(**each) for each in document["marks"]),
            "raster": Raster(**_with_arrays(raster)) if raster else None,
            "frames": tuple(frames),
            "stills": tuple(document["stills"]),
        }
    )


def _axis(document: dict[str, Any]) -> Axis:
    limits, ticks = document["limits"], document["ticks"]
    pairs = tuple((place, text) for place, text in ticks)
    return Axis(**{**document, "limits": tuple(limits) if limits else None, "ticks": pairs})


def _series(document: dict[str, Any]) -> Series:
    return Series(**_with_arrays(document))


def _with_arrays(document: dict[str, Any]) -> dict[str, Any]:
    arrays = {
        name: np.array(document[name], dtype=float)
        for name in _ARRAYS
        if document.get(name) is not None
    }
    labels = {"labels": tuple(document["labels"])} if "labels" in document else {}
    return {**document, **arrays, **labels}

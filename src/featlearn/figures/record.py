"""A figure as a record: what is drawn, named by meaning, before any pixel.

Two small renderers read it, one for paper (matplotlib) and one for the page (plotly); tests read
the record itself, so that the two never drift apart. A figure computes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn._check import require_one_of

SCALES = ("linear", "log", "symlog")
KINDS = ("line", "points", "steps", "bars")


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A label with its symbol, a scale, and limits if they matter."""

    label: str
    scale: str = "linear"
    limits: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        require_one_of(self.scale, SCALES, "Axis(scale)")


@dataclass(frozen=True, kw_only=True)
class Series:
    """Numbers to draw: y against x, with a band or error bars if `low` and `high` are given.

    NaN in y is a missing point: drawn as missing, never joined across.
    """

    name: str
    """What the legend says; empty for none."""
    x: Float[np.ndarray, " points"]
    y: Float[np.ndarray, " points"]
    low: Float[np.ndarray, " points"] | None = None
    high: Float[np.ndarray, " points"] | None = None
    role: str = "plain"
    """A name of `featlearn.figures.style.ROLES`: its meaning, from which its look follows."""
    kind: str = "line"

    def __post_init__(self) -> None:
        require_one_of(self.kind, KINDS, "Series(kind)")


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A line across the panel, or a shaded span where `until` is given, with a label."""

    label: str
    at: float
    until: float | None = None
    axis: str = "x"
    """The axis the position is on."""
    role: str = "reference"

    def __post_init__(self) -> None:
        require_one_of(self.axis, ("x", "y"), "Mark(axis)")


@dataclass(frozen=True, kw_only=True)
class Raster:
    """A field of values over a grid: a decision boundary, a map of verdicts, weights as an image."""

    x: Float[np.ndarray, " columns"]
    y: Float[np.ndarray, " rows"]
    z: Float[np.ndarray, "rows columns"]
    role: str = "field"
    """"field" (continuous), "signed" (diverging around 0) or "verdicts" (categories 0, 1, 2, …)."""
    labels: tuple[str, ...] = ()
    """Names of the categories."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """One position of the slider: the series that stand there."""

    label: str
    series: tuple[Series, ...]


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One pair of axes."""

    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    marks: tuple[Mark, ...] = ()
    raster: Raster | None = None
    frames: tuple[Frame, ...] = ()
    """With a slider on the page; on paper the first, middle and last stand side by side."""
    title: str = ""
    equal: bool = False
    """One unit of x as long as one of y."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Panels side by side, with what a reader must know."""

    id: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    command: str = ""
    """The exact command that makes its numbers."""

    def overlay(self, series: Series, panel: int = 0) -> "Figure":
        """The same figure with a curve of the user's own laid over one panel."""
        chosen = self.panels[panel]
        changed = replace(chosen, series=(*chosen.series, series))
        panels = (*self.panels[:panel], changed, *self.panels[panel + 1 :])
        return replace(self, panels=panels)

    def rows(self) -> list[dict[str, Any]]:
        """The numbers behind it, a row a point, for a CSV file."""
        rows: list[dict[str, Any]] = []
        for place, panel in enumerate(self.panels):
            fixed = [("", series) for series in panel.series]
            moving = [(frame.label, series) for frame in panel.frames for series in frame.series]
            for label, series in [*fixed, *moving]:
                rows += _points(panel.title or str(place), label, series)
        return rows


def _points(panel: str, frame: str, series: Series) -> list[dict[str, Any]]:
    absent: Sequence[Any] = [None] * len(series.x)
    low = absent if series.low is None else series.low
    high = absent if series.high is None else series.high
    return [
        {"panel": panel, "frame": frame, "series": series.name, "x": x, "y": y, "low": a, "high": b}
        for x, y, a, b in zip(series.x, series.y, low, high, strict=True)
    ]

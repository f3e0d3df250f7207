"""Figures as records: what is drawn, named by its meaning, without colours or sizes.

Two renderers draw such a record, one for paper (matplotlib) and one for the web page (plotly).
Tests read the record itself, so that both renderers show the same. A figure computes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn._check import require, require_name, require_one_of
from featlearn.figures.style import FIELDS, ROLES

SCALES = ("linear", "log")
KINDS = ("line", "points", "steps", "bars")


@dataclass(frozen=True, kw_only=True)
class Axis:
    """An axis: a label with its symbol, a scale, and limits if they matter.

    In all texts ``_{…}`` is a subscript and ``^{…}`` a superscript: "norm of w_{sig}".
    """

    label: str
    scale: str = "linear"
    limits: tuple[float, float] | None = None
    ticks: tuple[tuple[float, str], ...] = ()
    """Positions and their labels, for categories instead of numbers."""

    def __post_init__(self) -> None:
        require_one_of(self.scale, SCALES, "Axis(scale)")


@dataclass(frozen=True, kw_only=True)
class Series:
    """A curve or set of points, y against x, with a band or error bars if it has `low` and `high`.

    NaN in y is a missing point: it is marked as missing, and no line crosses it.
    """

    name: str
    """The text in the legend; empty for no entry."""
    x: Float[np.ndarray, " points"]
    y: Float[np.ndarray, " points"]
    low: Float[np.ndarray, " points"] | None = None
    high: Float[np.ndarray, " points"] | None = None
    role: str = "plain"
    """A name of `featlearn.figures.style.ROLES`: the meaning, which decides the look."""
    kind: str = "line"

    def __post_init__(self) -> None:
        require_one_of(self.kind, KINDS, "Series(kind)")
        require_one_of(self.role, tuple(ROLES), "Series(role)")
        given = [v for v in (self.y, self.low, self.high) if v is not None]
        sizes = [len(v) for v in (self.x, *given)]
        require(len(set(sizes)) == 1, "Series(x, y, low, high)", "equally many points", sizes)
        require(
            (self.low is None) == (self.high is None), "Series(low, high)", "both or none", "one"
        )


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A labelled line across the panel, or a shaded span if `until` is given."""

    label: str
    at: float
    until: float | None = None
    axis: str = "x"
    """The axis of the position: "x" or "y"."""
    role: str = "reference"

    def __post_init__(self) -> None:
        require_one_of(self.axis, ("x", "y"), "Mark(axis)")
        require_one_of(self.role, tuple(ROLES), "Mark(role)")


@dataclass(frozen=True, kw_only=True)
class Raster:
    """Values over a grid, such as a decision boundary, a map of verdicts, or weights as an
    image.
    """

    x: Float[np.ndarray, " columns"]
    y: Float[np.ndarray, " rows"]
    z: Float[np.ndarray, "rows columns"]
    role: str = "field"
    """"field" (continuous), "signed" (diverging around 0) or "verdicts" (categories 0, 1, 2, …)."""
    labels: tuple[str, ...] = ()
    """Names of the categories."""

    def __post_init__(self) -> None:
        require_one_of(self.role, FIELDS, "Raster(role)")


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The series that a panel shows at one position of the slider."""

    label: str
    series: tuple[Series, ...]
    reach: float | None = None
    """If given, both axes run from -reach to reach in this frame."""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One pair of axes with everything that is drawn in it."""

    x: Axis
    y: Axis
    series: tuple[Series, ...] = ()
    marks: tuple[Mark, ...] = ()
    raster: Raster | None = None
    frames: tuple[Frame, ...] = ()
    """The page has a slider over them; on paper a few of them, the `stills`, stand side by side."""
    stills: tuple[int, ...] = ()
    """Indices of the frames to show on paper; empty for the first, middle and last."""
    title: str = ""
    equal: bool = False
    """Whether one unit of x is as long as one of y."""

    @property
    def on_paper(self) -> tuple[Frame, ...]:
        """The frames that are drawn on paper, where there is no slider."""
        last = len(self.frames) - 1
        chosen = self.stills or ((0, last // 2, last) if last >= 2 else range(last + 1))
        return tuple(self.frames[place] for place in dict.fromkeys(chosen))


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Panels with a title, a caption and the command that computes the numbers."""

    id: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    command: str = ""
    """The exact command that makes its numbers."""

    def __post_init__(self) -> None:
        require_name(self.id, "Figure(id)")
        labels = {tuple(frame.label for frame in p.frames) for p in self.panels if p.frames}
        require(
            len(labels) <= 1,
            f"Figure({self.id})",
            "the same frames in every panel that has any",
            f"{len(labels)} lists of frames",
            "One slider moves them all.",
        )

    @property
    def frames(self) -> tuple[str, ...]:
        """The labels of the positions of the slider; empty if the figure has no slider."""
        return next((tuple(f.label for f in p.frames) for p in self.panels if p.frames), ())

    def overlay(self, series: Series, panel: int = 0) -> "Figure":
        """Return a copy of the figure with a user's curve added to one panel.

        Example:
            >>> steps = np.arange(3.0)
            >>> theirs = Panel(x=Axis(label="step"), y=Axis(label="loss"))
            >>> figure = Figure(id="mine", title="", caption="", panels=(theirs,))
            >>> mine = Series(name="mine", x=steps, y=steps**2, role="own")
            >>> [series.name for series in figure.overlay(mine).panels[0].series]
            ['mine']
        """
        chosen = self.panels[panel]
        changed = replace(chosen, series=(*chosen.series, series))
        panels = (*self.panels[:panel], changed, *self.panels[panel + 1 :])
        return replace(self, panels=panels)

    def rows(self) -> list[dict[str, Any]]:
        """Return the numbers of the figure for a CSV file, one row per point."""
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

"""Draw figures for print with matplotlib, as vector graphics at the width of a journal.

At the width of one column (3.25 in) the panels are below each other; at the width of the page (6.75
in) they are side by side. The settings of matplotlib are changed only inside `drawing`.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap as Gradient
from matplotlib.colors import ListedColormap, TwoSlopeNorm, to_rgba
from matplotlib.figure import Figure as Drawing
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import NullFormatter

from featlearn._check import require_one_of
from featlearn.figures.record import Axis, Figure, Frame, Mark, Panel, Raster, Series
from featlearn.figures.style import (
    BAND,
    COLUMN,
    LIGHT,
    PAGE,
    ROLES,
    SCALES,
    SPAN,
    Look,
    Theme,
    for_paper,
)

WIDTHS = {"column": COLUMN, "page": PAGE}
SETTINGS: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "legend.borderaxespad": 0.3,
    "figure.dpi": 150,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "featlearn",
    "axes.unicode_minus": True,
}
_DASHES: dict[str, Any] = {
    "solid": "-",
    "dashed": (0, (4.5, 1.8)),
    "dotted": (0, (1.2, 1.6)),
    "dashdot": (0, (5, 1.6, 1.2, 1.6)),
}
_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "cross": "x"}
ABSENT = "absent"
"""The group id of the small crosses on the x axis that mark missing points."""


@contextmanager
def drawing(theme: Theme = LIGHT) -> Iterator[None]:
    """Use featlearn's settings of matplotlib inside the `with` block."""
    colours: dict[Any, Any] = {
        "text.color": theme.ink,
        "axes.labelcolor": theme.ink,
        "axes.edgecolor": theme.ink,
        "xtick.color": theme.ink,
        "ytick.color": theme.ink,
        "figure.facecolor": theme.ground,
        "axes.facecolor": theme.ground,
        "savefig.facecolor": theme.ground,
    }
    with mpl.rc_context({**SETTINGS, **colours}):
        yield


def draw(figure: Figure, width: str = "column", theme: Theme = LIGHT) -> Drawing:
    """Draw the figure at a width of WIDTHS: panels stacked in a column, side by side on a page.

    More than three panels are divided into rows of at most three.
    """
    require_one_of(width, tuple(WIDTHS), "draw(width)")
    shown = [_still_panels(panel) for panel in figure.panels]
    rows = shown if width == "column" else _divide_into_rows(shown)
    heights = [_height(row, WIDTHS[width]) for row in rows]
    with drawing(theme):
        layout = ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.04, wspace=0.03)
        sheet = Drawing(figsize=(WIDTHS[width], sum(heights)), layout=layout)
        grid = sheet.add_gridspec(len(rows), 1, height_ratios=heights)
        for place, row in enumerate(rows):
            cells = grid[place].subgridspec(1, len(row))
            for column, (panel, frame, first) in enumerate(row):
                axes = sheet.add_subplot(cells[column])
                _draw_panel(axes, panel, frame, theme, leads=first)
        _legends(sheet)
    return sheet


def save(figure: Figure, *files: Path, width: str = "column", theme: Theme = LIGHT) -> None:
    """Draw the figure once and write each file in the format of its ending; the bytes are
    reproducible.
    """
    undated: dict[str, Any] = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    sheet = draw(figure, width, theme)
    with drawing(theme):
        sheet.draw_without_rendering()
        sheet.set_layout_engine("none")  # the layout is computed once for all files
        for file in files:
            sheet.savefig(file, metadata=undated.get(file.suffix))


_Cell = tuple[Panel, Frame | None, bool]


def _divide_into_rows(panels: list[list[_Cell]]) -> list[list[_Cell]]:
    """Divide panels into rows of similar length, with at most three panels each."""
    each = math.ceil(len(panels) / math.ceil(len(panels) / 3))
    return [
        [cell for panel in panels[first : first + each] for cell in panel]
        for first in range(0, len(panels), each)
    ]


def _still_panels(panel: Panel) -> list[_Cell]:
    """Return the pairs of axes that a panel needs on paper: one, or one for each still frame."""
    if not panel.frames:
        return [(panel, None, True)]
    return [(panel, frame, place == 0) for place, frame in enumerate(panel.on_paper)]


def _height(row: list[_Cell], width: float) -> float:
    """Return the height of a row in inches: axes with equal units are square, others a little
    wider.
    """
    each = width / len(row)
    equal = any(panel.equal for panel, _, _ in row)
    return each + 0.35 if equal else min(2.35, max(1.9, 0.72 * each))


def _draw_panel(axes: Axes, panel: Panel, frame: Frame | None, theme: Theme, leads: bool) -> None:
    if panel.raster is not None:
        _raster(axes, panel.raster)
    else:
        axes.grid(True, color=theme.faint, linewidth=0.5)
    _axis(axes, "x", panel.x)
    _axis(axes, "y", panel.y)
    if not leads:
        axes.set_ylabel("")
    for mark in panel.marks:
        _mark(axes, mark, theme)
    series = (*panel.series, *(frame.series if frame else ()))
    for each in series:
        _series(axes, each, theme)
    if frame is not None and frame.reach is not None:
        axes.set(xlim=(-frame.reach, frame.reach), ylim=(-frame.reach, frame.reach))
    if panel.equal:
        axes.set_aspect("equal", adjustable="box")
    title = ", ".join(text for text in (panel.title, frame.label if frame else "") if text)
    if title:
        labelled = any(mark.label and mark.axis == "x" for mark in panel.marks)
        axes.set_title(for_paper(title), pad=14 if labelled else 5)


def _legends(sheet: Drawing) -> None:
    """Draw one legend below all panels if they have the same entries, else one in each."""
    entries = {axes: axes.get_legend_handles_labels() for axes in sheet.axes}
    named = {axes: found for axes, found in entries.items() if found[1]}
    if len({tuple(labels) for _, labels in named.values()}) == 1:
        handles, labels = next(iter(named.values()))
        room = 2 if sheet.get_figwidth() < PAGE else 4
        sheet.legend(handles, labels, loc="outside lower center", ncols=min(room, len(labels)))
    else:
        for axes in named:
            axes.legend(loc="best")


def _axis(axes: Axes, name: str, axis: Axis) -> None:
    axes.set(**{f"{name}label": for_paper(axis.label), f"{name}scale": axis.scale})
    if axis.limits:
        axes.set(**{f"{name}lim": axis.limits})
    if axis.ticks:
        places, texts = zip(*axis.ticks, strict=True)
        axes.set(**{f"{name}ticks": places, f"{name}ticklabels": [for_paper(t) for t in texts]})
        getattr(axes, f"{name}axis").set_minor_formatter(NullFormatter())


def _series(axes: Axes, series: Series, theme: Theme) -> None:
    look, colour = ROLES[series.role], theme.colour(series.role)
    name = for_paper(series.name) or "_nolegend_"
    if series.kind == "bars":
        axes.bar(series.x, series.y, width=0.7, color=to_rgba(colour, 0.85), label=name)
    elif series.kind == "points":
        axes.plot(series.x, series.y, label=name, **_points(look, colour))
    else:
        drawn = "steps-post" if series.kind == "steps" else "default"
        (line,) = axes.plot(
            series.x,
            series.y,
            color=colour,
            linestyle=_DASHES[look.dash],
            linewidth=look.width,
            drawstyle=drawn,
            label=name,
        )
        if _lonely(series.y).any():
            line.set(marker=_MARKERS[look.marker], markersize=3)
            line.set_markevery([int(place) for place in np.flatnonzero(_lonely(series.y))])
    if series.low is not None and series.high is not None:
        _spread(axes, series, series.low, series.high, colour)
    _mark_missing_points(axes, series, colour)


def _spread(axes: Axes, series: Series, low: np.ndarray, high: np.ndarray, colour: str) -> None:
    """Draw the interval of a series: a band around a line, error bars on points and bars."""
    if series.kind in ("points", "bars"):
        errors = np.stack([series.y - low, high - series.y])
        axes.errorbar(series.x, series.y, errors, fmt="none", ecolor=colour, elinewidth=0.9)
    else:
        options: dict[str, Any] = {"step": "post"} if series.kind == "steps" else {}
        axes.fill_between(series.x, low, high, color=colour, alpha=BAND, linewidth=0, **options)


def _points(look: Look, colour: str) -> dict[str, Any]:
    plain = {"marker": _MARKERS[look.marker], "markersize": 3.2, "linestyle": "none"}
    edge = colour if look.marker == "cross" else "white"
    return {**plain, "color": colour, "markeredgecolor": edge, "markeredgewidth": 0.35}


def _lonely(y: np.ndarray) -> np.ndarray:
    """Return which points have a missing neighbour on both sides, so that no line would show
    them.
    """
    known = np.isfinite(y)
    before, after = np.r_[False, known[:-1]], np.r_[known[1:], False]
    return np.asarray(known & ~before & ~after)


def _mark_missing_points(axes: Axes, series: Series, colour: str) -> None:
    """Draw a small cross on the x axis at every missing point."""
    missing = np.isfinite(series.x) & ~np.isfinite(series.y)
    if missing.any():
        axes.plot(
            series.x[missing],
            np.zeros(missing.sum()),
            transform=axes.get_xaxis_transform(),
            linestyle="none",
            marker="x",
            markersize=4,
            color=colour,
            clip_on=False,
            label="_nolegend_",
            gid=ABSENT,
        )


def _mark(axes: Axes, mark: Mark, theme: Theme) -> None:
    colour, look = theme.colour(mark.role), ROLES[mark.role]
    along = mark.axis == "x"
    if mark.until is None:
        line = axes.axvline if along else axes.axhline
        line(mark.at, color=colour, linestyle=_DASHES[look.dash], linewidth=0.8, zorder=1)
    else:
        span = axes.axvspan if along else axes.axhspan
        span(mark.at, mark.until, color=to_rgba(colour, 1.6 * SPAN), linewidth=0, zorder=0)
    if mark.label:
        axes.annotate(
            for_paper(mark.label),
            xy=(mark.at, 1.0) if along else (1.0, mark.at),
            xycoords=("data", "axes fraction") if along else ("axes fraction", "data"),
            xytext=(2, 2) if along else (-2, 2),
            textcoords="offset points",
            ha="left" if along else "right",
            va="bottom",
            fontsize=6.5,
            color=theme.ink,
            annotation_clip=False,
        )


def _raster(axes: Axes, raster: Raster) -> None:
    colours = SCALES[raster.role]
    options: dict[str, Any] = {"shading": "nearest", "rasterized": True}
    if raster.role == "verdicts":
        options |= {"cmap": ListedColormap(colours), "vmin": -0.5, "vmax": len(colours) - 0.5}
    else:
        options["cmap"] = Gradient.from_list(raster.role, colours)
    if raster.role == "signed":
        reach = float(np.nanmax(np.abs(raster.z))) or 1.0
        options["norm"] = TwoSlopeNorm(0.0, -reach, reach)
    mesh = axes.pcolormesh(raster.x, raster.y, raster.z, **options)
    bar = axes.figure.colorbar(mesh, ax=axes, fraction=0.05, pad=0.02)
    if raster.role == "verdicts" and raster.labels:
        bar.ax.set_ylim(-0.5, len(raster.labels) - 0.5)
        bar.set_ticks(list(range(len(raster.labels))), labels=[for_paper(t) for t in raster.labels])

"""Draw figures for a web page: each panel of a figure becomes the JSON that plotly.js draws.

Each panel is a separate drawing, so that a narrow page can put them below each other. The page has
the slider; this module makes the frames for it. A missing point is null in the data, and is marked
by a small cross on the x axis; a band is a polygon that stops where a point is missing. Long curves
are thinned.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from featlearn.figures.record import Axis, Figure, Mark, Panel, Raster, Series
from featlearn.figures.style import BAND, LIGHT, ROLES, SCALES, SPAN, Theme, for_page
from featlearn.figures.thin import thinned

HEIGHT = 340
_DASHES = {"solid": "solid", "dashed": "7px,3px", "dotted": "2px,3px", "dashdot": "8px,3px,2px,3px"}
_MARKERS = {
    "circle": "circle",
    "square": "square",
    "triangle": "triangle-up",
    "diamond": "diamond",
    "cross": "x-thin-open",
}
Drawing = dict[str, Any]
"""``data``, ``layout`` and ``frames``, as plotly.js takes them."""


def draw(figure: Figure, theme: Theme = LIGHT) -> list[Drawing]:
    """Return one drawing for each panel."""
    return [_panel(thinned(panel), theme) for panel in figure.panels]


def _panel(panel: Panel, theme: Theme) -> Drawing:
    first = panel.frames[0].series if panel.frames else ()
    data = [_raster(panel.raster)] if panel.raster else []
    for each in panel.series:
        data += _traces(each, theme, panel)
    begin = len(data)
    for each in first:
        data += _traces(each, theme, panel)
    frames = []
    for frame in panel.frames:
        moved = [trace for each in frame.series for trace in _traces(each, theme, panel)]
        places = list(range(begin, begin + len(moved)))
        step: dict[str, Any] = {"name": frame.label, "data": moved, "traces": places}
        if frame.reach is not None:
            span = {"range": [-frame.reach, frame.reach]}
            step["layout"] = {"xaxis": span, "yaxis": span}
        frames.append(step)
    layout = _layout(panel, theme)
    for axis, changes in frames[0].get("layout", {}).items() if frames else ():
        layout[axis] |= changes
    return {"data": data, "layout": layout, "frames": frames}


def _traces(series: Series, theme: Theme, panel: Panel) -> list[dict[str, Any]]:
    look, colour = ROLES[series.role], theme.colour(series.role)
    trace: dict[str, Any] = {
        "x": numbers(series.x),
        "y": numbers(series.y),
        "name": for_page(series.name),
        "legendgroup": series.name,
        "showlegend": bool(series.name),
        "hovertemplate": "%{y:.4g}" if _lines(series) else "%{x:.4g}, %{y:.4g}",
    }
    marker = {"color": colour, "symbol": _MARKERS[look.marker], "size": 7, "opacity": 0.85}
    if series.kind == "bars":
        trace |= {"type": "bar", "marker": {"color": theme.veil(series.role, 0.85)}, "width": 0.7}
    elif series.kind == "points":
        edge = {"width": 0.6 if look.marker != "cross" else 1.8}
        edge["color"] = theme.ground if look.marker != "cross" else colour  # type: ignore[assignment]
        trace |= {"type": "scatter", "mode": "markers", "marker": {**marker, "line": edge}}
    else:
        line = {"color": colour, "dash": _DASHES[look.dash], "width": 1.45 * look.width}
        shape = {"shape": "hv"} if series.kind == "steps" else {}
        trace |= {"type": "scatter", "mode": "lines", "line": {**line, **shape}}
        trace |= _lonely_points(series, marker)
    if series.low is None or series.high is None:
        return [trace]
    low, high = numbers(series.low), numbers(series.high)
    trace["customdata"] = [list(pair) for pair in zip(low, high, strict=True)]
    trace["hovertemplate"] = "%{y:.4g} (%{customdata[0]:.4g} to %{customdata[1]:.4g})"
    if not _lines(series):
        above, below = series.high - series.y, series.y - series.low
        bars = {"array": numbers(above), "arrayminus": numbers(below), "type": "data"}
        return [{**trace, "error_y": {**bars, "symmetric": False, "color": colour}}]
    return [_band(series, theme), trace]


def _lines(series: Series) -> bool:
    return series.kind in ("line", "steps")


def _lonely_points(series: Series, marker: dict[str, Any]) -> dict[str, Any]:
    """Return options that mark points without a neighbour, because no line would show them."""
    known = np.isfinite(series.y)
    lonely = known & ~np.r_[False, known[:-1]] & ~np.r_[known[1:], False]
    if not lonely.any():
        return {}
    sizes = [7 if alone else 0 for alone in lonely]
    return {"mode": "lines+markers", "marker": {**marker, "size": sizes}}


def _band(series: Series, theme: Theme) -> dict[str, Any]:
    """Return the band of a series as one closed polygon for every run of known points."""
    assert series.low is not None
    assert series.high is not None
    x: list[float | None] = []
    y: list[float | None] = []
    for stretch in _stretches(np.isfinite(series.low) & np.isfinite(series.high)):
        along, low, high = (numbers(v[stretch]) for v in (series.x, series.low, series.high))
        if series.kind == "steps":
            along, low, high = _stairs(along), _stairs(low)[:-1], _stairs(high)[:-1]
            along = along[1:]
        x += [*along, *along[::-1], along[0], None]
        y += [*high, *low[::-1], high[0], None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x[:-1],
        "y": y[:-1],
        "fill": "toself",
        "fillcolor": theme.veil(series.role, BAND),
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
        "legendgroup": series.name,
        "name": f"{for_page(series.name)} band",
    }


def _stairs(values: list[float | None]) -> list[float | None]:
    return [value for value in values for _ in range(2)]


def _stretches(known: np.ndarray) -> Iterable[slice]:
    """Return the runs of True in an array, as slices.

    Example:
        >>> list(_stretches(np.array([True, True, False, True])))
        [slice(0, 2, None), slice(3, 4, None)]
    """
    edges = np.flatnonzero(np.diff(np.r_[0, known.astype(int), 0]))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _raster(raster: Raster) -> dict[str, Any]:
    colours = SCALES[raster.role]
    z = [numbers(row) for row in raster.z]
    trace: dict[str, Any] = {
        "type": "heatmap",
        "x": numbers(raster.x),
        "y": numbers(raster.y),
        "z": z,
        "hovertemplate": "%{x:.4g}, %{y:.4g}: %{z:.4g}<extra></extra>",
        "colorbar": {"thickness": 12, "outlinewidth": 0},
    }
    if raster.role == "verdicts":
        n = len(raster.labels) or len(colours)
        steps = [(i / n, (i + 1) / n, colours[i % len(colours)]) for i in range(n)]
        trace["colorscale"] = [[edge, c] for low, high, c in steps for edge in (low, high)]
        trace |= {"zmin": -0.5, "zmax": n - 0.5}
        labels = {"tickvals": list(range(n)), "ticktext": [for_page(t) for t in raster.labels]}
        trace["colorbar"] |= labels if raster.labels else {}
    else:
        last = len(colours) - 1
        trace["colorscale"] = [[place / last, colour] for place, colour in enumerate(colours)]
    if raster.role == "signed":
        trace["zmid"] = 0
    return trace


def _layout(panel: Panel, theme: Theme) -> dict[str, Any]:
    moving = panel.frames[0].series if panel.frames else ()
    every = (*panel.series, *moving)
    points = bool(every) and not any(_lines(each) for each in every)
    layout: dict[str, Any] = {
        "height": HEIGHT,
        "margin": {"l": 58, "r": 14, "t": 34, "b": 46},
        "font": {"size": 12, "color": theme.ink, "family": "system-ui, sans-serif"},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest" if points or panel.raster else "x unified",
        "hoverlabel": {"bgcolor": theme.ground, "font": {"color": theme.ink}},
        "legend": {"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"},
        "xaxis": _axis(panel.x, theme),
        "yaxis": _axis(panel.y, theme),
        "shapes": [_shape(mark, theme) for mark in panel.marks],
        "annotations": [
            *(_label(mark, panel, theme) for mark in panel.marks if mark.label),
            *(_cross(x, panel.x, theme.colour(each.role)) for each in every for x in absent(each)),
        ],
    }
    if panel.title:
        layout["title"] = {"text": for_page(panel.title), "font": {"size": 13}, "x": 0.02}
        layout["margin"]["t"] = 56
    if panel.equal:
        layout["yaxis"] |= {"scaleanchor": "x", "scaleratio": 1, "constrain": "domain"}
        layout["xaxis"] |= {"constrain": "domain"}
        layout["height"] = HEIGHT + 60
    return layout


def _axis(axis: Axis, theme: Theme) -> dict[str, Any]:
    about: dict[str, Any] = {
        "title": {"text": for_page(axis.label), "standoff": 6},
        "type": axis.scale,
        "gridcolor": theme.faint,
        "linecolor": theme.ink,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": theme.ink,
        "zeroline": False,
        "automargin": True,
    }
    if axis.scale == "log":
        about |= {"exponentformat": "power", "dtick": 1}
    if axis.limits:
        about["range"] = [_position(limit, axis) for limit in axis.limits]
    if axis.ticks:
        places, texts = zip(*axis.ticks, strict=True)
        about |= {"tickvals": list(places), "ticktext": [for_page(text) for text in texts]}
    return about


def _position(value: float, axis: Axis) -> float:
    """Return the position of a value for plotly: its logarithm to base 10 on a logarithmic axis."""
    return math.log10(value) if axis.scale == "log" else value


def _shape(mark: Mark, theme: Theme) -> dict[str, Any]:
    other = "y" if mark.axis == "x" else "x"
    far = mark.at if mark.until is None else mark.until
    shape: dict[str, Any] = {
        f"{mark.axis}0": mark.at,
        f"{mark.axis}1": far,
        f"{mark.axis}ref": mark.axis,
        f"{other}0": 0,
        f"{other}1": 1,
        f"{other}ref": f"{other} domain",
        "layer": "below",
    }
    if mark.until is None:
        line = {"color": theme.colour(mark.role), "width": 1.5}
        return {**shape, "type": "line", "line": {**line, "dash": _DASHES[ROLES[mark.role].dash]}}
    veil = theme.veil(mark.role, SPAN * 1.6)
    return {**shape, "type": "rect", "line": {"width": 0}, "fillcolor": veil}


def _label(mark: Mark, panel: Panel, theme: Theme) -> dict[str, Any]:
    along = mark.axis == "x"
    about = {"text": for_page(mark.label), "showarrow": False, "font": {"size": 11}}
    if along:
        place = {"x": _position(mark.at, panel.x), "xref": "x", "y": 1, "yref": "y domain"}
        return {**about, **place, "xanchor": "left", "yanchor": "bottom"}
    place = {"y": _position(mark.at, panel.y), "yref": "y", "x": 1, "xref": "x domain"}
    return {**about, **place, "xanchor": "right", "yanchor": "bottom"}


def absent(series: Series) -> list[float]:
    """Return the x positions of the missing points."""
    return [float(x) for x in series.x[np.isfinite(series.x) & ~np.isfinite(series.y)]]


def _cross(x: float, axis: Axis, colour: str) -> dict[str, Any]:
    return {
        "text": "×",
        "hovertext": "missing",
        "showarrow": False,
        "font": {"size": 13, "color": colour},
        "x": _position(x, axis),
        "xref": "x",
        "y": 0,
        "yref": "y domain",
    }


def numbers(values: np.ndarray) -> list[float | None]:
    """Return numbers for JSON with eight digits, more than a drawing shows; None if not finite.

    Example:
        >>> numbers(np.array([0.1, np.nan], np.float32))
        [0.1, None]
    """
    digits = 8 if values.dtype != np.float32 else 7
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in values.tolist()]

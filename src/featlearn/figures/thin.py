"""Thin long curves for a page: leave out points that a screen could not distinguish.

A curve is cut into stretches. Each keeps its two ends, its lowest and highest point and its first
missing point, so that peaks and gaps stay where they are. Points without a line are all kept. So
are series of many short lines, such as one for each of many neurons.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from featlearn.figures.record import Panel, Series

MOST = 2000
"""The most points of a curve: more than a screen has columns."""
_KEPT = 5
"""The most points that are kept of each section."""


def thinned(panel: Panel) -> Panel:
    """Return the panel with at most `MOST` points per curve."""
    frames = tuple(replace(f, series=tuple(map(thin, f.series))) for f in panel.frames)
    return replace(panel, series=tuple(map(thin, panel.series)), frames=frames)


def thin(series: Series, most: int = MOST) -> Series:
    """Return the curve with at most `most` points.

    Example:
        >>> x = np.arange(100_000.0)
        >>> curve = thin(Series(name="", x=x, y=np.where(x == 777, 9.0, 0.0)))
        >>> len(curve.x) <= MOST, float(curve.y.max())
        (True, 9.0)
    """
    points = len(series.x)
    if series.kind not in ("line", "steps") or points <= most or _begins_anew(series):
        return series
    edges = np.linspace(0, points, most // _KEPT + 1).astype(int).tolist()
    keep = sorted({p for a, b in pairwise(edges) for p in _points_to_keep(series, a, b)})
    rows = {name: getattr(series, name) for name in ("x", "y", "low", "high")}
    return replace(series, **{name: v[keep] for name, v in rows.items() if v is not None})


def _begins_anew(series: Series) -> bool:
    """Return whether x goes back after a gap, as in a series that joins several short lines."""
    gaps = np.flatnonzero(~np.isfinite(series.y[1:-1])) + 1
    return bool((series.x[gaps + 1] < series.x[gaps - 1]).any())


def _points_to_keep(series: Series, begin: int, end: int) -> set[int]:
    y = series.y[begin:end]
    known, missing = np.flatnonzero(np.isfinite(y)), np.flatnonzero(~np.isfinite(y))
    places = [0, len(y) - 1, *missing[:1]]
    if len(known):
        places += [known[np.argmin(y[known])], known[np.argmax(y[known])]]
    return {begin + int(place) for place in places}

"""Figures as the page contains them: a deep link, the data for plotly.js, and files to download."""

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from featlearn.figures.on_page import draw
from featlearn.figures.record import Figure
from featlearn.figures.style import PAGE_THEME
from featlearn.report.downloads import vectors
from featlearn.report.packed import packed_json


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A figure with everything that the page needs to show it."""

    link: str
    figure: Figure
    files: dict[str, Markup]
    """By ending, what can be saved beside CSV; packed."""
    packed: Markup
    """Its panels and the names of its frames, packed; colours are left to the page."""


def drawn(figure: Figure, link: str, *, files: bool) -> Drawn:
    """Return the figure under the given link; `files` adds PDF and SVG, which takes half a
    second.
    """
    document = {"panels": draw(figure, PAGE_THEME), "frames": list(figure.frames)}
    return Drawn(
        link=link,
        figure=figure,
        files=vectors(figure) if files else {},
        packed=packed_json(document),
    )


def script_json(document: Any) -> Markup:
    """Return JSON for a script element; it is escaped so that it cannot contain a tag."""
    text = json.dumps(document, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))

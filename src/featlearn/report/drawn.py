"""Figures as the page contains them: a deep link, the data for plotly.js, and files to save."""

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from featlearn.figures.on_page import draw
from featlearn.figures.record import Figure
from featlearn.figures.style import PAGE_THEME
from featlearn.report.downloads import vectors


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A figure on the page."""

    link: str
    figure: Figure
    files: tuple[str, ...]
    """File endings, besides CSV, in which the figure can be saved."""
    json: Markup
    """Its panels, the names of its frames, and the files; the page adds the colours."""


def drawn(figure: Figure, link: str, *, files: bool) -> Drawn:
    """Prepare a figure for the page; with `files` also as PDF and SVG (half a second)."""
    embedded = vectors(figure) if files else {}
    document = {
        "panels": draw(figure, PAGE_THEME),
        "frames": list(figure.frames),
        "files": embedded,
    }
    return Drawn(link=link, figure=figure, files=tuple(embedded), json=script_json(document))


def script_json(document: Any) -> Markup:
    """JSON for a script element; it is escaped so that it cannot contain a tag."""
    text = json.dumps(document, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))

"""Put figures into the page as PDF and SVG files, which a reader can save without a connection."""

import functools
import json
import tempfile
from pathlib import Path

from markupsafe import Markup

from featlearn.figures.files import from_document, to_document
from featlearn.figures.record import Figure
from featlearn.report.packed import packed


def vectors(figure: Figure) -> dict[str, Markup]:
    """Return the figure as compressed "pdf" and "svg" files; each figure is drawn once per
    process.
    """
    return dict(_drawn(json.dumps(to_document(figure))))


@functools.lru_cache(maxsize=256)
def _drawn(document: str) -> tuple[tuple[str, Markup], ...]:
    from featlearn.figures import on_paper

    figure = from_document(json.loads(document))
    width = "page" if len(figure.panels) > 1 or figure.frames else "column"
    with tempfile.TemporaryDirectory() as folder:
        pdf, svg = Path(folder, "figure.pdf"), Path(folder, "figure.svg")
        on_paper.save(figure, pdf, svg, width=width)
        return tuple((file.suffix[1:], packed(file.read_bytes())) for file in (pdf, svg))

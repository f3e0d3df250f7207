"""Embed figures in the page as PDF and SVG files, which readers can save offline.

A PDF is encoded as base64; an SVG is compressed first, to a tenth of its size. The browser decodes
both.
"""

import base64
import functools
import json
import tempfile
import zlib
from pathlib import Path

from featlearn.figures.files import from_document, to_document
from featlearn.figures.record import Figure


def vectors(figure: Figure) -> dict[str, str]:
    """The figure as "pdf" (base64) and "svg" (compressed, base64), drawn once per process."""
    return dict(_rendered(json.dumps(to_document(figure))))


@functools.lru_cache(maxsize=256)
def _rendered(document: str) -> tuple[tuple[str, str], ...]:
    from featlearn.figures import on_paper

    figure = from_document(json.loads(document))
    width = "page" if len(figure.panels) > 1 or figure.frames else "column"
    with tempfile.TemporaryDirectory() as folder:
        pdf, svg = Path(folder, "figure.pdf"), Path(folder, "figure.svg")
        on_paper.save(figure, pdf, svg, width=width)
        small = zlib.compress(svg.read_bytes(), 9)
        return (("pdf", _text(pdf.read_bytes())), ("svg", _text(small)))


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")

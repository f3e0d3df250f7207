"""The requests that the page of the results browser may send; each takes and returns JSON.

A request names entries by their addresses in the list and can open no other file. An entry is
deleted only after the page has shown it and the visitor has confirmed.
"""

import base64
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from featlearn._check import InputError, require, require_one_of
from featlearn.browse.pictures import chosen, differences, groups, picture, quantities
from featlearn.browse.shelf import Shelf
from featlearn.figures.record import Figure
from featlearn.figures.style import DARK, LIGHT
from featlearn.serve.server import Document, Refused

FILES = {
    "/": ("featlearn.browse", "page.html", "text/html"),
    "/page.css": ("featlearn.report", "page.css", "text/css"),
    "/browse.css": ("featlearn.browse", "browse.css", "text/css"),
    "/ask.js": ("featlearn.serve", "ask.js", "text/javascript"),
    "/browse.js": ("featlearn.browse", "browse.js", "text/javascript"),
}
KINDS = {"pdf": "application/pdf", "svg": "image/svg+xml", "csv": "text/csv"}
SHOWN = 400
"""So many points are told as numbers below a picture."""


class Browser:
    """Answers the requests of the results browser's page about one store of results."""

    files = FILES

    def __init__(self, root: Path) -> None:
        self._shelf = Shelf(root)
        self._out = root
        self._lock = threading.Lock()  # matplotlib draws for one at a time
        asked: dict[str, Callable[[Document], Document]] = {
            "list": self.list,
            "about": self.about,
            "picture": self.picture,
            "export": self.export,
            "compare": self.compare,
            "delete": self.delete,
        }
        self.questions = {name: _refusing(answer) for name, answer in asked.items()}

    def list(self, asked: Document) -> Document:
        """Return one page of the list of entries; with `look`, the store is read again first."""
        if asked.pop("look", False) is True:
            self._shelf.look()
        known: dict[str, type] = {
            "words": str,
            "identity": str,
            "kind": str,
            "since": str,
            "sort": str,
            "descending": bool,
            "offset": int,
            "chosen": list,
        }
        for name, value in asked.items():
            require_one_of(name, tuple(known), "list")
            require(type(value) is known[name], name, known[name].__name__, repr(value)[:40])
        require(asked.get("offset", 0) >= 0, "offset", "at least 0", asked.get("offset"))
        asked["chosen"] = _names(asked.get("chosen", []))
        return {**self._shelf.search(**asked), "out": str(self._out)}

    def about(self, asked: Document) -> Document:
        """Return the configurations of some runs, and the quantities and fields that can be drawn
        of them.
        """
        runs = chosen(self._shelf, _addresses(asked))
        return {
            **quantities(runs),
            "runs": [
                {"address": run.address, "id": run.stored.id, "config": dict(run.config)}
                for run in runs
            ],
        }

    def picture(self, asked: Document) -> Document:
        """Return a figure of some runs, drawn for the page, with its numbers."""
        dark, narrow = asked.pop("dark", False) is True, asked.pop("narrow", False) is True
        figure = self._figure(asked)
        rows = figure.rows()
        names = ("series", "x", "y", "low", "high")
        return {
            "svg": self._drawn(figure, "svg", dark=dark, narrow=narrow).decode(),
            "title": figure.title,
            "caption": figure.caption,
            "rows": [[row[name] for name in names] for row in rows[:SHOWN]],
            "left_out": max(0, len(rows) - SHOWN),
            "python": python(self._out, asked),
        }

    def export(self, asked: Document) -> Document:
        """Return a figure as a file to download: PDF, SVG or CSV."""
        ending = asked.pop("format", "")
        require_one_of(ending, tuple(KINDS), "format")
        figure = self._figure(asked)
        content = base64.b64encode(self._drawn(figure, ending)).decode("ascii")
        return {"name": f"{figure.id}.{ending}", "type": KINDS[ending], "content": content}

    def compare(self, asked: Document) -> Document:
        """Compare each group of runs with the first group; return the differences with
        intervals.
        """
        runs = chosen(self._shelf, _addresses(asked))
        found = groups(runs, _names(asked.get("by", [])))
        require(len(found) >= 2, "compare", "at least two groups", len(found))
        return {"rows": differences(found)}

    def delete(self, asked: Document) -> Document:
        """Return which entries would be deleted and their size in bytes; with `sure`, delete
        them.
        """
        addresses = _addresses(asked)
        going, needed = self._shelf.going(addresses)
        told = {
            "going": [each.address for each in going],
            "needed": [each.address for each in needed],
            "bytes": sum(each.stored.size for each in going),
        }
        if asked.get("sure") is True:
            return {**told, "deleted": self._shelf.delete(told["going"])}  # type: ignore[arg-type]
        return {**told, "deleted": []}

    def _figure(self, asked: Document) -> Figure:
        return picture(self._shelf, _addresses(asked), **_drawing(asked))

    def _drawn(
        self, figure: Figure, ending: str, *, dark: bool = False, narrow: bool = False
    ) -> bytes:
        from featlearn.figures import on_paper
        from featlearn.figures.files import write_csv

        with self._lock, tempfile.TemporaryDirectory() as folder:
            file = Path(folder, f"figure.{ending}")
            if ending == "csv":
                write_csv(figure, file)
            else:
                width, theme = "column" if narrow else "page", DARK if dark else LIGHT
                on_paper.save(figure, file, width=width, theme=theme)
            return file.read_bytes()


def python(out: Path, asked: Document) -> str:
    """Return the lines of Python that make the same figure."""
    drawing = _drawing(asked)
    words = [f"{name}={value!r}" for name, value in drawing.items() if value not in ((), False)]
    listed = "".join(f"    {address!r},\n" for address in _addresses(asked))
    return (
        "from pathlib import Path\n\n"
        "from featlearn.browse.pictures import picture\n"
        "from featlearn.figures.files import write\n\n"
        f"runs = [\n{listed}]\n"
        f"figure = picture(Path({str(out)!r}), runs, {', '.join(words)})\n"
        'write(figure, Path("."))  # PDF, SVG and CSV\n'
    )


def _drawing(asked: Document) -> dict[str, Any]:
    """Return the arguments for `picture` that a request contains."""
    quantity, over = asked.get("quantity"), asked.get("over", "step")
    require(isinstance(quantity, str) and quantity != "", "quantity", "a name", repr(quantity)[:40])
    require(isinstance(over, str), "over", "a name", repr(over)[:40])
    return {
        "quantity": quantity,
        "over": over,
        "by": tuple(_names(asked.get("by", []))),
        "log_x": asked.get("log_x") is True,
        "log_y": asked.get("log_y") is True,
    }


def _names(given: Any) -> list[str]:
    fine = isinstance(given, list) and all(isinstance(each, str) for each in given)
    require(fine, "by", "a list of fields", repr(given)[:40])
    require("seed" not in given, "by", "any field but the seed", "seed")
    return list(given)


def _addresses(asked: Document) -> list[str]:
    given = asked.get("runs")
    fine = isinstance(given, list) and all(isinstance(each, str) for each in given)
    require(fine and bool(given), "runs", "a list of addresses", repr(given)[:40])
    return list(dict.fromkeys(given or []))


def _refusing(answer: Callable[[Document], Document]) -> Callable[[Document], Document]:
    def asked(document: Document) -> Document:
        try:
            return answer(dict(document))
        except InputError as error:
            raise Refused(error) from None

    return asked

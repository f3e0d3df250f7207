"""How `make docs` builds these pages: Sphinx, offline, every warning an error."""

import json
from pathlib import Path
from typing import Any

import featlearn

ROOT = Path(__file__).parents[1]

project, author, copyright = "featlearn", "The featlearn developers", "The featlearn developers"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "featlearn"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": False}
suppress_warnings = ["myst.xref_missing", "ref.python"]
highlight_language = "text"


def recorded(paper: str) -> str:
    """The verdicts and ledger rows that a full reproduction of the paper is compared with."""
    file = ROOT / "src" / "featlearn" / "papers" / paper / "expected.json"
    expected = json.loads(file.read_text(encoding="utf-8"))
    readings = ("printed", "corrected", "proof", "run")
    lines = [
        "",
        "## Recorded verdicts",
        "",
        f"| statement | {' | '.join(readings)} |",
        "|---" * 5 + "|",
    ]
    for name, verdicts in expected["verdicts"].items():
        words = [(verdicts or {}).get(reading) or "–" for reading in readings]
        lines.append(f"| {name} | {' | '.join(words)} |")
    lines += ["", "## Recorded ledger", "", "| item / quantity / recipe | ours against the paper |"]
    lines += ["|---|---|", *(f"| {row} | {found} |" for row, found in expected["rows"].items())]
    told = f"`featlearn reproduce {paper} --size full` prints every row with its numbers and why."
    return "\n".join([*lines, "", told, ""])


def append_what_is_recorded(app: Any, page: str, source: list[str]) -> None:
    """The tables at the end of a paper's page are read from the file that the program reads."""
    folder, _, name = page.rpartition("/")
    if folder == "papers" and name in PAPERS:
        source[0] += recorded(name)


def bars_are_norms(
    app: Any, kind: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """|w| in a docstring is a length, and no reference of reStructuredText."""
    lines[:] = [
        line if line.lstrip().startswith(">>>") else line.replace("|", "\\|") for line in lines
    ]


PAPERS = [path.parent.name for path in ROOT.glob("src/featlearn/papers/*/expected.json")]


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("source-read", append_what_is_recorded)
    app.connect("autodoc-process-docstring", bars_are_norms)


assert featlearn.__name__ == project

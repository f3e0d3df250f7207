"""How `make docs` builds these pages: Sphinx, offline, every warning an error."""

import dataclasses
import importlib
import inspect
import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util.logging import getLogger

import featlearn
from featlearn._fields import describe_fields
from featlearn.report.formulas import formula, is_prose

sys.path.insert(0, str(Path(__file__).parent))

import gallery_of_examples as gallery

ROOT = Path(__file__).parents[1]

project, author, copyright = "featlearn", "The featlearn developers", "The featlearn developers"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
]
html_theme = "furo"
html_title = "featlearn"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
suppress_warnings = ["myst.xref_missing", "ref.python", "config.cache"]
highlight_language = "text"
default_role = "code"
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["pages.css"]
napoleon_custom_sections = [("Fields", "params_style")]

PAGES_OF_EXAMPLES = ROOT / "build" / "examples"
gallery.write_pages(ROOT / "examples", PAGES_OF_EXAMPLES)
for library in ("fontTools", "jax"):
    logging.getLogger(library).setLevel(logging.WARNING)
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(ROOT / "build" / "xla"))
sphinx_gallery_conf = {
    "examples_dirs": str(PAGES_OF_EXAMPLES),
    "gallery_dirs": "gallery",
    "filename_pattern": rf"/(?!{'|'.join(gallery.NOT_RUN)})\w+\.py$",
    "subsection_order": gallery.order,
    "within_subsection_order": gallery.order,
    "image_scrapers": ("matplotlib", gallery.Pictures()),
    "reset_modules": (gallery.choose_size, "matplotlib"),
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "plot_gallery": "True",
    "abort_on_example_error": True,
    "min_reported_time": 1e9,
    "capture_repr": (),
    "copyfile_regex": "",
}
"""Scripts run in build/examples, where they may write files."""


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
    lines += ["|---|---|"]
    for row, found in expected["rows"].items():
        entry = {"status": found} if isinstance(found, str) else found
        value, error = entry.get("value"), entry.get("stderr")
        number = "" if value is None else f", {value:.5g}"
        number += "" if value is None or error is None else f" ± {error:.2g}"
        lines.append(f"| {row} | {entry['status']}{number} |")
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


def add_fields(app: Any, kind: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """The docstring of a dataclass ends with the texts of its fields, as in `help()`."""
    if kind == "class" and isinstance(value, type) and dataclasses.is_dataclass(value):
        lines[:] = [*inspect.cleandoc(describe_fields(value).__doc__ or "").splitlines(), ""]


def fields_are_no_members(
    app: Any, kind: str, name: str, value: Any, skip: bool, options: Any
) -> bool | None:
    """A field is listed by `add_fields` and by nothing else."""
    place = app.env.current_document
    if kind != "class" or not place.autodoc_class:
        return None
    cls = getattr(importlib.import_module(place.autodoc_module), place.autodoc_class)
    is_field = dataclasses.is_dataclass(cls) and name in {f.name for f in dataclasses.fields(cls)}
    return True if is_field else None


def no_type_before_a_colon(
    app: Any, kind: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Keep napoleon from reading a property's first line as "type: meaning"."""
    if kind == "property":
        lines.insert(0, "")


def typeset(writer: Any, node: nodes.Element) -> None:
    """Write a formula as MathML, which browsers typeset; warn if it cannot be read."""
    block = isinstance(node, nodes.math_block)
    written = formula(" ".join(node.astext().split()), block=block)
    if written.startswith("<code") or is_prose(node.astext()):  # or a dollar sign is missing
        getLogger(__name__).warning("not TeX: %s", node.astext(), location=node)
    writer.body.append(f'<div class="formula">{written}</div>' if block else str(written))
    raise nodes.SkipNode


PAPERS = [path.parent.name for path in ROOT.glob("src/featlearn/papers/*/expected.json")]


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("source-read", append_what_is_recorded)
    app.connect("autodoc-process-docstring", add_fields, priority=400)  # before napoleon's
    app.connect("autodoc-process-docstring", no_type_before_a_colon, priority=400)
    app.connect("autodoc-process-docstring", bars_are_norms)
    app.connect("autodoc-skip-member", fields_are_no_members)
    app.add_html_math_renderer("mathml", (typeset, None), (typeset, None))


assert featlearn.__name__ == project

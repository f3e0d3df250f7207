"""The scripts of examples/ as the gallery shows them: a title, sections, a word on what is not run.

A script begins with a docstring whose first line is a question, and may be divided by lines
`# %% Heading`. sphinx-gallery reads copies in which these are reStructuredText; it runs them, keeps
what they print and draw, and makes a notebook of each.
"""

import ast
import os
import re
import shutil
from pathlib import Path
from typing import Any

SECTIONS = {
    "questions": (
        "Questions of the papers",
        "does_one_step_make_features does_one_step_find_the_bits do_features_come_from_the_input "
        "features_or_kernel does_overfitting_stay_benign do_neurons_gather_on_images "
        "optimisers_on_staircases does_a_rotation_stop_signs",
    ),
    "your_own": (
        "Parts and claims of your own",
        "my_data_model my_training_rule watch_something_else my_theorem my_claim "
        "baselines_on_the_points_of_a_run",
    ),
    "figures": (
        "Sweeps and figures",
        "from_a_sweep_to_a_figure a_figure_for_a_paper sweep_on_a_cluster",
    ),
}
"""Folder -> heading, and the scripts in their order."""
NOT_RUN = {
    "sweep_on_a_cluster": "it starts worker processes, or asks a Dask cluster for some",
}
"""Script -> why it is shown without its output."""
SMALL = {
    "optimisers_on_staircases": "the whole court takes a quarter of an hour",
}
"""Script -> why it is run at toy size here, where its numbers say nothing."""
SCRIPTS = {name: folder for folder, (_, names) in SECTIONS.items() for name in names.split()}
TOY = "FEATLEARN_TOY"
INTRODUCTION = """\
Gallery
=======

Each script is a question, with the answer that it printed and drew when these pages were built.
Download it as a script or as a notebook, or find it in ``examples/`` of a checkout.
"""


def as_page(script: Path) -> str:
    """The text of a script with its title and its sections as reStructuredText."""
    text = script.read_text(encoding="utf-8")
    told = ast.get_docstring(ast.parse(text)) or ""
    title, _, rest = told.partition("\n")
    if script.stem in NOT_RUN:
        rest += f"\n\n.. note:: Not run when these pages are built: {NOT_RUN[script.stem]}."
    if script.stem in SMALL:
        rest += f"\n\n.. note:: Run at toy size here, since {SMALL[script.stem]}."
    rest = rest.replace("|", "\\|").replace("`", "``").replace("````", "``")
    body = text[text.index('"""', 3) + 3 :]
    body = re.sub(r"^# %% (.+)$", _section, body, flags=re.MULTILINE)
    return f'r"""\n{title}\n{"=" * len(title)}\n{rest.rstrip()}\n"""{body}'


def _section(found: re.Match[str]) -> str:
    return f"# %%\n# {found[1]}\n# {'-' * len(found[1])}"


def write_pages(examples: Path, folder: Path) -> None:
    """Write what sphinx-gallery reads, and nothing else, into the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, (heading, scripts) in SECTIONS.items():
        (folder / name).mkdir(parents=True)
        header = f"{heading}\n{'-' * len(heading)}\n"
        (folder / name / "GALLERY_HEADER.rst").write_text(header)
        for script in scripts.split():
            page = as_page(examples / f"{script}.py")
            (folder / name / f"{script}.py").write_text(page, encoding="utf-8")
    (folder / "GALLERY_HEADER.rst").write_text(INTRODUCTION)


def choose_size(gallery: dict[str, Any], script: str) -> None:
    """What sphinx-gallery calls before each script: some are run at toy size."""
    os.environ.pop(TOY, None)
    if Path(script).stem in SMALL:
        os.environ[TOY] = "1"


class Pictures:
    """Collects the PNG files that a script writes; curves left open are matplotlib's scraper's."""

    def __init__(self) -> None:
        self.known: set[Path] = set()

    def __repr__(self) -> str:
        return "Pictures()"

    def __call__(self, block: Any, variables: dict[str, Any], gallery: dict[str, Any]) -> str:
        from sphinx_gallery.scrapers import figure_rst

        here = Path(variables["src_file"]).parent
        new = sorted({*here.rglob("*.png")} - self.known)
        self.known.update(new)
        names = []
        for file, name in zip(new, variables["image_path_iterator"], strict=False):
            shutil.copy(file, name)
            names.append(name)
        return str(figure_rst(names, gallery["src_dir"]))


def order(path: str) -> int:
    """The place of a script, or of a section, in the gallery."""
    known = [*SECTIONS, *SCRIPTS]
    return known.index(Path(path).stem)

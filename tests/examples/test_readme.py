"""What README and the pages of docs/ tell a reader to type, open or look up must exist."""

import functools
import re
import shlex
from pathlib import Path

import pytest

from featlearn.cli import main
from featlearn.cli.engine import without_engine
from featlearn.reproduction.catalogue import (
    experiments,
    find_statements,
    item_titles,
    papers,
    statement_titles,
)

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_every_statement_of_a_file_that_it_names_is_there():
    named = re.findall(r"(examples/\w+\.py):(\w+)", README)
    assert named
    for path, name in named:
        assert find_statements(f"{ROOT / path}:{name}")


@functools.cache
def known_ids() -> set[str]:
    return {*experiments(), *statement_titles(), *item_titles()}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_id_that_a_page_names_is_known(page):
    of_papers = rf"(?<!papers\.)\b(?:{'|'.join(papers())})\.(?!md|bib)[\w.-]*\w"
    named = re.findall(of_papers, page.read_text())
    assert {name.removesuffix(".zip") for name in named} <= known_ids()


# What stands for something of the reader's own.
FILLED_IN = {
    "ID": "glasgow2023.xor",
    "author2024": "glasgow2023",
    "mine.py:EXPERIMENT": "glasgow2023.xor",
}


def commands(page: Path) -> list[list[str]]:
    """The lines of its blocks that begin with featlearn; two spaces or # begin what they mean."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    typed = [re.split(r" {2,}| #| > ", line.removeprefix(".venv/bin/"))[0] for line in lines]
    return [
        [FILLED_IN.get(word, word) for word in shlex.split(line)[1:]]
        for line in typed
        if line.startswith("featlearn ") and "…" not in line and "path" not in line
    ]


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_command_of_a_page_can_be_read(page, monkeypatch):
    monkeypatch.chdir(ROOT)  # for files in examples/; nothing is run
    for line in commands(page):
        _, words = without_engine(line)
        app = main._app(words)
        app.parse_args(words, print_error=False, exit_on_error=False)


def test_commands_are_found():
    assert sum(len(commands(page)) for page in PAGES) >= 50


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_link_of_a_page_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_every_page_is_in_the_contents():
    found = {"index"}
    for contents in [DOCS / "index.md", *DOCS.glob("*/index.md")]:
        listed = re.findall(r"^([\w/*-]+)$", contents.read_text(), flags=re.MULTILINE)
        for entry in listed:
            found |= {
                page.relative_to(DOCS).with_suffix("").as_posix()
                for page in contents.parent.glob(f"{entry}.md")
            }
    assert {
        page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")
    } == found

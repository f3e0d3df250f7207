"""What README and the pages of docs/ tell a reader to type, open or look up must exist."""

import functools
import importlib
import re
from pathlib import Path

import pytest

from featlearn.papers.catalogue import experiments, find_statements, item_titles, statement_titles

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
    papers = r"(?<!papers\.)\b(?:glasgow2023|frei2022|daniely2020|shi2022)\.(?!md|bib)[\w.-]*\w"
    assert set(re.findall(papers, page.read_text())) <= known_ids()


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_link_of_a_page_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_every_page_is_in_the_contents():
    listed = re.findall(r"^([\w/*-]+)$", (DOCS / "index.md").read_text(), flags=re.MULTILINE)
    pages = {page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")}
    found = {page for page in pages for entry in listed if Path(page).match(entry)}
    assert pages - found == {"index"}


def test_every_name_of_the_reference_exists():
    named = re.findall(r":: (featlearn[\w.]*)\.(\w+)$", (DOCS / "reference.md").read_text(), re.M)
    assert named
    for module, name in named:
        whole = importlib.import_module(module)
        assert hasattr(whole, name) or importlib.import_module(f"{module}.{name}")

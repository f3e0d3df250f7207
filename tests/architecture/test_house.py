"""The house is in order: nothing half done, nothing that ties the tree to one machine."""

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pathspec
import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b|\b[Ff]or now\b")
REGISTRY = re.compile(
    r"\b(pypi|pythonhosted|anaconda|npmjs)\.(org|com)\b"
    r"|\bdownload\.pytorch\.org\b"
    r"|https?://\S*/(simple|packages)\b"
    r"|--(extra-)?index-url\b|--find[-]links\b"
)
MACHINE = re.compile(
    r"(?<![\w.~})/-])/(home|Users|root|work|opt|mnt|srv|scratch)/\w"  # an absolute path
    r"|\bfile:///?\w"
    r"|\b[A-Z]:\\\w"
)


def shared_files(root: Path) -> Iterator[Path]:
    """The files that a commit of everything below `root` would hold: all that git does not ignore.

    The rules are read from .gitignore itself, so that this also works where git is not.
    """
    ignored = pathspec.GitIgnoreSpec.from_lines((root / ".gitignore").read_text().splitlines())
    for folder, subfolders, names in os.walk(root):
        here = Path(folder).relative_to(root)
        subfolders[:] = sorted(
            name
            for name in subfolders
            if name != ".git" and not ignored.match_file(f"{(here / name).as_posix()}/")
        )
        for name in sorted(names):
            if name != ".git" and not ignored.match_file((here / name).as_posix()):
                yield root / here / name


def finds(pattern: re.Pattern[str], files: list[Path], root: Path) -> list[str]:
    """``path:line: text`` for every line of the text `files` in which `pattern` occurs."""
    found = []
    for path in files:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue  # an image or an archive
        for number, line in enumerate(lines, start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
    return found


def test_nothing_in_the_source_is_left_for_later():
    assert finds(UNFINISHED, SOURCES, ROOT) == []


@pytest.mark.parametrize("pattern", [REGISTRY, MACHINE], ids=["registry", "machine"])
def test_nothing_names_a_registry_or_one_machine(pattern):
    assert finds(pattern, list(shared_files(ROOT)), ROOT) == []


def without_encoding(text: str) -> list[int]:
    """The lines on which a text file is opened in whatever encoding the machine prefers."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and not any(word.arg == "encoding" for word in node.keywords):
            name = getattr(node.func, "attr", "")
            most = {"read_text": 0, "write_text": 1}.get(name, -1)
            if len(node.args) <= most:
                found.append(node.lineno)
    return found


def test_text_files_are_utf_8_on_every_machine():
    found = {str(path): without_encoding(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("text", ["a.read_text()", "a.write_text(b)"])
def test_a_text_file_of_any_encoding_is_found(text):
    assert without_encoding(text) == [1]
    assert without_encoding(text.replace(")", ", encoding='utf-8')").replace("(,", "(")) == []


def test_ci_runs_the_gate_and_can_be_started():
    run = ROOT / ".ci" / "run"
    assert os.access(run, os.X_OK)
    commands = [line for line in run.read_text().splitlines() if "make" in line]
    assert commands == ["exec make test"]


def test_every_folder_with_python_is_type_checked():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    python = [path.relative_to(ROOT) for path in shared_files(ROOT) if path.suffix == ".py"]
    assert set(settings["files"]) == {path.parts[0] for path in python}


def test_make_installs_the_torch_that_the_package_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (torch,) = project["optional-dependencies"]["vision"]
    assert f" {torch}\n" in (ROOT / "Makefile").read_text()


# The words below are put together from halves, or this file would find itself.


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (UNFINISHED, "# TO" + "DO: the other half"),
        (UNFINISHED, "    raise NotImplemented" + "Error"),
        (UNFINISHED, "Only squares, for " + "now."),
        (REGISTRY, "https://" + "pypi" + ".org/project/x"),
        (REGISTRY, "pip install --index-" + "url somewhere x"),
        (REGISTRY, "https://mirror.example/" + "simple"),
        (MACHINE, "data = '/ho" + "me/ada/data'"),
        (MACHINE, "see (/op" + "t/wheels)"),
        (MACHINE, "fi" + "le:///srv"),
        (MACHINE, "C:" + "\\data"),
    ],
)
def test_each_search_can_find(pattern, text, tmp_path):
    (tmp_path / "a.txt").write_text(f"first\n{text}\n")
    assert finds(pattern, [tmp_path / "a.txt"], tmp_path) == [f"a.txt:2: {text.strip()}"]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (UNFINISHED, "todo = queue.Queue(); for nowhere"),
        (REGISTRY, "--no-emit-index-url, PIP_FIND_LINKS, a simple index"),
        (MACHINE, "#!/usr/bin/env bash; https://example.com/home/x; {root}/work/x; /dev/null"),
    ],
)
def test_no_search_finds_what_is_harmless(pattern, text, tmp_path):
    (tmp_path / "a.txt").write_text(text)
    assert finds(pattern, [tmp_path / "a.txt"], tmp_path) == []


def test_ignored_files_are_not_looked_at(tmp_path):
    (tmp_path / ".gitignore").write_text("/results/\n__pycache__/\n")
    for name in ("results/a", "src/results/b", "src/__pycache__/c", ".git/d", "e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    kept = {path.relative_to(tmp_path).as_posix() for path in shared_files(tmp_path)}
    assert kept == {".gitignore", "src/results/b", "e"}

"""What the pages show is run: Python blocks, blocks of the shell, and files that a page writes.

A block of Python runs in the namespace of its page, after those above it. A block of the shell
(```shell) is typed line by line; a line may end in "# exit code N". A block with a caption is a
file. `<!-- not run: WHY -->` above a block leaves it out; Python is then still compiled.
"""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from featlearn.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(
    r"(?:<!-- not run: (?P<why>[^>]+) -->\n)?"
    r"^```(?P<language>[^\n]*)\n(?P<body>.*?)^```$",
    flags=re.DOTALL | re.MULTILINE,
)
OTHERS = "PYTHONPATH"
"""Set where a page has written a package, which a new process finds as if it were installed."""
SLOW = ("README", "tutorial", "how-to/from-store-to-figure", "how-to/ship-a-paper", "papers/")
"""Beginnings of the names of pages whose blocks take more than a few seconds."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a page."""

    language: str
    body: str
    why_not_run: str
    caption: str = ""


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    found = []
    for match in FENCE.finditer(page.read_text()):
        language, body = match["language"].strip(), match["body"]
        caption = re.match(r":caption: (.*)\n\n", body)
        if caption:
            language, body = language.split()[-1], body[caption.end() :]
        why = match["why"] or ""
        told = caption[1] if caption else ""
        found.append(Block(language=language, body=body, why_not_run=why, caption=told))
    return found


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).with_suffix("").as_posix().removeprefix("docs/")


def runs(block: Block) -> bool:
    return not block.why_not_run and (block.language in ("python", "shell") or block.caption != "")


RUN = [
    pytest.param(page, marks=[pytest.mark.slow] if name_of(page).startswith(SLOW) else [])
    for page in PAGES
    if any(map(runs, blocks(page)))
]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with the examples in it, as in a checkout; what a page needs, and no more."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_the_blocks_of_a_page_run(page, desk, monkeypatch):
    known: dict[str, object] = {"__name__": "page"}
    for block in filter(runs, blocks(page)):
        if block.caption:
            file = desk / block.caption
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.body)
        elif block.language == "python":
            exec(compile(block.body, f"<{name_of(page)}>", "exec"), known)
        else:
            installed(desk, monkeypatch)
            for line in block.body.replace("\\\n", " ").splitlines():
                type_in(line, apart=name_of(page).startswith(SLOW))


def type_in(line: str, apart: bool = False) -> None:
    """Run a line of the shell; unless `apart`, featlearn runs in this process, without imports.

    In a process of its own it computes faster, because nobody checks the shapes there.
    """
    line, _, told = line.partition("# exit code ")
    words = shlex.split(line, comments=True)
    if not words:
        return
    if words[0] == "featlearn" and not apart and not {"|", ">"} & set(words):
        assert main(words[1:]) == int(told or 0), line
        return
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == int(told or 0), done.stderr


def installed(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a page has written a pyproject.toml, commands find its package by its entry point."""
    file = desk / "pyproject.toml"
    if file.exists():
        entry = re.search(r'entry-points\."(.*)"\]\n(\w+) = "(.*)"', file.read_text())
        assert entry is not None
        about = desk / "src" / "page-1.0.dist-info"
        about.mkdir(exist_ok=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: page\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[{entry[1]}]\n{entry[2]} = {entry[3]}\n")
        monkeypatch.setenv(OTHERS, str(desk / "src"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_of_python_compiles_and_is_run_or_says_why_not(page):
    for block in blocks(page):
        if block.language == "python":
            compile(block.body, f"<{name_of(page)}>", "exec")
        assert block.why_not_run == "" or len(block.why_not_run.split()) >= 3


TARGETS = set(re.findall(r"^([\w./-]+):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE))


def lines(page: Path) -> list[str]:
    """The lines of all blocks that are no Python, without what stands beside them."""
    typed = [b.body.replace("\\\n", " ") for b in blocks(page) if b.language in ("", "shell")]
    return [re.split(r" {2,}| #", line)[0] for body in typed for line in body.splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_targets_modules_and_scripts_of_a_page_exist(page):
    for line in lines(page):
        words = line.split()
        if words[:1] == ["make"] and len(words) > 1:
            assert words[1] in TARGETS, line
        if words[:2] == ["python", "-m"]:
            assert (ROOT / words[2]).is_dir() or importlib.util.find_spec(words[2]), line
        elif words[:1] == ["python"] and words[1].startswith("examples/"):
            assert (ROOT / words[1]).exists(), line


def test_a_block_that_fails_would_be_noticed(desk):
    with pytest.raises(AssertionError):
        type_in("false")
    with pytest.raises(AssertionError):
        type_in("featlearn papers # exit code 1")
    page = desk / "page.md"
    page.write_text("<!-- not run: it needs SLURM -->\n```python\nimport slurm\n```\n")
    (block,) = blocks(page)
    assert not runs(block)

"""featlearn new-paper: what it writes passes the gate; what it refuses is one sentence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from featlearn.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of this checkout, without its environment and caches."""
    for name in ("src", "tests", "pyproject.toml"):
        source, to = ROOT / name, tmp_path / "copy" / name
        to.parent.mkdir(exist_ok=True)
        ignored = shutil.ignore_patterns("__pycache__", ".*cache")
        shutil.copytree(source, to, ignore=ignored) if source.is_dir() else shutil.copy(source, to)
    return tmp_path / "copy"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Author"], "new-paper: expected an id such as author2024, got 'Author'."),
        (["../x2024"], "new-paper: expected an id such as author2024, got '../x2024'."),
        (["author2024"], "new-paper author2024: expected a checkout of featlearn, got "),
    ],
)
def test_what_cannot_be_written_is_one_sentence(words, message, tmp_path, capsys):
    assert main(["new-paper", *words, "--into", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"featlearn: {message}")


def test_a_paper_that_is_there_is_left_alone(tmp_path, capsys):
    (tmp_path / "src/featlearn/papers/author2024").mkdir(parents=True)
    assert main(["new-paper", "author2024", "--into", str(tmp_path)]) == 2
    assert "expected a new id, got one that is there" in capsys.readouterr().err


@pytest.mark.slow
def test_the_skeleton_passes_the_gate_as_written(checkout):
    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    written = run("featlearn.cli.main", "new-paper", "author2024").splitlines()[:-1]
    assert len(written) == 11
    run("ruff", "format", "--check", "--no-cache", ".")
    run("ruff", "check", "--no-cache", ".")
    run("mypy", "src/featlearn/papers/author2024", "tests/papers/author2024")
    run("pytest", "-q", "-n", "0", "tests/papers/author2024", "tests/papers/test_catalogue.py")
    told = run("featlearn.cli.main", "check", "author2024")
    assert "HOLDS" in told

"""Every example is run as a reader would run it, at toy size, in a folder of its own."""

import ast
import os
import runpy
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from featlearn.cli.main import main

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


TOY = {"FEATLEARN_TOY": "1", "MPLBACKEND": "Agg"}
ALONE = ("sweep_on_a_cluster",)
"""They start processes, which read the script again: run in a process of their own even here."""


@pytest.mark.parametrize(
    "example", [path for path in EXAMPLES if path.stem not in ALONE], ids=lambda path: path.stem
)
def test_an_example_runs_and_says_something(example, monkeypatch, capsys):
    """In this process, which has imported everything; `test-slow` runs them one by one."""
    for name, value in TOY.items():
        monkeypatch.setenv(name, value)
    runpy.run_path(str(example), run_name="__main__")
    plt.close("all")
    assert capsys.readouterr().out.strip() != ""


@pytest.mark.parametrize(
    "example",
    [pytest.param(p, marks=() if p.stem in ALONE else pytest.mark.slow) for p in EXAMPLES],
    ids=lambda path: path.stem,
)
def test_an_example_runs_as_a_script_and_says_something(example, tmp_path):
    ended = subprocess.run(
        [sys.executable, str(example)],
        cwd=tmp_path,
        env={**os.environ, **TOY},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() != ""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_has_a_question_for_its_title(example):
    title = (ast.get_docstring(ast.parse(example.read_text())) or "").splitlines()[:1]
    assert "?" in "".join(title)


def test_a_theorem_of_ones_own_takes_at_most_forty_lines():
    assert len((FOLDER / "my_theorem.py").read_text().splitlines()) <= 40


@pytest.mark.parametrize(
    ("flags", "code", "verdict"),
    [([], 0, "HOLDS"), (["--seeds", "1"], 0, "UNDECIDED"), (["--r", "3"], 0, "UNDECIDED")],
)
def test_a_theorem_of_ones_own_is_checked_by_its_path(flags, code, verdict, capsys):
    assert main(["check", f"{FOLDER / 'my_theorem.py'}:CLUSTERS", *flags]) == code
    assert f"my.clusters\n  {verdict:<12} printed" in capsys.readouterr().out


def test_a_theorem_of_ones_own_that_is_false_fails(tmp_path, capsys):
    text = (FOLDER / "my_theorem.py").read_text()
    false = text.replace("math.erfc(self.r / math.sqrt(2))", "math.erfc(self.r)")
    assert false != text
    (tmp_path / "false.py").write_text(false)
    assert main(["check", "false.py:CLUSTERS"]) == 1
    assert f"my.clusters\n  {'FAILS':<12} printed" in capsys.readouterr().out

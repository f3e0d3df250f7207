"""What a command prints where nobody looks at a terminal: into a file, or into another program."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from featlearn.cli.main import main
from tests.hardening.stores import RUN, SWEEP, say, the_engine_as_it_is

CLI = Path(__file__).parents[2] / "src" / "featlearn" / "cli"
COMMAND = (sys.executable, "-m", "featlearn")
CHECKED = "check glasgow2023.lemma-C.4 --d 4 --seeds 2"


@pytest.fixture(autouse=True)
def engine():
    with the_engine_as_it_is():
        yield


def test_tables_are_complete(capsys, tmp_path):
    from featlearn.results.inventory import inventory

    say([*RUN, "--out", "store"])
    main(["store", "list", "--out", "store"])
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 entry, ")
    say([*SWEEP, "--out", "store"])
    main([*RUN, "--out", "store"])
    main(["store", "list", "--out", "store"])
    told = capsys.readouterr().out
    assert "…" not in told
    entries = inventory(tmp_path / "store")
    assert len(entries) == 3
    for each in entries:
        (line,) = [line for line in told.splitlines() if each.key in line and each.kind in line]
        assert line.split()[:4] == [each.id, each.kind, each.key, each.program]


def test_no_sentence_is_broken(capsys):
    main(["sweep", "glasgow2023.xor", "--over", "eta=-1,-2"])
    told = capsys.readouterr().out
    assert "eta: expected a positive number, got -1.0." in told
    assert len(told.split("status")[1].splitlines()) == 6  # its rule, two points, and the end


def test_every_command_prints_to_the_console_of_output():
    """One with a width of its own would cut its tables again; progress goes to stderr."""
    for file in sorted(CLI.glob("*.py")):
        made = [
            {word.arg for word in node.keywords}
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Console"
        ]
        assert all("stderr" in words for words in made), file.name


@pytest.mark.parametrize("line", ["--help", CHECKED])
def test_a_reader_that_ends_early_is_no_failure(line, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        done = subprocess.run(
            [*COMMAND, *line.split()], stdout=nobody, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_files_of_the_package_are_read_under_any_locale(tmp_path):
    """Without the locale's UTF-8, text files have to be opened as what they are."""
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [*COMMAND, *CHECKED.split()],
        env={**os.environ, **plain},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()

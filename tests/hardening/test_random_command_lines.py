"""Every random command line is read or refused in one sentence: no traceback, no other exit code.

A line that is read stops where the computing would begin. Every command has lines of its own: four
in the gate, 1000 in `make test-slow`.
"""

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from featlearn._config import fields, flag
from featlearn.cli.main import main
from featlearn.experiments import engine
from featlearn.reproduction.catalogue import experiments, item_titles, statement_titles

COMMANDS = (
    *("papers", "run", "check", "scope", "sweep", "search", "compare", "reproduce", "record"),
    *(
        "report",
        "store",
        "data",
        "play",
        *("papers", "run", "check", "scope", "sweep", "search", "compare", "reproduce", "record"),
        *("report", "store", "data", "play", "browse", "graph", "cite", "new-paper", "doctor"),
        *("archive", "replay", "--help"),
        "--help",
    ),
)
IDS = [*experiments(), *statement_titles(), *item_titles(), "glasgow2023", "frei2022"]
FLAGS = sorted(
    {flag(name) for named in experiments().values() for name in fields(named.config)}
    | {"--seeds", "--first-seed", "--out", "--fresh", "--json", "--over", "--field", "--reach"}
    | {
        "--between",
        "--size",
        "--engine",
        "--tolerance",
        "--workers",
        "--cluster",
        "--csv",
        "--figure",
    }
    | {
        "--quantity",
        "--explain",
        "--same-environment",
        "--report",
        "--data",
        "--latex",
        "--figures",
    }
    | {
        "--dry",
        "--stale",
        "--older-than",
        "--really",
        "--port",
        "--no-browser",
        "--out=~",
        "--out=~x",
    }
    | {"--between", "--size", "--help", "-h", "--version", "--", "-", "--no-d", "--d=", "--d=7"}
)
TEXTS = st.one_of(
    st.sampled_from(["3", "-1", "0", "1e400", "nan", "inf", "none", "", "4,x", "d=1..9:3", "a=1"]),
    st.sampled_from(["test_accuracy>=0.9", "0.1..2", "quick", "true", "x.py:Y", "/", "\x00", "🦊"]),
    st.sampled_from(
        ["list", "explain", "verify", "clean", "jax", "native", "1e300", "9" * 30, "1_0"]
    ),
    st.sampled_from(["tcp://127.0.0.1:1", "foo://x:1", "d=1e300,2", "eta=0..1", "x>=1e", "1..inf"]),
    st.sampled_from(["~", "~nobody-knows/x", "٣", "=1+2", "../..", "mine"]),
    st.text(max_size=8),
)
WORDS = st.lists(st.one_of(st.sampled_from(IDS), st.sampled_from(FLAGS), TEXTS), max_size=6)
LINES = st.tuples(st.one_of(st.sampled_from(COMMANDS), TEXTS), WORDS).map(
    lambda pair: [pair[0], *pair[1]]
)


class WouldComputeError(BaseException):
    """The line was read, and the work would begin."""


@pytest.fixture(scope="module", autouse=True)
def nothing_is_computed(tmp_path_factory) -> Iterator[None]:
    """Every command that computes prepares the engine first; there it ends, in an empty folder."""

    def stop(*_args, **_options):
        raise WouldComputeError

    here = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("empty"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "prepare", stop)
        yield
    os.chdir(here)


def say(line: list[str]) -> None:
    """Run a line; complain if it ends in any way that it should not."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(line)
        except WouldComputeError:
            return
        except SystemExit as end:  # --help and --version
            code = int(end.code or 0)
    told = err.getvalue() if "--json" not in line else err.getvalue() + out.getvalue()
    assert code in ((0, 1, 2) if line[:1] == ["store"] else (0, 2)), (line, code, told)
    assert "Traceback" not in told, (line, told)
    if code == 2:
        assert "expected" in told, (line, told)


always = settings(derandomize=True, suppress_health_check=list(HealthCheck))


@settings(always, max_examples=20)
@given(LINES)
def test_twenty_lines_are_read_or_refused(line):
    say(line)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_few_lines_of_every_command_are_read_or_refused(command):
    @settings(always, max_examples=4)
    @given(WORDS)
    def attempt(words):
        say([command, *words])

    attempt()


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_thousand_lines_of_every_command_are_read_or_refused(command):
    @settings(always, max_examples=1000)
    @given(WORDS)
    def attempt(words):
        say([command, *words])

    attempt()


def test_a_line_that_would_compute_gets_there():
    with pytest.raises(WouldComputeError):
        main(["run", "glasgow2023.xor", "--d", "5"])

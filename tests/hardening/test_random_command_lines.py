"""Every random command line is read or refused in one sentence: no traceback, no other exit code.

A line that is read stops where the computing would begin. 50 in the gate, 1000 in `make test-slow`.
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
    *("papers", "run", "check", "sweep", "search", "compare", "reproduce", "report", "cite"),
    *("data", "play", "browse", "graph", "--help"),
)
IDS = [*experiments(), *statement_titles(), *item_titles(), "glasgow2023", "frei2022"]
FLAGS = sorted(
    {flag(name) for named in experiments().values() for name in fields(named.config)}
    | {"--seeds", "--first-seed", "--out", "--fresh", "--json", "--over", "--field", "--reach"}
    | {"--between", "--size", "--help", "-h", "--version", "--", "-", "--no-d", "--d=", "--d=7"}
)
TEXTS = st.one_of(
    st.sampled_from(["3", "-1", "0", "1e400", "nan", "inf", "none", "", "4,x", "d=1..9:3", "a=1"]),
    st.sampled_from(["test_accuracy>=0.9", "0.1..2", "quick", "true", "x.py:Y", "/", "\x00", "🦊"]),
    st.text(max_size=8),
)
LINES = st.tuples(
    st.one_of(st.sampled_from(COMMANDS), TEXTS),
    st.lists(st.one_of(st.sampled_from(IDS), st.sampled_from(FLAGS), TEXTS), max_size=6),
).map(lambda pair: [pair[0], *pair[1]])


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
    assert code in (0, 2), (line, code, told)
    assert "Traceback" not in told, (line, told)
    if code == 2:
        assert "expected" in told, (line, told)


always = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


@settings(always, max_examples=50)
@given(LINES)
def test_fifty_lines_are_read_or_refused(line):
    say(line)


@pytest.mark.slow
@settings(always, max_examples=1000)
@given(LINES)
def test_a_thousand_lines_are_read_or_refused(line):
    say(line)


def test_a_line_that_would_compute_gets_there():
    with pytest.raises(WouldComputeError):
        main(["run", "glasgow2023.xor", "--d", "5"])

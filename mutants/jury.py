"""The tests that judge a slip: those that run its line, the quickest first, then the others."""

import ast
import inspect
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mutants import forks, swap
from mutants.coverage import IMPORTING
from mutants.slips import Slip
from mutants.tree import ROOT, Tree, examples_of, source_of

FEWEST_SECONDS, SLOWNESS, MOST_SECONDS = 30.0, 12.0, 600.0
BUDGET = 10.0
"""Seconds of processor of a jury that is chosen by words."""


@dataclass(frozen=True)
class Jury:
    """The files to run, and the order of their tests."""

    files: tuple[str, ...]
    order: tuple[str, ...]
    seconds: float
    """What the tests take without a slip."""
    word: str = ""
    """Of a jury chosen by words: tests that have it come first."""
    budget: float | None = None
    """Of a jury chosen by words: seconds of processor that it has."""

    @property
    def patience(self) -> float:
        """After so many seconds of processor a slip has made something endless: caught."""
        return min(FEWEST_SECONDS + SLOWNESS * self.seconds, MOST_SECONDS)


def jury(slip: Slip, files: list[str], coverage: dict[str, dict[str, Any]]) -> Jury:
    """The jury of a slip: the tests that run one of the lines that it changes."""
    wanted = set(range(slip.line, slip.last_line + 1))
    first: list[tuple[float, str]] = []
    rest: list[tuple[float, str]] = []
    chosen = []
    for file in files:
        tests = coverage[file]["tests"]
        by_import = bool(
            wanted & set(tests.get(IMPORTING, {"lines": {}})["lines"].get(slip.path, ()))
        )
        judged = {name: test for name, test in tests.items() if name != IMPORTING}
        # Of a module that is all constants no test runs a line: all tests of the file judge it.
        constants = not any(slip.path in test["lines"] for test in judged.values())
        seen = {
            name: bool(wanted & set(test["lines"].get(slip.path, ())))
            or (by_import and (constants or slip.path in test["lines"]))
            for name, test in judged.items()
        }
        if not any(seen.values()):
            continue
        chosen.append(file)
        for name, covered in seen.items():
            (first if covered else rest).append((tests[name]["seconds"], name))
    both = [*sorted(first), *sorted(rest)]
    return Jury(
        files=(*examples_of(slip.path), *chosen),
        order=tuple(name for _, name in both),
        seconds=sum(seconds for seconds, _ in both),
    )


def jury_by_words(slip: Slip, files: list[str]) -> Jury:
    """A jury chosen without tracing: the files that speak of the module, most words first.

    It is given some seconds; a slip that it does not catch until then has survived.
    """
    module = Path(slip.path).stem
    tree = ast.parse(source_of(slip.path))
    names = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    words = re.compile(rf"\b({'|'.join(map(re.escape, sorted({module, *names})))})\b")
    own = slip.function.split(".")[0]
    scores = {}
    for file in files:
        text = (ROOT / file).read_text(encoding="utf-8")
        count = len(words.findall(text)) + 10 * len(re.findall(rf"\b{re.escape(own)}\b", text))
        if count:
            scores[file] = count / len(text)
    chosen = sorted(scores, key=lambda file: -scores[file])
    return Jury(
        files=(*examples_of(slip.path), *chosen),
        order=(),
        seconds=BUDGET,
        word=own,
        budget=BUDGET,
    )


class Verdict:
    """A pytest plugin: the order of a jury, and the test that failed first."""

    def __init__(self, panel: Jury) -> None:
        self._panel = panel
        self._rank = {name: place for place, name in enumerate(panel.order)}
        self._began = time.process_time()
        self.by = ""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """The examples of the module, then the likeliest tests."""
        if self._panel.order:
            items.sort(key=lambda item: self._rank.get(item.nodeid, -1))
        elif self._panel.word:
            items.sort(key=lambda item: not self._speaks(item))

    def _speaks(self, item: Any) -> bool:
        """Whether a test, or an example, has the word in it."""
        function = getattr(item, "function", None)
        return function is None or self._panel.word in inspect.getsource(inspect.unwrap(function))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Stop when the seconds of a jury chosen by words are used up."""
        budget = self._panel.budget
        if budget is not None and time.process_time() - self._began > budget:
            pytest.exit("out of time", returncode=0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note the first failure."""
        if report.failed and not self.by:
            self.by = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        """A module that can no longer be imported is a failure too."""
        if report.failed and not self.by:
            self.by = report.nodeid


def begin(
    slip: Slip, panel: Jury, tree: Tree, folder: Path, slot: int, *, in_place: bool
) -> forks.Child:
    """Start the jury of a slip, which stands in the tree already or is swapped in in place."""
    before = source_of(slip.path)

    def work() -> dict[str, Any]:
        sys.dont_write_bytecode = True
        if not in_place:
            swap.forget()
        elif not swap.swapped(slip.path, before, slip.applied(before)):
            return {"outcome": "needs its module anew"}
        verdict = Verdict(panel)
        code = forks.pytest_in(
            tree.folder,
            list(panel.files),
            verdict,
            folder / f"tmp-{slot}",
            addopts=swap.options_without_hook(),
        )
        return {"outcome": "survived" if code == 0 else "caught", "by": verdict.by, "code": code}

    return forks.start(work, seconds=panel.patience, log=folder / f"slip-{slot}.log")

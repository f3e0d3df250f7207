"""The tests that judge a slip: those that run its line, the quickest first, then the others."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants import forks, swap
from mutants.coverage import IMPORTING
from mutants.slips import Slip
from mutants.tree import Tree, examples_of, source_of

FEWEST_SECONDS, SLOWNESS, MOST_SECONDS = 30.0, 6.0, 400.0


@dataclass(frozen=True)
class Jury:
    """The files to run, and the order of their tests."""

    files: tuple[str, ...]
    order: tuple[str, ...]
    seconds: float
    """What the tests take without a slip."""

    @property
    def patience(self) -> float:
        """After so many seconds a slip has made something endless, and counts as caught."""
        return min(FEWEST_SECONDS + SLOWNESS * self.seconds, MOST_SECONDS)


def jury(slip: Slip, last_line: int, files: list[str], coverage: dict[str, dict[str, Any]]) -> Jury:
    """The jury of a slip on the lines from `slip.line` to `last_line`."""
    wanted = set(range(slip.line, last_line + 1))
    first: list[tuple[float, str]] = []
    rest: list[tuple[float, str]] = []
    chosen = []
    for file in files:
        tests = coverage[file]["tests"]
        by_import = bool(
            wanted & set(tests.get(IMPORTING, {"lines": {}})["lines"].get(slip.path, ()))
        )
        seen = {
            name: bool(wanted & set(test["lines"].get(slip.path, ())))
            or (by_import and slip.path in test["lines"])
            for name, test in tests.items()
            if name != IMPORTING
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


class Verdict:
    """A pytest plugin: the order of a jury, and the test that failed first."""

    def __init__(self, order: tuple[str, ...]) -> None:
        self._rank = {name: place for place, name in enumerate(order)}
        self.by = ""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """The examples of the module, then the likeliest tests."""
        items.sort(key=lambda item: self._rank.get(item.nodeid, -1))

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
        verdict = Verdict(panel.order)
        code = forks.pytest_in(
            tree.folder,
            list(panel.files),
            verdict,
            folder / f"tmp-{slot}",
            addopts=swap.options_without_hook(),
        )
        return {"outcome": "survived" if code == 0 else "caught", "by": verdict.by, "code": code}

    return forks.start(work, seconds=panel.patience, log=folder / f"slip-{slot}.log")

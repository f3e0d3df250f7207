"""Which tests run which lines, and how long they take: one traced run of every test file.

A line of a function that JAX compiles is run when it is traced, which only the first test of a
file may do; so the other tests of such a file are judges too, after those that were seen there.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from mutants import forks
from mutants.tree import Tree, file_digest

PATIENCE = 600.0
"""Seconds that a test file may take, traced."""
MOST_CALLS = 40
"""Of one function in one test: later ones run lines that were seen, and tracing is slow."""
IMPORTING = "import"
"""The name under which lines run by importing stand."""


class Tracer:
    """A pytest plugin that notes the lines of featlearn that each test runs."""

    def __init__(self, package: Path) -> None:
        self._prefix = str(package)
        self._lines: dict[str, set[int]] = {}
        self._calls: dict[CodeType, int] = {}
        self.tests: dict[str, dict[str, Any]] = {}
        self.failed: list[str] = []

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(self._prefix):
            return None
        calls = self._calls[frame.f_code] = self._calls.get(frame.f_code, 0) + 1
        if calls > MOST_CALLS:
            return None
        lines = self._lines.setdefault(name, set())

        def local(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            return local

        return local

    def begin(self) -> None:
        """Trace this thread, and all that are started from now on."""
        sys.settrace(self._trace)
        threading.settrace(self._trace)

    def end(self, name: str, seconds: float) -> None:
        """File the lines seen so far under a name."""
        seen = {
            str(Path(file).relative_to(self._prefix)): sorted(lines)
            for file, lines in self._lines.items()
        }
        self.tests[name] = {"seconds": round(seconds, 3), "lines": seen}
        self._lines, self._calls = {}, {}

    def pytest_collection_finish(self) -> None:
        """What was run so far was run by importing."""
        self.end(IMPORTING, 0.0)

    def pytest_runtest_protocol(self) -> None:
        """A test begins."""
        self._started = time.process_time()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test has ended."""
        self.end(nodeid, time.process_time() - self._started)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Without any slip no test may fail."""
        if report.failed:
            self.failed.append(report.nodeid)


def measured(folder: Path, tree: Tree, files: list[str]) -> dict[str, dict[str, Any]]:
    """The coverage of each file: read where nothing that it runs has changed, else traced."""
    stored = {entry["file"]: entry for entry in _entries(folder)}
    found = {}
    for number, file in enumerate(files, start=1):
        entry = stored.get(file)
        if entry is None or not _current(entry):
            print(f"which lines does it run? {number}/{len(files)}  {file}", file=sys.stderr)
            entry = _traced(folder, tree, file)
            with (folder / "coverage.jsonl").open("a") as out:
                out.write(json.dumps(entry) + "\n")
        found[file] = entry
    return found


def _entries(folder: Path) -> Iterator[dict[str, Any]]:
    path = folder / "coverage.jsonl"
    if path.exists():
        with path.open() as lines:
            yield from map(json.loads, lines)


def _current(entry: dict[str, Any]) -> bool:
    return file_digest(entry["file"]) == entry["digest"] and all(
        file_digest(f"src/featlearn/{module}") == digest
        for module, digest in entry["modules"].items()
    )


def _traced(folder: Path, tree: Tree, file: str) -> dict[str, Any]:
    def work() -> dict[str, Any]:
        tracer = Tracer(tree.package)
        tracer.begin()
        code = forks.pytest_in(tree.folder, [file], tracer, folder / "tmp")
        return {"outcome": "ran", "code": code, "tests": tracer.tests, "failed": tracer.failed}

    child = forks.start(work, seconds=PATIENCE, log=folder / "trace.log")
    while (report := child.finished(5.0)) is None:
        pass
    if report["outcome"] != "ran" or report["code"] not in (0, 5) or report["failed"]:
        raise SystemExit(
            f"mutants: expected {file} to pass without any slip, got {report['outcome']}, "
            f"{report.get('failed')}. Try {folder / 'trace.log'}."
        )
    modules = {module for test in report["tests"].values() for module in test["lines"]}
    return {
        "file": file,
        "digest": file_digest(file),
        "modules": {module: file_digest(f"src/featlearn/{module}") for module in sorted(modules)},
        "tests": report["tests"],
        "seconds": report["seconds"],
    }

"""What the command line says: one JSON document, or text for people; errors in one sentence."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError

if TYPE_CHECKING:
    from featlearn.experiments.executor import Watch

SCHEMA = 1
PATIENCE = 2.0
"""Seconds before a progress bar appears."""


def print_document(document: dict[str, Any], started: float) -> None:
    """The one JSON document of a command."""
    from featlearn.results.provenance import version

    head = {
        "version": version(),
        "schema": SCHEMA,
        "seconds": round(time.perf_counter() - started, 3),
    }
    print(json.dumps({**head, **document}, indent=1, allow_nan=False))


def print_error(error: InputError, *, as_json: bool) -> None:
    """The sentence on stderr; with --json the document on stdout as well."""
    if as_json:
        told = {"where": error.where, "expected": error.expected, "got": error.got}
        print(json.dumps({"error": {**told, "try": error.hint}}, indent=1))
    print(f"featlearn: {error}", file=sys.stderr)


@contextmanager
def progress(title: str) -> Iterator["Watch"]:
    """A bar with the time left, on stderr, for work of over two seconds."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    job = bar.add_task(title, total=1.0)
    began = time.perf_counter()

    def watch(share: float) -> None:
        bar.update(job, completed=share)
        if not bar.live.is_started and time.perf_counter() - began > PATIENCE:
            bar.start()

    try:
        yield watch
    finally:
        bar.stop()


def number(value: float | None, digits: int = 4) -> str:
    """A number for people; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}g}"

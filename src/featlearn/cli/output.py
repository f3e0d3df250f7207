"""The output of the command line: one JSON document, or text; errors in one sentence."""

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError, require

if TYPE_CHECKING:
    from rich.console import Console

    from featlearn.experiments.scheduler import Watch

SCHEMA = 1
PATIENCE = 2.0
"""A progress bar appears after so many seconds."""


def print_document(document: dict[str, Any], started: float) -> None:
    """Print the JSON document of a command."""
    from featlearn.results.files import finite
    from featlearn.results.provenance import version

    head = {
        "version": version(),
        "schema": SCHEMA,
        "seconds": round(time.perf_counter() - started, 3),
    }
    print(json.dumps(finite({**head, **document}), indent=1, allow_nan=False))


def require_file(file: Path, where: str) -> None:
    """Raise `InputError` if a file cannot be written; its folder need not exist yet."""
    require(not file.is_dir(), where, "the name of a file", "a folder")
    above = next(each for each in file.absolute().parents if each.exists())
    can = above.is_dir() and os.access(above, os.W_OK)
    require(can, where, "a file in a folder that one can write to", str(above))


def print_error(error: InputError, *, as_json: bool) -> None:
    """Print an error on stderr; with --json also as a document on stdout."""
    if as_json:
        told = {"where": error.where, "expected": error.expected, "got": error.got}
        print(json.dumps({"error": {**told, "try": error.hint}}, indent=1))
    print(f"featlearn: {error}", file=sys.stderr)


def print_crash(error: Exception, *, as_json: bool) -> None:
    """Print one sentence about a bug in featlearn: where it happened and how to report it.

    With FEATLEARN_TRACEBACK=1 the traceback is printed too.
    """
    if os.environ.get("FEATLEARN_TRACEBACK"):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    told = (str(error).splitlines() or [""])[0][:300]
    what = f"{type(error).__name__} at {place}: {told}".rstrip(": ")
    if as_json:
        print(json.dumps({"crash": what}, indent=1))
    hint = "please report it with the command, and with what FEATLEARN_TRACEBACK=1 prints"
    print(f"featlearn: a mistake of featlearn's own, {hint}: {what}", file=sys.stderr)


WIDE = 10_000
"""Columns of a table that is read by a file or another program: none of its cells is cut."""


def console(**options: Any) -> "Console":
    """Where a command prints text and tables to: stdout, with the width of the terminal.

    Where stdout is no terminal, a line is as long as it has to be. A reading process that ends
    early, as `head` does, is no failure.
    """
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Output(**{"width": None if sys.stdout.isatty() else WIDE, **options})


@contextmanager
def progress(title: str) -> Iterator["Watch"]:
    """Show a progress bar on stderr for work of over two seconds; none if stderr is no terminal."""
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
    console = Console(stderr=True)
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    job = bar.add_task(title, total=1.0)
    later = threading.Timer(PATIENCE, bar.start)
    later.daemon = True
    later.start()

    def watch(share: float) -> None:
        bar.update(job, completed=share)

    try:
        yield watch
    finally:
        later.cancel()
        later.join()
        if bar.live.is_started:
            bar.stop()


def number(value: float | None, digits: int = 4) -> str:
    """A number as text with so many digits; a dash for None.

    Example:
        >>> number(0.123456), number(12345.6), number(123.4, 2), number(2.5e9), number(None)
        ('0.1235', '12346', '123', '2.5e+09', '-')
    """
    if value is None:
        return "-"
    return f"{value:.0f}" if 10**digits <= abs(value) < 1e8 else f"{value:.{digits}g}"


def with_error(mean: float | None, stderr: float | None, digits: int = 4) -> str:
    """A mean and its standard error as text; the error is None for one seed.

    Example:
        >>> with_error(0.5, 0.01), with_error(0.5, None)
        ('0.5 ± 0.01', '0.5')
    """
    return number(mean, digits) + ("" if stderr is None else f" ± {number(stderr, 2)}")


@contextmanager
def explained(wanted: bool) -> Iterator[None]:
    """If wanted, print for every stored result whether it is read, adopted or new, and why.

    Results of other versions of JAX are reported in any case.
    """
    from featlearn.results.store import explaining

    said: set[str] = set()

    def tell(line: str) -> None:
        if line not in said:
            said.add(line)
            print(line, file=sys.stderr)

    with explaining(tell, everything=wanted):
        yield

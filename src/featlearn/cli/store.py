"""featlearn store: what a store holds, whether it is whole, and what may go."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from featlearn._check import require
from featlearn.cli.output import print_document
from featlearn.cli.run import OUT, Json, Out

if TYPE_CHECKING:
    from featlearn.results.inventory import Stored

Words = Annotated[str, Parameter(help="Beginnings of ids or keys (default: all).")]
Days = Annotated[float, Parameter(help="Days since an entry was last written.")]
Really = Annotated[bool, Parameter(negative="", help="Remove them; without it they are listed.")]

store = App(name="store", help="What a store holds, whether it is whole, and what may go.")


@store.command(name="list")
def listed(*words: Words, out: Out = OUT, json: Json = False) -> int:
    """The entries: id, key, program, seeds, decisions, size, date."""
    started, found = time.perf_counter(), _chosen(out, words)
    if json:
        print_document({"entries": [_document(each) for each in found]}, started)
    else:
        _table(found)
    return 0


@store.command
def verify(*words: Words, out: Out = OUT, json: Json = False) -> int:
    """Compare every file with its checksum; exit code 1 if one is not whole."""
    started = time.perf_counter()
    problems = {each: each.problems for each in _chosen(out, words)}
    said = [sentence for sentences in problems.values() for sentence in sentences]
    if json:
        print_document({"entries": len(problems), "problems": said}, started)
    else:
        for sentence in said:
            print(sentence)
        print(f"{len(problems)} entries, {len(said)} not whole")
    return 1 if said else 0


@store.command
def clean(
    *words: Words, older_than: Days, really: Really = False, out: Out = OUT, json: Json = False
) -> int:
    """Remove entries that were last written long ago; lists them unless told --really."""
    from featlearn.results.inventory import removable, remove

    require(older_than >= 0, "--older-than", "0 days or more", older_than)
    started, found = time.perf_counter(), removable(_chosen(out, words), older_than)
    size = sum(each.size for each in found)
    rows = [_document(each) for each in found]
    if really:
        for each in found:
            remove(each)
    if json:
        print_document({"removed": really, "bytes": size, "entries": rows}, started)
        return 0
    if not really:
        _table(found)
    told = "removed" if really else "would be removed (--really does it)"
    print(f"{len(found)} entries, {_bytes(size)}: {told}")
    return 0


def _chosen(out: Path, words: tuple[str, ...]) -> "list[Stored]":
    from featlearn.results.inventory import inventory
    from featlearn.results.store import MARK, Store

    require((out / MARK).is_file(), f"--out {out}", "a featlearn store", "none")
    found = inventory(Store(out).open().root)
    begins = tuple(words) or ("",)
    return [each for each in found if each.id.startswith(begins) or each.key.startswith(begins)]


def _document(each: "Stored") -> dict[str, Any]:
    return {
        "id": each.id,
        "key": each.key,
        "program": each.program,
        "seeds": each.seeds,
        "verdicts": each.verdicts,
        "partial": each.partial,
        "bytes": each.size,
        "written": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(each.written)),
    }


def _table(found: "list[Stored]") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for heading in ("id", "key", "program", "seeds", "decisions", "size", "written"):
        table.add_column(heading, no_wrap=heading in ("key", "program"))
    total = 0
    for each in found:
        size, total = each.size, total + each.size
        date = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.written))
        seeds = f"{each.seeds or ''}{' (partial)' if each.partial else ''}"
        decisions = str(each.verdicts or "")
        table.add_row(each.id, each.key, each.program, seeds, decisions, _bytes(size), date)
    console = Console(markup=False)
    console.print(table)
    console.print(f"{len(found)} entries, {_bytes(total)}")


def _bytes(size: float) -> str:
    """A size in the unit that gives it one to four digits.

    Example:
        >>> _bytes(999), _bytes(4321), _bytes(5e9)
        ('999 B', '4.3 kB', '5.0 GB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError

"""The command `featlearn store`: list, explain, verify and clean up the entries of a store."""

import time
from collections.abc import Sized
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from featlearn._check import require
from featlearn.cli.output import console, print_document
from featlearn.cli.run import OUT, Json, Out

if TYPE_CHECKING:
    from featlearn.results.inventory import Stored

Words = Annotated[str, Parameter(help="Beginnings of ids or keys (default: all).")]
Days = Annotated[float | None, Parameter(help="Only entries written so many days ago or before.")]
Stale = Annotated[bool, Parameter(negative="", help="Only entries whose code is another now.")]
Really = Annotated[bool, Parameter(negative="", help="Remove them; without it they are listed.")]

store = App(name="store", help="What a store holds, whether it is whole, and what may go.")


@store.command(name="list")
def listed(*words: Words, out: Out = OUT, json: Json = False) -> int:
    """List the entries: id, kind, key, program, seeds, size, date."""
    started, found = time.perf_counter(), _chosen(out, words)[0]
    if json:
        print_document({"entries": [_document(each) for each in found]}, started)
    else:
        _table(found)
    return 0


@store.command
def explain(*words: Words, out: Out = OUT, json: Json = False) -> int:
    """Explain every entry: its description, its code, and the entries it was computed from."""
    started, found = time.perf_counter(), _chosen(out, words)[0]
    if json:
        print_document({"entries": [_explanation(each) for each in found]}, started)
        return 0
    for each in found:
        told = _explanation(each)
        print(f"{each.address}  {told['kind']}, {told['state']}")
        for name, value in (told["config"] or {}).items():
            print(f"  {name} = {value}")
        for parent in told["parents"]:
            print(f"  rests on {parent}")
    print(_count(found))
    return 0


@store.command
def verify(*words: Words, out: Out = OUT, json: Json = False) -> int:
    """Compare every file with its checksum; exit code 1 if one is not whole."""
    started = time.perf_counter()
    problems = {each: each.problems for each in _chosen(out, words)[0]}
    said = [sentence for sentences in problems.values() for sentence in sentences]
    if json:
        print_document({"entries": len(problems), "problems": said}, started)
    else:
        for sentence in said:
            print(sentence)
        print(f"{_count(problems)}, {len(said)} not whole")
    return 1 if said else 0


@store.command
def clean(
    *words: Words,
    older_than: Days = None,
    stale: Stale = False,
    really: Really = False,
    out: Out = OUT,
    json: Json = False,
) -> int:
    """List entries that are old or of other code; with --really remove them.

    An entry stays if one that stays was computed from it.
    """
    from featlearn.results.inventory import removable, remove

    asked = stale or older_than is not None
    require(asked, "store clean", "--stale or --older-than DAYS", "neither")
    require((older_than or 0) >= 0, "--older-than", "0 days or more", older_than)
    started, (chosen, everything) = time.perf_counter(), _chosen(out, words)
    found = removable(chosen, everything=everything, older_than=older_than, stale=stale)
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
    print(f"{_count(found)}, {_bytes(size)}: {told}")
    return 0


def _chosen(out: Path, words: tuple[str, ...]) -> "tuple[list[Stored], list[Stored]]":
    """The entries that the words name, and all entries."""
    from featlearn.results.inventory import inventory
    from featlearn.results.store import MARK, Store

    require((out / MARK).is_file(), f"--out {out}", "a featlearn store", "none")
    found = inventory(Store(root=out).open().root)
    begins = tuple(words) or ("",)
    named = [each for each in found if each.id.startswith(begins) or each.key.startswith(begins)]
    return named, found


def _document(each: "Stored") -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": each.kind,
        "key": each.key,
        "program": each.program,
        "seeds": each.seeds,
        "parts": list(each.parts),
        "partial": each.partial,
        "bytes": each.size,
        "written": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(each.written)),
    }


def _explanation(each: "Stored") -> dict[str, Any]:
    about, changed = each.about, each.changed
    state = "its code cannot be read" if changed is None else "of the code of today"
    if changed:
        state = f"of other code ({', '.join(changed[:5])})"
    return {
        "address": each.address,
        "kind": each.kind,
        "state": state,
        "changed": changed,
        "config": about.get("config"),
        "description": about.get("description"),
        "parents": sorted(each.parents),
    }


def _table(found: "list[Stored]") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for heading in ("id", "kind", "key", "program", "seeds", "size", "written"):
        table.add_column(heading, no_wrap=heading in ("key", "program"))
    total = 0
    for each in found:
        size, total = each.size, total + each.size
        date = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.written))
        seeds = f"{each.seeds or ''}{' (partial)' if each.partial else ''}"
        table.add_row(each.id, each.kind, each.key, each.program, seeds, _bytes(size), date)
    terminal = console(markup=False)
    terminal.print(table)
    terminal.print(f"{_count(found)}, {_bytes(total)}")


def _count(entries: Sized) -> str:
    return "1 entry" if len(entries) == 1 else f"{len(entries)} entries"


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

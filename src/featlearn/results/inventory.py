"""What a store holds: a list, whether its files are whole, and what may be removed."""

import contextlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from featlearn._check import InputError
from featlearn._source import digests
from featlearn.results.files import check_folder, read_json
from featlearn.results.seeds import held_by
from featlearn.results.store import ABOUT, ENTRY, SOURCES, differing

DAY = 86_400.0


@dataclass(frozen=True, kw_only=True)
class Stored:
    """One program of one description: a run, evidence, or something else that was computed."""

    id: str
    key: str
    program: str
    path: Path
    parts: tuple[str, ...]
    """What is finished."""
    partial: bool
    """Whether work is under way, or was."""
    written: float
    """Seconds since 1970 of the last change."""

    @property
    def address(self) -> str:
        """Its place in the store."""
        return f"{self.id}/{self.key}/{self.program}"

    @property
    def seeds(self) -> int:
        """How many seeds are finished."""
        return sum(len(held) for held in held_by(self.parts).values())

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    @property
    def about(self) -> dict[str, Any]:
        """What was described; empty where that cannot be read."""
        with contextlib.suppress(InputError):
            found = read_json(self.path / ENTRY)
            return found if isinstance(found, dict) else {}
        return {}

    @property
    def kind(self) -> str:
        """What it is: "run", "evidence", "item", "sweep", "fit" or "computed"."""
        return str(self.about.get("kind", "unknown"))

    @property
    def parents(self) -> set[str]:
        """The addresses of the entries that it rests on."""
        found: set[str] = set()
        for part in self.parts:
            with contextlib.suppress(InputError):
                found.update(read_json(self.path / part / ABOUT).get("parents", ()))
        return found

    @property
    def changed(self) -> list[str] | None:
        """The modules whose code is another now; empty if none is, None if that is not known.

        The user's own modules are named by a digest of their code: they cannot be looked up.
        """
        with contextlib.suppress(InputError):
            stored = [dict(modules) for modules in read_json(self.path / SOURCES).values()]
            found = []
            for modules in stored:
                ours = {name: d for name, d in modules.items() if name.startswith("featlearn")}
                found.append(differing(digests(ours), ours))
            return min(found, key=len, default=None)
        return None

    @property
    def problems(self) -> list[str]:
        """A sentence for every part that is not as its checksums say."""
        found = []
        for part in self.parts:
            try:
                check_folder(self.path / part)
            except InputError as error:
                found.append(str(error))
        return found


def inventory(root: Path) -> list[Stored]:
    """All that a store holds, by id and by time; read from the names of folders alone."""
    found = [
        _stored(identity.name, key.name, Path(program.path))
        for identity in _folders(root)
        for key in _folders(identity.path)
        for program in _folders(key.path)
    ]
    return sorted(found, key=lambda each: (each.id, each.written))


def removable(
    stored: Iterable[Stored],
    *,
    everything: Iterable[Stored],
    older_than: float | None = None,
    stale: bool = False,
    now: float | None = None,
) -> list[Stored]:
    """Those that may go: written long ago, or by other code; but none that something kept rests on.

    Args:
        stored: those that are asked about.
        everything: all entries of the store.
        older_than: days since the last change; None does not ask.
        stale: whether only those go whose code is another now.
        now: seconds since 1970.
    """
    limit = (time.time() if now is None else now) - DAY * (older_than or 0.0)
    asked = [each for each in stored if older_than is None or each.written <= limit]
    going = {each.address: each for each in asked if not stale or each.changed}
    kept = [each for each in everything if each.address not in going]
    while kept:
        needed = {address for each in kept for address in each.parents if address in going}
        kept = [going.pop(address) for address in sorted(needed)]
    return [each for each in asked if each.address in going]


def remove(stored: Stored) -> None:
    """Delete an entry, and the folder of its description if it was the last."""
    shutil.rmtree(stored.path)
    for folder in (stored.path.parent, stored.path.parent.parent):
        if not any(folder.iterdir()):
            folder.rmdir()


def _folders(path: Path | str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(path) as found:
        yield from (
            each
            for each in found
            if each.is_dir(follow_symlinks=False) and not each.name.startswith(".")
        )


def _stored(identity: str, key: str, path: Path) -> Stored:
    names = [each.name for each in _folders(path)]
    return Stored(
        id=identity,
        key=key,
        program=path.name,
        path=path,
        parts=tuple(sorted(name for name in names if name != "partial")),
        partial="partial" in names,
        written=path.stat().st_mtime,
    )

"""List the entries of a store, verify their files, and find those that may be removed."""

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
from featlearn.results.seeds import seed_ranges
from featlearn.results.store import ABOUT, ENTRY, SOURCES, changed_modules

DAY = 86_400.0


@dataclass(frozen=True, kw_only=True)
class Stored:
    """One entry of a store, as it is listed."""

    id: str
    key: str
    program: str
    path: Path
    parts: tuple[str, ...]
    """The names of its finished parts."""
    partial: bool
    """Whether it has checkpoints of unfinished work."""
    written: float
    """The time of the last change, in seconds since 1970."""

    @property
    def address(self) -> str:
        """The address of the entry: id/key/program."""
        return f"{self.id}/{self.key}/{self.program}"

    @property
    def seeds(self) -> int:
        """The number of finished seeds."""
        return sum(len(seeds) for seeds in seed_ranges(self.parts).values())

    @property
    def size(self) -> int:
        """The size of the entry on disk in bytes."""
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    @property
    def about(self) -> dict[str, Any]:
        """The contents of the entry's file entry.json; empty if that cannot be read."""
        with contextlib.suppress(InputError):
            found = read_json(self.path / ENTRY)
            return found if isinstance(found, dict) else {}
        return {}

    @property
    def kind(self) -> str:
        """The kind of the entry: "run", "evidence", "item", "sweep", "fit" or "computed"."""
        return str(self.about.get("kind", "unknown"))

    @property
    def parents(self) -> set[str]:
        """The addresses of the entries from which this one was computed."""
        found: set[str] = set()
        for part in self.parts:
            with contextlib.suppress(InputError):
                found.update(read_json(self.path / part / ABOUT).get("parents", ()))
        return found

    @property
    def changed(self) -> list[str] | None:
        """The modules whose code has changed since the entry was stored; None if that is not known.

        The user's own modules are recorded by their digest alone, so they cannot be compared.
        """
        with contextlib.suppress(InputError):
            stored = [dict(modules) for modules in read_json(self.path / SOURCES).values()]
            found = []
            for modules in stored:
                ours = {name: d for name, d in modules.items() if name.startswith("featlearn")}
                found.append(changed_modules(digests(ours), ours))
            return min(found, key=len, default=None)
        return None

    @property
    def problems(self) -> list[str]:
        """Return one sentence for every part that does not agree with its checksums."""
        found = []
        for part in self.parts:
            try:
                check_folder(self.path / part)
            except InputError as error:
                found.append(str(error))
        return found


def inventory(root: Path) -> list[Stored]:
    """Return all entries of a store, sorted by id and time; only names of folders are read."""
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
    """Return the old or stale entries that may be removed, because no entry that stays needs them.

    Args:
        stored: the entries to consider.
        everything: all entries of the store.
        older_than: remove only entries whose last change is so many days ago; None means any age.
        stale: remove only entries whose code has changed since.
        now: the current time in seconds since 1970.
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
    """Delete an entry, and also the folder of its key if that is empty afterwards."""
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

"""What a store holds: a list, whether its files are whole, and what may be removed."""

import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from featlearn._check import InputError
from featlearn.results.files import check_folder, digest, read_json

APART = ("reproduced", "sweeps", "fits")
"""Folders of a store that are no ids."""
DAY = 86_400.0
_SEEDS = re.compile(r"seeds-(\d+)-(\d+)(\.json)?")


@dataclass(frozen=True, kw_only=True)
class Stored:
    """One program of one description: some seeds of a run, or decisions on a statement."""

    id: str
    key: str
    program: str
    path: Path
    seeds: int
    """How many seeds of a run are finished."""
    verdicts: int
    """How many decisions there are."""
    partial: bool
    """Whether trajectories are under way, or were."""
    written: float
    """Seconds since 1970 of the last change."""

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    @property
    def problems(self) -> list[str]:
        """A sentence for every part that is not as its checksums say."""
        found = []
        for child in sorted(self.path.iterdir()):
            match = _SEEDS.fullmatch(child.name)
            if match is None:
                continue
            try:
                if match[3]:
                    _check_decision(child)
                else:
                    check_folder(child)
            except InputError as error:
                found.append(str(error))
        return found


def inventory(root: Path) -> list[Stored]:
    """All that a store holds, by id and by time; read from the names of folders alone."""
    found = [
        _stored(identity.name, key.name, Path(program.path))
        for identity in _folders(root)
        if identity.name not in APART
        for key in _folders(identity.path)
        for program in _folders(key.path)
    ]
    return sorted(found, key=lambda each: (each.id, each.written))


def removable(stored: list[Stored], older_than: float, now: float | None = None) -> list[Stored]:
    """Those that were last written so many days ago or before."""
    limit = (time.time() if now is None else now) - DAY * older_than
    return [each for each in stored if each.written <= limit]


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
    seeds = verdicts = 0
    names = []
    with os.scandir(path) as found:
        names = [each.name for each in found]
    for match in filter(None, map(_SEEDS.fullmatch, names)):
        if match[3]:
            verdicts += 1
        else:
            seeds += max(0, int(match[2]) - int(match[1]) + 1)
    return Stored(
        id=identity,
        key=key,
        program=path.name,
        path=path,
        seeds=seeds,
        verdicts=verdicts,
        partial="partial" in names,
        written=path.stat().st_mtime,
    )


def _check_decision(file: Path) -> None:
    document = read_json(file)
    whole = isinstance(document, dict) and document.pop("sha256", None) == digest(document)
    if not whole:
        hint = "Use --fresh to decide it again."
        raise InputError(str(file), "the contents its checksum tells", "other contents", hint)

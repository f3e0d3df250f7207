"""The one store: a folder of results addressed by the hash of their configuration.

    <out>/featlearn.json                          what the folder is
    <out>/<id>/<key>/<program>/config.json        configuration and description, for people
                               sources.json       digests of the source that gives this program
                               seeds-0-4/         labelled arrays, a few numbers a seed, provenance,
                                                  and a manifest with size and sha256 of every file
                               seeds-0-19.json    what was decided on these seeds (check)
                               partial/seed-3/    a trajectory under way

The key names what was described, the program what was compiled (`featlearn.results.key`), so that
two branches share a store without overwriting. Finished folders never change; more seeds make more
folders. A lock on <program>/lock lets two processes share a store: what one computes the other
waits for and reads.
"""

import contextlib
import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError, require
from featlearn._config import fields
from featlearn.results.files import (
    check_folder,
    digest,
    read_json,
    remove,
    write_folder,
    write_json,
)
from featlearn.results.key import ResultKey, key_of
from featlearn.results.zarr2 import write_zarr2

if TYPE_CHECKING:
    import xarray as xr

FORMAT = 2
"""Raised with the layout of the folder. 1: results named by fields that differ from defaults."""
MARK = "featlearn.json"
SOURCES = "sources.json"
ABOUT = {"program": "featlearn", "format": FORMAT}
_RANGE = re.compile(r"seeds-(\d+)-(\d+)")


@dataclass(frozen=True)
class Store:
    """A folder of results."""

    root: Path

    def open(self) -> "Store":
        """Make the folder if need be; refuse one that is not ours or cannot be written."""
        where = f"--out {self.root}"
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            mark = self.root / MARK
            if not mark.exists():
                foreign = self._foreign()
                require(
                    foreign is None or mark.exists(),  # another process may just have made it
                    where,
                    "an empty folder or a featlearn store",
                    f"a folder with {foreign.name if foreign else ''}",
                    "Choose another --out.",
                )
                write_json(mark, ABOUT)
            about = read_json(mark, f"If the store is yours, write {json.dumps(ABOUT)} into it.")
            ours = isinstance(about, dict) and about.get("program") == "featlearn"
            require(ours, where, "a featlearn store", "the store of another program")
            old = about.get("schema") == 1
            require(
                about.get("format") == FORMAT,
                where,
                f"a store of format {FORMAT}",
                "one of the first edition" if old else about.get("format"),
                "It stays as it is; choose another --out." if old else "Choose another --out.",
            )
        except OSError as error:
            raise InputError(
                where, "a folder one can write to", error.strerror or error, "Choose another --out."
            ) from None
        return self

    def _foreign(self) -> Path | None:
        """Something in the folder that is not a mark being written."""
        found = sorted(self.root.iterdir())
        return next((path for path in found if not path.name.startswith(f".{MARK}.")), None)

    def entry(self, identity: str, config: Any, made_by: Any = None) -> "Entry":
        """The place of a configuration, whether or not there is anything yet.

        A stored result of the same source is *read*; one of another source and the same program is
        *adopted*; else there is none yet, and the place is *new*.
        """
        key = key_of(config, made_by)
        folder = self.root / identity / key.name
        stored = {file.parent: _sources(file) for file in sorted(folder.glob(f"*/{SOURCES}"))}
        same = [path for path, known in stored.items() if key.source in known]
        path = same[0] if same else folder / key.program
        found = "read" if same else "adopted" if any(path.glob("seeds-*")) else "new"
        entry = Entry(path, identity, config, key, found)
        for listener in _listeners:
            listener(f"{identity} {key.name}: {_why(entry, stored)}")
        return entry


@dataclass(frozen=True)
class Entry:
    """All that is stored of one configuration."""

    path: Path
    identity: str
    config: Any
    key: ResultKey | None = None
    """What names it; None for one that is only looked at."""
    found: str = "read"
    """Whether it is "read", "adopted" or "new"."""

    def seeds(self) -> dict[int, Path]:
        """Which seeds are finished, and where."""
        return {
            seed: folder
            for folder, first, last in self._folders()
            for seed in range(first, last + 1)
        }

    def read(self, seeds: Iterable[int], only: Iterable[str] | None = None) -> "xr.Dataset":
        """The arrays of these seeds, or some of them, each folder checked against its manifest."""
        import xarray as xr

        wanted, places = list(seeds), self.seeds()
        parts = []
        for folder in sorted({places[seed] for seed in wanted}):
            check_folder(folder)
            part = xr.open_zarr(folder / "data.zarr", consolidated=True, chunks=None)
            part = part if only is None else part[[name for name in only if name in part]]
            parts.append(part.load().sel(seed=[s for s in wanted if places[s] == folder]))
        return xr.concat(parts, dim="seed", combine_attrs="override").sel(seed=wanted)

    def summary(self, seeds: Iterable[int]) -> dict[str, list[float | None]]:
        """The summary of these seeds: quantity -> one number a seed, None if never reached."""
        wanted, places = list(seeds), self.seeds()
        stored: dict[Path, dict[str, Any]] = {}
        for folder in sorted({places[seed] for seed in wanted}):
            check_folder(folder, "summary.json")
            stored[folder] = read_json(folder / "summary.json")
        values: dict[str, list[float | None]] = {}
        for seed in wanted:
            told = stored[places[seed]]
            for name, numbers in told["values"].items():
                values.setdefault(name, []).append(numbers[told["seeds"].index(seed)])
        return values

    def write(
        self,
        dataset: "xr.Dataset",
        summary: dict[str, list[float | None]],
        provenance: dict[str, Any],
    ) -> None:
        """Store the arrays and the summary of some seeds in the place of any older ones.

        The older ones go when the new ones stand, so that a full disk costs nothing that was there.
        """
        self._describe()
        new = self._save(dataset, summary, provenance)
        written = {int(seed) for seed in dataset["seed"].values}
        for folder, first, last in self._folders():
            held = set(range(first, last + 1))
            if folder in new or not held & written:
                continue
            if kept := sorted(held - written):
                with contextlib.suppress(InputError):  # what is damaged is dropped whole
                    about = read_json(folder / "provenance.json")
                    self._save(self.read(kept), self.summary(kept), about)
            shutil.rmtree(folder)

    def _save(
        self,
        dataset: "xr.Dataset",
        summary: dict[str, list[float | None]],
        provenance: dict[str, Any],
    ) -> set[Path]:
        """A folder for each run of seeds."""
        seeds = [int(seed) for seed in dataset["seed"].values]
        folders = set()
        for first, last in _runs(seeds):
            these = list(range(first, last + 1))
            part = dataset.sel(seed=these)
            numbers = {
                name: [values[seeds.index(seed)] for seed in these]
                for name, values in summary.items()
            }

            def fill(
                folder: Path,
                part: "xr.Dataset" = part,
                told: dict[str, Any] = {"seeds": these, "values": numbers},  # noqa: B006
            ) -> None:
                write_zarr2(part, folder / "data.zarr")
                write_json(folder / "summary.json", told)
                write_json(folder / "provenance.json", provenance)

            folders.add(self.path / f"seeds-{first}-{last}")
            write_folder(self.path / f"seeds-{first}-{last}", fill)
        return folders

    def verdict(self, seeds: list[int]) -> Path:
        """The file of what was decided on these seeds."""
        return self.path / f"seeds-{seeds[0]}-{seeds[-1]}.json"

    def write_verdict(self, seeds: list[int], document: dict[str, Any]) -> None:
        """Store a decision, with a checksum of itself."""
        self._describe()
        write_json(self.verdict(seeds), {**document, "sha256": digest(document)})

    def read_verdict(self, seeds: list[int]) -> dict[str, Any]:
        """A decision that was stored, checked against its checksum."""
        file = self.verdict(seeds)
        document = read_json(file)
        require(
            isinstance(document, dict) and document.pop("sha256", None) == digest(document),
            str(file),
            "the contents its checksum tells",
            "other contents",
            "Use --fresh to decide it again.",
        )
        return dict(document)

    def partial(self, seed: int) -> Path:
        """Where the checkpoints of a seed live."""
        return self.path / "partial" / f"seed-{seed}"

    def clear_partial(self, seeds: Iterable[int]) -> None:
        """Forget checkpoints."""
        for seed in seeds:
            shutil.rmtree(self.partial(seed), ignore_errors=True)
        with contextlib.suppress(OSError):
            (self.path / "partial").rmdir()

    @contextlib.contextmanager
    def lock(self, *, wait: bool = True) -> Iterator[bool]:
        """Hold the configuration; yields whether it is ours. The lock dies with its process."""
        if self.path.is_dir() and not os.access(self.path, os.W_OK):
            yield True  # what nobody can write to needs no lock: it is read
            return
        self.require_writable()
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            for leftover in self.path.glob(".*"):
                remove(leftover)
            yield True

    def _folders(self) -> list[tuple[Path, int, int]]:
        found = []
        for folder in sorted(self.path.glob("seeds-*-*")):
            match = _RANGE.fullmatch(folder.name)
            if match and folder.is_dir():
                found.append((folder, int(match[1]), int(match[2])))
        return found

    def _describe(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        assert self.key is not None
        about = {"id": self.identity, "hash": self.key.name, "config": fields(self.config)}
        write_json(self.path / "config.json", {**about, "description": self.key.description})
        self.adopt()

    def require_writable(self) -> None:
        """Refuse to compute what could not be stored."""
        near = next(folder for folder in (self.path, *self.path.parents) if folder.exists())
        require(
            os.access(near, os.W_OK),
            str(near),
            "a folder one can write to, for what is not stored yet",
            "none",
            "Choose another --out.",
        )

    def adopt(self) -> None:
        """Note that the source of this moment gives this entry's program."""
        if self.key is not None and (not self.path.exists() or os.access(self.path, os.W_OK)):
            known = _sources(self.path / SOURCES)
            if self.key.source not in known:
                write_json(self.path / SOURCES, {**known, self.key.source: self.key.modules})


_listeners: list[Callable[[str], None]] = []


@contextlib.contextmanager
def explaining(tell: Callable[[str], None]) -> Iterator[None]:
    """While it lasts, say of every entry that is asked for whether it is read, adopted or new."""
    _listeners.append(tell)
    try:
        yield
    finally:
        _listeners.remove(tell)


def _why(entry: Entry, stored: dict[Path, dict[str, dict[str, str]]]) -> str:
    """Whether an entry may be read, and what decided it."""
    assert entry.key is not None
    now = entry.key.modules
    if entry.found == "read":
        return f"read, the code behind it is the same ({len(now)} modules)"
    if not stored:
        return "new, nothing of this description is stored"
    nearest = min(
        (modules for known in stored.values() for modules in known.values()),
        key=lambda modules: len(_differing(now, modules)),
        default={},
    )
    differ = ", ".join(_differing(now, nearest)[:5]) or "its list of modules"
    if entry.found == "adopted":
        return f"adopted, other code ({differ}) and the same program {entry.key.program}"
    return f"new, other code ({differ}) and another program {entry.key.program}"


def _differing(now: dict[str, str], then: dict[str, str]) -> list[str]:
    return sorted(name for name in {*now, *then} if now.get(name) != then.get(name))


def _sources(file: Path) -> dict[str, dict[str, str]]:
    """Source digest -> its modules; none if there is no such file, or none that can be read."""
    try:
        found = read_json(file)
    except InputError:
        return {}
    whole = isinstance(found, dict) and all(isinstance(each, dict) for each in found.values())
    return dict(found) if whole else {}


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Consecutive numbers as (first, last) pairs.

    Example:
        >>> _runs([0, 1, 2, 5])
        [(0, 2), (5, 5)]
    """
    runs: list[tuple[int, int]] = []
    for n in sorted(numbers):
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs

"""The store: a folder of entries, each of which is named by its description and its program.

    <out>/featlearn.json                        what the folder is, and its format
    <out>/<id>/<key>/<program>/entry.json       what was described, for people and for comparison
                               sources.json     digests of the source that gives this program
                               seeds-0-4/       a part: data.npz (the value, `results.codec`),
                               value/           about.json (where it comes from, its parents) and
                                                manifest.json (size and sha256 of both)
                               partial/         checkpoints of unfinished work
                               lock

The key is a digest of the description, and the program is a digest of what was compiled
(`featlearn.results.key`), so that two branches of the code can share a store without overwriting
each other. Runs have a part for every range of seeds; evidence, items, sweeps, fits and other
computations are entries too. A part is written to a temporary folder and renamed, so it is complete
or absent, and it never changes afterwards. Every entry has a lock: while one process computes it,
other processes wait and then read it.
"""

import contextlib
import contextvars
import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from featlearn._check import InputError, require, require_name
from featlearn._choices import EntryKind, Origin
from featlearn.results.codec import load, nbytes, save
from featlearn.results.explaining import explaining as explaining
from featlearn.results.explaining import tell
from featlearn.results.files import (
    check_folder,
    is_aside,
    read_json,
    remove,
    require_no_links,
    write_folder,
    write_json,
)
from featlearn.results.key import ResultKey
from featlearn.results.provenance import environment, provenance

FORMAT = 3
"""The version of the folder's layout. 1: the first edition; 2: arrays as zarr, verdicts as JSON.
"""
MARK = "featlearn.json"
ENTRY = "entry.json"
SOURCES = "sources.json"
DATA = "data.npz"
ABOUT = "about.json"
VALUE = "value"
"""The name of the part in an entry that has only one part."""
BUDGET = 2 * 2**30
"""The most bytes of arrays in a part; a run that would need more is refused at its first record."""
MARKED = {"program": "featlearn", "format": FORMAT}


@dataclass(frozen=True, kw_only=True)
class Store:
    """A folder in which results are stored."""

    root: Path
    same_environment: bool = False
    """Whether to ignore results that were computed with other versions of JAX or another engine."""

    def open(self) -> "Store":
        """Create the folder if necessary; raise an error if it is no store or cannot be written."""
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
                write_json(mark, MARKED)
            about = read_json(mark, f"If the store is yours, write {json.dumps(MARKED)} into it.")
            ours = isinstance(about, dict) and about.get("program") == "featlearn"
            require(ours, where, "a featlearn store", "the store of another program")
            known = about.get("format")
            if known != FORMAT:
                got = "one of the first edition" if about.get("schema") == 1 else known
                hint = "It stays as it is; choose another --out."
                raise InputError(where, f"a store of format {FORMAT}", got, hint)
        except OSError as error:
            raise InputError(
                where, "a folder one can write to", error.strerror or error, "Choose another --out."
            ) from None
        return self

    def _foreign(self) -> Path | None:
        """Return a file in the folder that does not belong to a store; None if there is none."""
        found = sorted(self.root.iterdir())
        return next((path for path in found if not path.name.startswith(f".{MARK}.")), None)

    def entry(
        self,
        identity: str,
        key: ResultKey,
        config: Mapping[str, object] | None = None,
        kind: EntryKind = "run",
    ) -> "Entry":
        """Return the entry of a key, whether or not it exists already.

        A stored result of the same source is *read*, one of another source but the same program is
        *adopted*; otherwise the entry is *new*.

        Args:
            identity: the id of the experiment, statement, item or function.
            key: the key of the result.
            config: the fields of its configuration, to show to people.
            kind: "run", "evidence", "item", "sweep", "fit" or "computed".
        """
        require_name(identity, "id")
        folder = self.root / identity / key.name
        stored = {file.parent: _sources(file) for file in sorted(folder.glob(f"*/{SOURCES}"))}
        same = [path for path, known in stored.items() if key.source in known]
        path = same[0] if same else folder / key.program
        if not same and not path.exists() and key.find_program is not None:
            path = self._described_with_fewer_fields(identity, key) or path
        found: Origin = "read" if same else "adopted" if (path / SOURCES).exists() else "new"
        require_no_links(path, self.root)
        entry = Entry(
            path=path,
            identity=identity,
            config=config,
            key=key,
            found=found,
            kind=kind,
            store=self,
        )
        tell(f"{identity} {key.name}: {_why(entry, stored)}")
        return entry

    def _described_with_fewer_fields(self, identity: str, key: ResultKey) -> Path | None:
        """Return an entry of the same program whose description lacks only newer fields.

        Equal programs compute equal numbers, so the values of the added fields change nothing.
        """
        for file in (self.root / identity).glob(f"*/{key.program}/{ENTRY}"):
            with contextlib.suppress(InputError):
                about = read_json(file)
                if isinstance(about, dict) and _extends(about.get("description"), key.description):
                    return file.parent
        return None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of a store: the folder with all parts of one key and program."""

    path: Path
    identity: str
    config: Mapping[str, object] | None = None
    key: ResultKey | None = None
    """The key of the entry; None if it is only listed."""
    found: Origin = "read"
    """Whether it is "read", "adopted" or "new"."""
    kind: EntryKind = "run"
    store: Store | None = None

    @property
    def status_if_read(self) -> Origin:
        """Whether what is read of this entry is "read" or "adopted"; if the entry was new when it
        was looked up, another process has written it since, with the same code.
        """
        return "read" if self.found == "new" else self.found

    @property
    def address(self) -> str:
        """The address of the entry in the store: id/key/program."""
        return "/".join(self.path.parts[-3:])

    def parts(self, *, same_engine: bool = False) -> list[str]:
        """Return the names of the finished parts, or only of those that this engine computed."""
        if not self.path.is_dir():
            return []
        names = sorted(child.name for child in os.scandir(self.path) if child.is_dir())
        finished = [name for name in names if name != "partial" and not name.startswith(".")]
        return [name for name in finished if self._counts(name, same_engine=same_engine)]

    def has(self, part: str = VALUE) -> bool:
        """Whether a part of that name is finished."""
        return (self.path / part).is_dir() and self._counts(part)

    def read(
        self,
        part: str = VALUE,
        records: Iterable[type] = (),
        only: Iterable[str] | None = None,
    ) -> Any:
        """Load the value of a part, after comparing its files with their checksums."""
        folder = self.path / part
        check_folder(folder)
        self._note_environment(part)
        value = load(folder / DATA, records, only)
        count_as_parents([self.address])
        self.adopt()
        return value

    def about(self, part: str = VALUE) -> dict[str, Any]:
        """Return where a part comes from: provenance, environment, parents, and further notes."""
        check_folder(self.path / part, ABOUT)
        found = read_json(self.path / part / ABOUT)
        require(isinstance(found, dict), str(self.path / part / ABOUT), "a table", "another")
        return dict(found)

    def write(self, value: object, part: str = VALUE, **notes: object) -> None:
        """Store a value as a part, replacing an older part of that name.

        Args:
            value: anything that `featlearn.results.codec` can write.
            part: its name.
            notes: further JSON values for about.json.
        """
        size = nbytes(value)
        require(size <= BUDGET, str(self.path / part), f"at most {BUDGET} bytes of arrays", size)
        self._describe()
        about = {
            "provenance": provenance(),
            "environment": environment(),
            "parents": [],
            **notes,
        }

        def fill(folder: Path) -> None:
            save(folder / DATA, value)
            write_json(folder / ABOUT, about)

        write_folder(self.path / part, fill)
        count_as_parents([self.address])

    def remove(self, part: str) -> None:
        """Delete a part."""
        remove(self.path / part)

    def partial(self, name: str) -> Path:
        """Return the folder for checkpoints of unfinished work of that name."""
        folder = self.path / "partial" / name
        require_no_links(folder, self.path)
        return folder

    def clear_partial(self, names: Iterable[str]) -> None:
        """Delete the checkpoints of the unfinished work of these names."""
        for name in names:
            remove(self.partial(name))
        with contextlib.suppress(OSError):
            (self.path / "partial").rmdir()

    @contextlib.contextmanager
    def lock(self, *, wait: bool = True) -> Iterator[bool]:
        """Lock the entry, and yield whether that succeeded; the lock ends when its process ends."""
        if self.path.is_dir() and not os.access(self.path, os.W_OK):
            yield True  # an entry that cannot be written can only be read, without a lock
            return
        self.require_writable()
        self.path.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            for leftover in self.path.glob(".*"):
                if is_aside(leftover.name):
                    remove(leftover)
            yield True
        finally:
            os.close(handle)

    def require_writable(self) -> None:
        """Raise `InputError` if the entry cannot be written, before anything is computed."""
        near = next(folder for folder in (self.path, *self.path.parents) if folder.exists())
        require(
            os.access(near, os.W_OK),
            str(near),
            "a folder one can write to, for what is not stored yet",
            "none",
            "Choose another --out.",
        )

    def adopt(self) -> None:
        """Record that the current source code gives the same program as this stored entry."""
        if self.key is not None and (not self.path.exists() or os.access(self.path, os.W_OK)):
            known = _sources(self.path / SOURCES)
            if self.key.source not in known:
                write_json(self.path / SOURCES, {**known, self.key.source: self.key.modules})

    def _counts(self, part: str, *, same_engine: bool = False) -> bool:
        """Whether a part may be read: some readers require the same engine or environment."""
        whole = self.store is not None and self.store.same_environment
        if not whole and not same_engine:
            return True
        with contextlib.suppress(InputError):
            then, now = self.about(part).get("environment") or {}, environment()
            return then == now if whole else then.get("engine") == now["engine"]
        return False

    def _note_environment(self, part: str) -> None:
        then, now = self.about(part).get("environment") or {}, environment()
        differ = [f"{name} {then.get(name)}" for name in now if then.get(name) != now[name]]
        if differ:
            here = ", ".join(f"{name} {value}" for name, value in now.items())
            tell(f"{self.address}: computed with {', '.join(differ)}; here: {here}", always=True)

    def _describe(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        assert self.key is not None
        about = {"id": self.identity, "kind": self.kind, "hash": self.key.name}
        described = {"config": self.config, "description": self.key.description}
        if not (self.path / ENTRY).exists():
            write_json(self.path / ENTRY, {**about, **described})
        self.adopt()


_collected: contextvars.ContextVar[dict[str, None] | None] = contextvars.ContextVar(
    "parents", default=None
)


@contextlib.contextmanager
def collect_parents() -> Iterator[dict[str, None]]:
    """Collect the addresses of all entries that are read or written inside the `with` block."""
    found: dict[str, None] = {}
    before = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(before)
        outer = _collected.get()
        if outer is not None:
            outer.update(found)


def count_as_parents(addresses: Iterable[str]) -> None:
    """Add addresses to those that `collect_parents` is collecting, if it is active."""
    found = _collected.get()
    if found is not None:
        found.update(dict.fromkeys(addresses))


def _why(entry: Entry, stored: dict[Path, dict[str, dict[str, str]]]) -> str:
    """Say whether an entry may be read, and what decided that."""
    assert entry.key is not None
    now = entry.key.modules
    if entry.found == "read":
        return f"read, the code behind it is the same ({len(now)} modules)"
    if not stored and entry.found == "new":
        return "new, nothing of this description is stored"
    if not stored:
        return "adopted, fields were added to its description and the program is the same"
    nearest = min(
        (modules for known in stored.values() for modules in known.values()),
        key=lambda modules: len(changed_modules(now, modules)),
        default={},
    )
    differ = ", ".join(changed_modules(now, nearest)[:5]) or "its list of modules"
    if entry.found == "adopted":
        return f"adopted, other code ({differ}) and the same program {entry.key.program}"
    compiled = entry.key.find_program is not None
    also = f" and another program {entry.key.program}" if compiled else ""
    return f"new, other code ({differ}){also}"


def changed_modules(now: dict[str, str], then: dict[str, str]) -> list[str]:
    """Return the names of the modules whose digests differ."""
    return sorted(name for name in {*now, *then} if now.get(name) != then.get(name))


def _sources(file: Path) -> dict[str, dict[str, str]]:
    """Return source digest -> modules; empty if the file is missing or cannot be read."""
    try:
        found = read_json(file)
    except InputError:
        return {}
    whole = isinstance(found, dict) and all(isinstance(each, dict) for each in found.values())
    return dict(found) if whole else {}


def _extends(old: object, new: object) -> bool:
    """Whether the new description has all that the old one has, with the same values."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(name in new and _extends(value, new[name]) for name, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_extends, old, new))
    return bool(old == new)

"""Archives: one stored result in one file, with all that is needed to compute it again elsewhere.

    archive.json       what it is: id, kind, configuration, seeds or size, versions, machine, the
                       digests of the code and of the image files, the numbers with their errors
    value.npz          the stored value itself (`results.codec`)
    source/<module>    the text of every module behind it, and of the user's own file

An archive may come from somebody one does not trust: reading it runs no code and leaves no files on
disk.
"""

import importlib.util
import json
import shutil
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from featlearn._check import InputError, is_number, is_whole, require, require_name
from featlearn._choices import EntryKind
from featlearn._source import digests
from featlearn.reproduction.catalogue import is_file, target_from_file
from featlearn.reproduction.numbers import Numbers, bits, numbers_of
from featlearn.results.codec import load, save
from featlearn.results.files import read_json
from featlearn.results.inventory import Stored, inventory
from featlearn.results.seeds import finished, read_seeds
from featlearn.results.store import SOURCES, Entry, Store
from featlearn.theory.job import RECORDS

FORMAT = 1
KINDS = ("run", "evidence", "item")
LARGEST = 4 * 2**30
"""Bytes that an archive may unfold to."""
DENSEST = 100
"""The stored value is compressed already: it may unfold to so many times its size in the archive,
and `LONGEST` beyond it."""
LONGEST = 2**25
"""Bytes of its description, and of a module's text."""


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A stored result that can be computed again."""

    kind: str
    """ "run", "evidence" or "item"."""
    id: str
    target: str = ""
    """The user's own file and the name in it, where the id is not one of the catalogue."""
    config: dict[str, Any] | None = None
    seeds: tuple[int, ...] = ()
    size: str = ""
    """Of an item: "quick" or "full"."""
    provenance: dict[str, Any] = field(default_factory=dict)
    """Versions and machine."""
    environment: dict[str, Any] = field(default_factory=dict)
    """Versions of JAX, and the engine."""
    data: str = ""
    """Digest of the image files that an item used."""
    modules: dict[str, str] = field(default_factory=dict)
    """The modules behind it, each with the digest of its code."""
    numbers: Numbers = field(default_factory=dict)
    """What was measured: name -> value and standard error."""
    value: Any = None
    """The stored value."""
    sources: dict[str, str] = field(default_factory=dict)
    """The text of every module, by name."""


def pack(identity: str, store: Store, *, key: str = "") -> Archive:
    """Return an archive of the result that a store has of an experiment, a statement or an item.

    Args:
        identity: its id, or the user's own ``path.py:name``.
        store: where it is stored.
        key: the beginning of its key, where the store has several.
    """
    own = target_from_file(identity).id if is_file(identity) else identity
    found = [
        each
        for each in inventory(store.root)
        if each.id == own and each.kind in KINDS and each.key.startswith(key) and each.parts
    ]
    listed = ", ".join(f"{each.key} ({each.kind})" for each in found) or "none"
    hint = "Give --key, as `featlearn store list` shows it." if found else ""
    require(len(found) == 1, f"archive {identity}", "one result in the store", listed, hint)
    (stored,) = found
    require(
        stored.changed == [],
        stored.address,
        "a result of the code of today, whose text can be packed",
        f"other code ({', '.join((stored.changed or ['unknown'])[:3])})",
        "Compute it again first.",
    )
    entry = Entry(path=stored.path, identity=stored.id, kind=cast(EntryKind, stored.kind))
    part, seeds, value = _value(stored, entry)
    about, described = entry.about(part), stored.about
    modules = _modules(stored)
    return Archive(
        kind=stored.kind,
        id=stored.id,
        target=f"{Path(identity.rpartition(':')[0]).name}:{identity.rpartition(':')[2]}"
        if is_file(identity)
        else "",
        config=described.get("config"),
        seeds=seeds,
        size=part if stored.kind == "item" else "",
        provenance=dict(about.get("provenance") or {}),
        environment=dict(about.get("environment") or {}),
        data=json.dumps(described.get("description")) if stored.kind == "item" else "",
        modules=modules,
        numbers=numbers_of(stored.kind, value),
        value=value,
        sources={**_texts(modules), **_own_text(identity)},
    )


def _value(stored: Stored, entry: Entry) -> tuple[str, tuple[int, ...], Any]:
    """Return the part of an entry that is archived, the seeds in it, and its value."""
    if stored.kind == "run":
        places = finished(entry)
        seeds = tuple(sorted(places))
        return places[seeds[0]], seeds, read_seeds(entry, seeds)
    part = "full" if "full" in stored.parts else stored.parts[-1]
    if stored.kind == "item":
        return part, (), entry.read(part)
    first, last = map(int, part.split("-")[1:])
    return part, tuple(range(first, last + 1)), entry.read(part, records=RECORDS)


def _modules(stored: Stored) -> dict[str, str]:
    """Return the modules behind an entry with their digests, for the code that computed the
    entry.
    """
    known = read_json(stored.path / SOURCES)
    every: list[dict[str, str]] = [dict(modules) for modules in known.values()]
    return min(every, key=len)


def _texts(modules: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in modules:
        try:
            spec = importlib.util.find_spec(name) if name.startswith("featlearn") else None
        except (ImportError, ValueError):
            spec = None
        if spec is not None and spec.origin and Path(spec.origin).suffix == ".py":
            found[f"{name}.py"] = Path(spec.origin).read_text(encoding="utf-8")
    return found


def _own_text(identity: str) -> dict[str, str]:
    if not is_file(identity):
        return {}
    file = Path(identity.rpartition(":")[0])
    return {f"own/{file.name}": file.read_text(encoding="utf-8")}


def write(archive: Archive, file: Path) -> None:
    """Write an archive into a file; if writing fails, the file is left as it was."""
    told = {k: v for k, v in asdict_shallow(archive).items() if k not in ("value", "sources")}
    aside = file.with_name(f".{file.name}.part")
    try:
        with zipfile.ZipFile(aside, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("archive.json", json.dumps({"format": FORMAT, **told}, indent=1))
            packed.writestr("value.npz", _packed(archive.value))
            for name, text in sorted(archive.sources.items()):
                packed.writestr(f"source/{name}", text)
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


def asdict_shallow(archive: Archive) -> dict[str, Any]:
    """Return the fields of an archive as a dictionary, without converting their values."""
    return {name: getattr(archive, name) for name in archive.__dataclass_fields__}


def _packed(value: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "value.npz"
        save(file, value)
        return file.read_bytes()


def read(file: Path) -> Archive:
    """Return the archive in a file; raise `InputError` if the file is anything else."""
    require(file.is_file(), str(file), "an archive of featlearn", "no such file")
    try:
        with zipfile.ZipFile(file) as packed:
            size = sum(member.file_size for member in packed.infolist())
            require(size <= LARGEST, str(file), f"at most {LARGEST} bytes unpacked", size)
            told = json.loads(_member(packed, "archive.json", LONGEST))
            require(isinstance(told, dict), str(file), "an archive of featlearn", "another file")
            found = told.pop("format", None)
            require(found == FORMAT, str(file), f"an archive of format {FORMAT}", found)
            names = [name for name in packed.namelist() if name.startswith("source/own/")]
            own = {
                name.removeprefix("source/"): _member(packed, name, LONGEST).decode()
                for name in names
            }
            value = _loaded(packed, "value.npz")
    except InputError:
        raise
    except Exception as error:  # whatever a file of somebody else's may hold
        raise InputError(str(file), "an archive of featlearn", type(error).__name__) from None
    _require_known(told, str(file))
    _require_of_kind(told["kind"], value, str(file))
    numbers = {name: (pair[0], pair[1]) for name, pair in told["numbers"].items()}
    more = {"seeds": tuple(told["seeds"]), "numbers": numbers, "value": value, "sources": own}
    return Archive(**{**told, **more})


def _require_known(told: dict[str, Any], where: str) -> None:
    """Refuse a description that has other fields than an archive, or values of other types."""
    kinds: dict[str, Any] = {
        **dict.fromkeys(("kind", "id", "target", "size", "data"), str),
        **dict.fromkeys(("provenance", "environment", "modules", "numbers"), dict),
        "config": dict | None,
        "seeds": list,
    }
    odd = sorted({*told} ^ {*kinds}) or [n for n in kinds if not isinstance(told[n], kinds[n])]
    versions = isinstance(told.get("provenance"), dict) and told["provenance"].get("versions")
    odd += [] if isinstance(versions or {}, dict) else ["provenance"]
    require(not odd, where, "the description of an archive", f"another {', '.join(odd)[:200]}")
    require(told["kind"] in KINDS, where, "one of " + ", ".join(KINDS), repr(told["kind"]))
    require_name(told["id"], where)
    require(all(map(is_whole, told["seeds"])), where, "seeds that are whole numbers", "others")
    for name, pair in told["numbers"].items():
        both = isinstance(pair, list) and len(pair) == 2
        both = both and all(each is None or is_number(each) for each in pair)
        require(both, f"{where}: {name[:80]}", "a number and its error", repr(pair)[:80])


def _require_of_kind(kind: str, value: Any, where: str) -> None:
    """Refuse a value that is not of the stated kind: a run, evidence or an item."""
    try:
        numbers_of(kind, value)
        bits(kind, value)
    except Exception as error:  # whatever a value of another kind lacks
        got = f"another ({type(error).__name__})"
        raise InputError(where, f"a stored value of the kind {kind}", got) from None


def _member(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return the content of a file in an archive; no more is unpacked than the size that the
    archive states.
    """
    told = packed.getinfo(name)
    require(told.file_size <= most, name, f"at most {most} bytes", told.file_size)
    with packed.open(told) as member:
        return member.read(told.file_size)


def _loaded(packed: zipfile.ZipFile, name: str) -> Any:
    """Return the stored value, which is unpacked piece by piece into a temporary folder."""
    told = packed.getinfo(name)
    most = LONGEST + DENSEST * told.compress_size
    require(told.file_size <= most, name, f"at most {most} bytes", told.file_size)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "value.npz"
        with packed.open(told) as member, file.open("wb") as target:
            shutil.copyfileobj(member, target, 2**20)
        return load(file, RECORDS)


def other_code(archive: Archive) -> list[str]:
    """Return the modules of featlearn whose code on this machine differs from that of the
    archive.
    """
    ours = [name for name in archive.modules if name.startswith("featlearn")]
    here = digests(ours)
    return sorted(name for name in ours if here.get(name) != archive.modules[name])

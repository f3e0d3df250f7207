"""List the entries of a store, and search the list by words, id, kind, fields and date.

Names of folders and the small file that describes an entry are read once; arrays are read only when
they are drawn. So a list of thousands of entries stays fast.
"""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from featlearn._check import InputError, require
from featlearn._config import text_of
from featlearn.results.inventory import Stored, inventory, removable, remove
from featlearn.results.store import MARK, Store

PAGE = 100
"""So many entries are shown at once."""


@dataclass(frozen=True, kw_only=True)
class Listed:
    """An entry of the store as the list shows it."""

    stored: Stored
    kind: str
    config: Mapping[str, str]
    """Field -> value as the command line writes it."""

    @property
    def address(self) -> str:
        """The address of the entry in the store."""
        return self.stored.address

    def document(self, fields: Sequence[str]) -> dict[str, Any]:
        """Return the row of this entry in the list, with the values of some fields."""
        return {
            "address": self.address,
            "id": self.stored.id,
            "kind": self.kind,
            "key": self.stored.key,
            "seeds": self.stored.seeds,
            "partial": self.stored.partial,
            "written": time.strftime("%Y-%m-%d %H:%M", time.localtime(self.stored.written)),
            "fields": {name: self.config[name] for name in fields if name in self.config},
        }

    def fits(self, words: Sequence[str]) -> bool:
        """Return whether every word occurs in the entry's id, key or kind, or equals a field:
        "d=50".
        """
        text = f"{self.stored.id} {self.stored.key} {self.kind}".lower()
        told = {f"{name}={value}".lower() for name, value in self.config.items()}
        return all(word in told if "=" in word else word in text for word in words)


class Shelf:
    """The searchable list of all entries of a store; `look` reads the store again."""

    def __init__(self, root: Path) -> None:
        require((root / MARK).is_file(), f"--out {root}", "a featlearn store", "none")
        self.root = Store(root=root).open().root
        self._known: dict[str, tuple[float, Listed]] = {}
        self._all: list[Listed] = []
        self.look()

    def look(self) -> None:
        """Read the current entries of the store; entries that have not changed are not read
        again.
        """
        found: dict[str, tuple[float, Listed]] = {}
        for stored in inventory(self.root):
            before = self._known.get(stored.address)
            if before and before[0] == stored.written and before[1].stored.parts == stored.parts:
                found[stored.address] = before
            else:
                found[stored.address] = (stored.written, _listed(stored))
        self._known = found
        self._all = [listed for _, listed in found.values()]

    def find(self, address: str) -> Listed:
        """Return the entry at an address of the list."""
        require(address in self._known, "entry", "one of the list", repr(address)[:80])
        return self._known[address][1]

    def runs(self, address: str) -> list[Listed]:
        """Return the entry itself or, for a sweep, the runs that it made and that still exist."""
        entry = self.find(address)
        if entry.kind != "sweep":
            return [entry]
        made = [self._known[each][1] for each in sorted(entry.stored.parents & set(self._known))]
        return [each for each in made if each.kind == "run"]

    def search(
        self,
        *,
        words: str = "",
        identity: str = "",
        kind: str = "",
        since: str = "",
        sort: str = "written",
        descending: bool = True,
        offset: int = 0,
        chosen: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Return one page of the entries that match, and the values by which the list can be
        narrowed.

        Args:
            words: each in the id, key or kind, or a field with its value: ``d=50``.
            identity: the id.
            kind: "run", "evidence", …
            since: the day of the last change, or a later one: ``2026-01-31``.
            sort: "written", "id", "seeds" or a field.
            descending: the largest first.
            offset: how many to pass over.
            chosen: addresses whose entries are told as well, wherever they stand.
        """
        after = _day(since) if since else 0.0
        asked = words.lower().split()
        of_kind = [each for each in self._all if not kind or each.kind == kind]
        found = [
            each
            for each in of_kind
            if (not identity or each.stored.id == identity)
            and each.stored.written >= after
            and each.fits(asked)
        ]
        fields = varying(found)
        found.sort(key=_order(sort), reverse=descending)
        return {
            "total": len(self._all),
            "found": len(found),
            "fields": fields,
            "kinds": dict(sorted(Counter(each.kind for each in self._all).items())),
            "ids": dict(sorted(Counter(each.stored.id for each in of_kind).items())),
            "entries": [each.document(fields) for each in found[offset : offset + PAGE]],
            "chosen": [self._known[a][1].document(fields) for a in chosen if a in self._known],
        }

    def going(self, addresses: Sequence[str]) -> tuple[list[Listed], list[Listed]]:
        """Return which of the entries can be deleted, and which cannot because others were made
        from them.
        """
        asked = [self.find(address) for address in addresses]
        everything = [each.stored for each in self._all]
        free = {
            each.address for each in removable([a.stored for a in asked], everything=everything)
        }
        return (
            [each for each in asked if each.address in free],
            [each for each in asked if each.address not in free],
        )

    def delete(self, addresses: Sequence[str]) -> list[str]:
        """Delete those of the entries that no other entry was made from; return their addresses."""
        going, _ = self.going(addresses)
        for each in going:
            remove(each.stored)
        self.look()
        return [each.address for each in going]


def varying(entries: Sequence[Listed]) -> list[str]:
    """Return the fields whose values differ among the entries, or that only some entries have."""
    values: dict[str, set[str | None]] = {}
    for each in entries:
        for name in each.config:
            values.setdefault(name, set())
    for each in entries:
        for name, seen in values.items():
            if len(seen) < 2:
                seen.add(each.config.get(name))
    return [name for name, seen in values.items() if len(seen) > 1]


def number_of(text: str) -> float | None:
    """Return the number that a text contains; None if the text is not a number."""
    with contextlib.suppress(ValueError):
        return float(text)
    return None


def _listed(stored: Stored) -> Listed:
    about = stored.about
    config = about.get("config") or {}
    if (
        about.get("kind") == "sweep"
    ):  # its fields are those of its grid, and what they have in common
        config = {**config.get("fixed", {}), **config.get("grid", {})}
    told = {name: text_of(v) for name, v in config.items()}
    return Listed(stored=stored, kind=str(about.get("kind", "unknown")), config=told)


def _order(sort: str) -> Callable[[Listed], tuple[int, float, str]]:
    """Return a sort key that puts missing values first, then numbers by size, then words by
    alphabet.
    """

    def key(each: Listed) -> tuple[int, float, str]:
        if sort == "written":
            return (0, each.stored.written, each.address)
        if sort == "seeds":
            return (0, each.stored.seeds, each.address)
        text = each.stored.id if sort == "id" else each.config.get(sort)
        if text is None:
            return (-1, 0.0, each.address)
        number = number_of(text)
        return (0, number, "") if number is not None else (1, 0.0, text)

    return key


def _day(text: str) -> float:
    try:
        return time.mktime(time.strptime(text, "%Y-%m-%d"))
    except (ValueError, OverflowError):
        raise InputError("since", "a day such as 2026-01-31", repr(text)[:40]) from None

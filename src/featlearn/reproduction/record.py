"""Write the stored numbers and verdicts of a paper into its `expected.json`."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from featlearn._check import require, suggestion
from featlearn.reproduction.catalogue import item_titles, papers, statement_titles
from featlearn.reproduction.outcome import (
    ItemOutcome,
    StatementOutcome,
    stored_item,
    stored_statement,
    verdict_word,
)
from featlearn.reproduction.paper import Paper
from featlearn.reproduction.recorded import Recorded, in_errors, read, record, shown
from featlearn.results.ledger import Row, Status
from featlearn.results.store import Store


@dataclass(frozen=True, kw_only=True)
class Recording:
    """The new contents of a paper's `expected.json`, and what they change."""

    paper: Paper
    rows: Mapping[str, str | dict[str, Any]]
    verdicts: Mapping[str, object]
    moved: tuple[str, ...]
    """One sentence for every number, status or verdict that changes."""
    new: int
    """How many rows and verdicts were not recorded before, or only as a word."""
    absent: tuple[str, ...]
    """Items and statements that the store does not have; what is recorded of them stays."""

    def write(self) -> None:
        """Write the file, with one line per row and per verdict."""
        document = {"verdicts": self.verdicts, "rows": self.rows}
        (self.paper.folder / "expected.json").write_text(_text(document), encoding="utf-8")


def recording(identity: str, store: Store) -> Recording:
    """Collect the full-size results that a store has of a paper, or of one item or statement.

    Records for which the store has no result stay as they are; it is an error if the store has
    nothing of what `identity` names. An item that needs a GPU but was computed at the quick size
    instead is recorded at that size.
    """
    known = [*papers(), *item_titles(), *statement_titles()]
    hint = suggestion(identity, known, "See `featlearn papers`.")
    require(identity in known, "record", "a paper, an item or a statement", repr(identity), hint)
    name, _, part = identity.partition(".")
    paper = papers()[name]
    items = [each for each in paper.items if part in ("", each)]
    statements = [each for each in paper.statements if part in ("", each)]
    found = {each: _full_size_outcome(paper, each, store) for each in items}
    outcomes = {each: outcome for each, outcome in found.items() if outcome}
    checked = {each: stored_statement(store, paper.statement(each)) for each in statements}
    decided = {each: outcome for each, outcome in checked.items() if outcome}
    present = {*outcomes, *decided}
    absent = tuple(f"{name}.{each}" for each in (*items, *statements) if each not in present)
    require(
        len(present) > 0,
        f"record {identity}",
        f"outcomes at full size of this code in {store.root}",
        f"none of {', '.join(absent)}",
        f"Try `featlearn reproduce {' '.join(absent[:3])} --size full --out {store.root}`.",
    )
    before = paper.expected()
    old = {key: read(entry) for key, entry in before["rows"].items()}
    kept = {key for key in old if _stays(key, old[key], outcomes)}
    rows = {key: entry for key, entry in before["rows"].items() if key in kept}
    verdicts, moved, new = dict(before["verdicts"]), list[str](), 0
    for item, outcome in outcomes.items():
        mine = {row.key: record(row, outcome.digest) for row in outcome.reproduction.rows}
        rows.update(mine)
        for row in outcome.reproduction.rows:
            known_before = old.get(row.key)
            new += known_before is None or known_before.value is None
            if known_before is not None:
                moved += _moved(f"{name}.{row.key}", known_before, read(mine[row.key]), row)
        gone = [k for k in old if k.partition("/")[0] == item and k not in {*mine, *kept}]
        moved += [f"{name}.{key}: no row has that name any more." for key in gone]
    for each, judged in decided.items():
        now = _verdicts(judged)
        new += each not in verdicts
        moved += _changed(f"{name}.{each}", before["verdicts"].get(each), now)
        verdicts[each] = now
    return Recording(
        paper=paper, rows=rows, verdicts=verdicts, moved=tuple(moved), new=new, absent=absent
    )


def _stays(key: str, recorded: Recorded, outcomes: Mapping[str, ItemOutcome]) -> bool:
    """Return whether a recorded row stays: its item has no new outcome, or one on other images.

    The size of a row says which images it is about, as in "full, mnist".
    """
    outcome = outcomes.get(key.partition("/")[0])
    if outcome is None:
        return True
    images = {row.size.partition(", ")[2] for row in outcome.reproduction.rows}
    mine = recorded.size.partition(", ")[2]
    return bool(mine) and mine not in images


def _full_size_outcome(paper: Paper, name: str, store: Store) -> ItemOutcome | None:
    item = paper.item(name)
    found = stored_item(store, item, "full")
    if found and _without_its_files(paper, name, found):
        return None
    return found or (stored_item(store, item, "quick") if item.gpu else None)


def _without_its_files(paper: Paper, name: str, found: ItemOutcome) -> bool:
    """Return whether an item has recorded rows that could not be computed now because image files
    were absent.
    """
    keys = {row.key for row in found.reproduction.rows}
    others = [key for key in paper.expected()["rows"] if key.partition("/")[0] == name]
    unlike = all(row.status is Status.NOT_RUN for row in found.reproduction.rows)
    return unlike and not keys.issuperset(others)


def _verdicts(found: StatementOutcome) -> dict[str, str | None] | None:
    """Return the verdict of each reading; None for a definition, which has no verdict."""
    assert found.judgement is not None
    verdicts = found.judgement.verdicts
    return verdicts if any(verdicts.values()) else None


def _moved(where: str, old: Recorded, new: Recorded, row: Row) -> list[str]:
    status = new.status if old.status == new.status else f"{old.status} -> {new.status}"
    if old.value is None:
        same = any(each.value == new.status for each in old.statuses)
        return [] if same else [f"{where}: {status}, {shown(new.value, new.stderr)}."]
    if (old.value, old.stderr, old.status) == (new.value, new.stderr, new.status):
        return []
    apart = in_errors(old, row)
    errors = f", {apart:.2g} errors of both apart" if math.isfinite(apart) else ""
    before, after = shown(old.value, old.stderr), shown(new.value, new.stderr)
    return [f"{where}: {status}, {before} -> {after}{errors}."]


def _changed(
    where: str, old: dict[str, str | None] | str | None, new: dict[str, str | None] | None
) -> list[str]:
    if old is None or old == new:
        return []
    before: dict[str, str | None] = old if isinstance(old, dict) else {"": old}
    after = new or {}
    return [
        f"{where} ({reading}): {verdict_word(before, reading)} -> {verdict_word(after, reading)}."
        for reading in dict.fromkeys([*before, *after])
        if before.get(reading) != after.get(reading)
    ]


def _text(document: Mapping[str, Mapping[str, object]]) -> str:
    """Return JSON with one line per entry, so that a change of an entry changes one line.

    Example:
        >>> print(_text({"rows": {"a": 1}, "verdicts": {}}), end="")
        {
          "rows": {
            "a": 1
          },
          "verdicts": {}
        }
    """

    def block(entries: Mapping[str, object]) -> str:
        lines = [f"    {_json(key)}: {_json(value)}" for key, value in entries.items()]
        return "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"

    parts = [f"  {_json(name)}: {block(entries)}" for name, entries in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)

"""What came out of an item or a statement, kept in the store so that it can be shown again.

    <out>/reproduced/<size>/<item id>.json      rows, figures, notes, provenance of an item

Judgements are kept where `check` keeps them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from featlearn._check import InputError
from featlearn.experiments.named import seed_range
from featlearn.figures.files import from_document as figure_from
from featlearn.figures.files import to_document as figure_document
from featlearn.figures.judged import judged
from featlearn.figures.record import Figure
from featlearn.figures.story import from_document as story_from
from featlearn.figures.story import to_document as story_document
from featlearn.papers.catalogue import expected_verdict, papers
from featlearn.papers.item import Reproduction
from featlearn.results.files import digest, read_json, write_json
from featlearn.results.ledger import Row
from featlearn.results.ledger import from_document as row_from
from featlearn.results.ledger import to_document as row_document
from featlearn.results.store import Store
from featlearn.theory import Judgement, Statement
from featlearn.theory.check import from_document as judgement_from

FOLDER = "reproduced"


@dataclass(frozen=True, kw_only=True)
class Reproduced:
    """An item, reproduced, or why not."""

    id: str
    title: str
    size: str
    status: str
    """"computed", "read", "failed", or "skipped" where something it needs is absent."""
    reproduction: Reproduction = field(default_factory=Reproduction)
    error: str | None = None
    instead: str = ""
    """Why it was made at another size than was asked for, in one sentence."""
    quantities: dict[str, str] = field(default_factory=dict)
    """What the experiments of the paper record, in words."""
    seconds: float | None = None
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def paper(self) -> str:
        """The id of its paper."""
        return self.id.partition(".")[0]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What it drew."""
        return self.reproduction.figures

    def expected(self, row: Row) -> str | None:
        """What is recorded for a row; None if nothing is, or nothing that speaks for its size.

        With the few seeds of the quick size error bars may allow what they do not at full size, or
        the other way round: then only the opposite of what is recorded is a surprise.
        """
        if self.paper not in papers():
            return None
        rows: dict[str, str] = papers()[self.paper].expected()["rows"]
        name = self.id.removeprefix(f"{self.paper}.")
        recorded = rows.get(f"{name}/{row.quantity}/{row.recipe}")
        unsure = "ambiguous" in (recorded, row.agrees) and recorded != row.agrees
        return None if unsure and row.size.startswith("quick") else recorded

    @property
    def surprises(self) -> list[str]:
        """A sentence for the failure, and for each row that is not the one recorded."""
        told = [f"{self.id}: {self.error}"] if self.status == "failed" else []
        for row in self.reproduction.rows:
            expected = self.expected(row)
            if expected is not None and expected != row.agrees:
                where = f"{self.id} {row.quantity} ({row.recipe})"
                told.append(f"{where}: expected {expected}, got {row.agrees}.")
        return told


@dataclass(frozen=True, kw_only=True)
class Decided:
    """A statement, decided, or why not."""

    id: str
    title: str
    place: str
    status: str
    judgement: Judgement | None = None
    error: str | None = None
    expected: str | None = None
    seconds: float | None = None
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def paper(self) -> str:
        """The id of its paper."""
        return self.id.partition(".")[0]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figure of its judgement."""
        return (judged(self.judgement, self.title),) if self.judgement else ()

    @property
    def verdict(self) -> str | None:
        """HOLDS, FAILS, OUT_OF_SCOPE, UNDECIDED; None for a definition and for a failure."""
        verdict = self.judgement.verdict if self.judgement else None
        return verdict.name if verdict else None

    @property
    def surprises(self) -> list[str]:
        """A sentence for the failure, or for a verdict that is not the one recorded."""
        if self.error:
            return [f"{self.id}: {self.error}"] if self.status == "failed" else []
        if not surprising(self.verdict, self.expected):
            return []
        recorded = f"expected {self.expected}, got " if self.expected else ""
        return [f"{self.id}: {recorded}{self.verdict}."]


Outcome = Reproduced | Decided


def surprising(verdict: str | None, expected: str | None) -> bool:
    """Whether a verdict is another than the recorded one; where none is, whether it is FAILS."""
    return verdict == "FAILS" if expected is None else verdict != expected


def surprises(outcomes: Iterable[Outcome]) -> list[str]:
    """All that is not as recorded, a sentence each."""
    return [sentence for outcome in outcomes for sentence in outcome.surprises]


def _file(out: Path, identity: str, size: str) -> Path:
    return out / FOLDER / size / f"{identity}.json"


def write_item(out: Path, outcome: Reproduced, source: str, data: str = "") -> None:
    file = _file(out, outcome.id, outcome.size)
    file.parent.mkdir(parents=True, exist_ok=True)
    made = outcome.reproduction
    document = {
        "id": outcome.id,
        "size": outcome.size,
        "source": source,
        "data": data,
        "rows": [row_document(row) for row in made.rows],
        "notes": list(made.notes),
        "config": made.config,
        "quantities": outcome.quantities,
        "seconds": outcome.seconds,
        "provenance": outcome.provenance,
        "figures": [figure_document(figure) for figure in made.figures],
        "story": story_document(made.story) if made.story else None,
    }
    write_json(file, {**document, "sha256": digest(document)})


def read_item(
    out: Path, identity: str, title: str, size: str, source: str, data: str | None = ""
) -> Reproduced | None:
    """The stored outcome; None if there is none of that `source` and `data` (any data, if None)."""
    file = _file(out, identity, size)
    if not file.exists():
        return None
    document = read_json(file, hint := "Use `featlearn reproduce --fresh`.")
    try:
        # An outcome of before there were checksums has none, and is taken as it is.
        if document.pop("sha256", None) not in (None, digest(document)):
            raise ValueError
        if document["source"] != source or data not in (None, document["data"]):
            return None
        story = document.get("story")
        return Reproduced(
            id=identity,
            title=title,
            size=size,
            status="read",
            reproduction=Reproduction(
                rows=tuple(map(row_from, document["rows"])),
                figures=tuple(map(figure_from, document["figures"])),
                notes=tuple(document["notes"]),
                config=document["config"],
                story=story_from(story) if story else None,
            ),
            quantities=document["quantities"],
            seconds=document["seconds"],
            provenance=document["provenance"],
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError(str(file), "a stored outcome", "something else", hint) from None


def read_decided(out: Path, statement: Statement) -> Decided | None:
    """The verdict that the store has for the statement at its default sizes and seeds."""
    entry, seeds = (
        Store(out).entry(statement.id, statement.config, statement),
        seed_range(statement.seeds, 0),
    )
    if not entry.verdict(seeds).exists():
        return None
    document = entry.read_verdict(seeds)
    return Decided(
        id=statement.id,
        title=statement.title,
        place=statement.place,
        status="read",
        judgement=judgement_from(document, str(entry.verdict(seeds))),
        expected=expected_verdict(statement.id),
        seconds=document.get("seconds"),
        provenance=document.get("provenance", {}),
    )

"""Outcomes of items and statements; they are stored so that they can be shown again."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from featlearn._check import InputError
from featlearn._choices import Origin, Size
from featlearn._describe import describe
from featlearn._source import sources
from featlearn.experiments.run import entry_of
from featlearn.figures.files import from_document as figure_from
from featlearn.figures.files import to_document as figure_document
from featlearn.figures.judged import judged
from featlearn.figures.record import Figure
from featlearn.figures.story import from_document as story_from
from featlearn.figures.story import to_document as story_document
from featlearn.reproduction.catalogue import expected_verdicts, papers
from featlearn.reproduction.cells import corrected as corrected_rows
from featlearn.reproduction.item import Item, Reproduction
from featlearn.reproduction.recorded import Recorded, digest_of, surprise, unknown_keys
from featlearn.reproduction.recorded import read as read_recorded
from featlearn.results.files import finite, read_json
from featlearn.results.key import ResultKey
from featlearn.results.ledger import Row
from featlearn.results.ledger import from_document as row_from
from featlearn.results.ledger import to_document as row_document
from featlearn.results.provenance import provenance
from featlearn.results.store import ABOUT, Entry, Store
from featlearn.theory import Judgement, Statement
from featlearn.theory.check import CheckedStatement, from_entry, statement_job
from featlearn.theory.holm import corrected

LAB = ("featlearn.experiments.lab",)
"""Modules that are not part of an item's key: the lab's trainings have keys of their own."""


@dataclass(frozen=True, kw_only=True)
class ItemOutcome:
    """The outcome of an item: its reproduction, or the reason why there is none."""

    id: str
    title: str
    size: Size
    status: Origin
    """"computed", "read", "failed", or "skipped" if something it needs is missing."""
    reproduction: Reproduction = field(default_factory=Reproduction)
    error: str | None = None
    instead: str = ""
    """Why it was computed at another size than requested, in one sentence."""
    quantities: dict[str, str] = field(default_factory=dict)
    """The meaning of every quantity that the experiments of the paper record, by name."""
    seconds: float | None = None
    provenance: dict[str, object] = field(default_factory=dict)
    program: str = ""
    """A digest of the code behind it."""

    @property
    def paper(self) -> str:
        """The id of the paper that the item belongs to."""
        return self.id.partition(".")[0]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of the reproduction."""
        return self.reproduction.figures

    @property
    def digest(self) -> str:
        """A digest of code, JAX versions and machine; runs with equal digests are equal bit by
        bit.
        """
        return digest_of(self.program, self.provenance) if self.program else ""

    @functools.cached_property
    def recorded(self) -> dict[str, Recorded]:
        """The recorded rows of the item's paper (`expected.json`), by key."""
        if self.paper not in papers():
            return {}
        rows = papers()[self.paper].expected()["rows"]
        return {key: read_recorded(entry) for key, entry in rows.items()}

    def expected(self, row: Row) -> Recorded | None:
        """Return the recorded values of a row; None if nothing is recorded for it."""
        return self.recorded.get(row.key)

    @property
    def surprises(self) -> list[str]:
        """One sentence for a failure, for each row that differs from its record, and for each
        recorded key without a row.
        """
        if self.error:
            return [f"{self.id}: {self.error}"] if self.status == "failed" else []
        rows = self.reproduction.rows
        pairs = [(self.expected(row), row) for row in rows]
        found = [surprise(old, row, self.digest) for old, row in pairs if old is not None]
        surprises = [sentence for sentence in found if sentence is not None]
        # A size with a comma names the data that a row comes from: then not all rows are there.
        whole = not any("," in row.size for row in rows)
        return surprises + (unknown_keys(self.recorded, self.id, rows, self.size) if whole else [])


@dataclass(frozen=True, kw_only=True)
class StatementOutcome:
    """The outcome of a statement: its judgement, or the reason why there is none."""

    id: str
    title: str
    place: str
    status: Origin
    judgement: Judgement | None = None
    error: str | None = None
    expected: dict[str, str | None] | None = None
    """The recorded verdict of each reading."""
    seconds: float | None = None
    provenance: dict[str, object] = field(default_factory=dict)
    rests_on: tuple[str, ...] = ()
    """Addresses of the entries of the store that its evidence was made from."""

    @property
    def paper(self) -> str:
        """The id of the paper that the statement belongs to."""
        return self.id.partition(".")[0]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figure of the judgement, if there is a judgement."""
        return (judged(self.judgement, self.title),) if self.judgement else ()

    @property
    def verdict(self) -> str | None:
        """The name of the verdict, such as HOLDS or FAILS; None for a definition and for a
        failure.
        """
        verdict = self.judgement.verdict if self.judgement else None
        return verdict.name if verdict else None

    @property
    def surprises(self) -> list[str]:
        """One sentence for a failure, or for each verdict that differs from the recorded one."""
        if self.error:
            return [f"{self.id}: {self.error}"] if self.status == "failed" else []
        assert self.judgement is not None
        return surprising(self.judgement, self.expected)


Outcome = ItemOutcome | StatementOutcome


def surprising(judgement: Judgement, expected: dict[str, str | None] | None) -> list[str]:
    """Return one sentence for each reading whose verdict differs from the recorded one.

    If nothing is recorded for these sizes, FAILS is a surprise, unless the reading also fails at
    the recorded sizes.
    """
    found = judgement.verdicts
    if expected is None:
        known = expected_verdicts(judgement.id) or {}
        return [
            f"{judgement.id} ({reading}): {verdict}."
            for reading, verdict in found.items()
            if verdict == "FAILS" and known.get(reading) != "FAILS"
        ]
    return [
        f"{judgement.id} ({reading}): expected {verdict_word(expected, reading)}, "
        f"got {verdict_word(found, reading)}."
        for reading in {**expected, **found}
        if expected.get(reading, NOT_READ) != found.get(reading, NOT_READ)
    ]


NOT_READ = "no such reading"


def verdict_word(verdicts: dict[str, str | None], reading: str) -> str:
    """Return the verdict of a reading as a word, or a word that says that it has no verdict or is
    absent.
    """
    return verdicts.get(reading, NOT_READ) or "no verdict"


def paper_by_paper(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Return the judgements in the same order, after Holm's correction within each paper."""
    named = [each.id.partition(".")[0] for each in judgements]
    mine = {
        paper: iter(corrected([j for j, of in zip(judgements, named, strict=True) if of == paper]))
        for paper in dict.fromkeys(named)
    }
    return [next(mine[paper]) for paper in named]


def over_papers(outcomes: Iterable[Outcome | None]) -> tuple[Outcome, ...]:
    """Return all outcomes that are not None, with Holm's correction of judgements and rows within
    each paper.
    """
    there = _ledgers([each for each in outcomes if each is not None])
    judgements = [
        each.judgement for each in there if isinstance(each, StatementOutcome) if each.judgement
    ]
    corrected_ones = iter(paper_by_paper(judgements))
    return tuple(
        replace(each, judgement=next(corrected_ones))
        if isinstance(each, StatementOutcome) and each.judgement
        else each
        for each in there
    )


def _ledgers(outcomes: list[Outcome]) -> list[Outcome]:
    """Return the outcomes, with their rows corrected over the ledger of each paper."""
    items = [each for each in outcomes if isinstance(each, ItemOutcome)]
    new_rows: dict[str, Iterator[Row]] = {}
    for paper in dict.fromkeys(each.paper for each in items):
        rows = [row for each in items if each.paper == paper for row in each.reproduction.rows]
        new_rows[paper] = iter(corrected_rows(rows))

    def with_new_rows(each: ItemOutcome) -> ItemOutcome:
        rows = tuple(next(new_rows[each.paper]) for _ in each.reproduction.rows)
        return replace(each, reproduction=replace(each.reproduction, rows=rows))

    return [with_new_rows(each) if isinstance(each, ItemOutcome) else each for each in outcomes]


def surprises(outcomes: Iterable[Outcome]) -> list[str]:
    """Return one sentence for each result that differs from its record in `expected.json`."""
    return [sentence for outcome in outcomes for sentence in outcome.surprises]


def item_key(item: Item, data: str) -> ResultKey:
    """Return the key of an item's outcomes in the store: it digests the data files used, and the
    code.
    """
    described = {"item": item.id, "data": data}
    return ResultKey(description=describe(described), modules=sources(item, without=LAB))


def write_item(entry: Entry, outcome: ItemOutcome, parents: Iterable[str]) -> None:
    """Store the outcome of an item in its entry."""
    document = item_document(outcome)
    entry.write(document, outcome.size, seconds=outcome.seconds, parents=list(parents))


def item_document(outcome: ItemOutcome) -> dict[str, object]:
    """Return the outcome of an item as plain data, in the form in which it is stored."""
    made = outcome.reproduction
    return {
        "rows": [row_document(row) for row in made.rows],
        "notes": list(made.notes),
        "config": finite(made.config),
        "quantities": outcome.quantities,
        "figures": [figure_document(figure) for figure in made.figures],
        "story": story_document(made.story) if made.story else None,
    }


def read_item(entry: Entry, identity: str, title: str, size: Size) -> ItemOutcome:
    """Return the outcome of an item at a given size, read from an entry."""
    document, about = entry.read(size), entry.about(size)
    try:
        story = document["story"]
        return ItemOutcome(
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
            seconds=about["seconds"],
            provenance=about["provenance"],
            program=entry.path.name,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        hint = "Use `featlearn reproduce --fresh`."
        raise InputError(str(entry.path), "a stored outcome", "something else", hint) from None


def stored_item(store: Store, item: Item, size: Size) -> ItemOutcome | None:
    """Return the newest outcome of an item that the current code has stored, for any data files;
    None if there is none.
    """
    if not (store.root / item.id).is_dir():
        return None
    program = item_key(item, "").program
    folders = (store.root / item.id).glob(f"*/{program}/{size}")
    newest = max(folders, key=lambda folder: folder.stat().st_mtime_ns, default=None)
    if newest is None:
        return None
    entry = Entry(path=newest.parent, identity=item.id, kind="item")
    return read_item(entry, item.id, item.title, size)


def decided(statement: Statement, found: CheckedStatement) -> StatementOutcome:
    """Return the outcome of a checked statement, together with the recorded verdicts."""
    return StatementOutcome(
        id=statement.id,
        title=statement.title,
        place=statement.place,
        status=found.judgement.status,
        judgement=found.judgement,
        expected=expected_verdicts(statement.id),
        seconds=found.seconds,
        provenance=found.provenance or provenance(),
        rests_on=_parents(found.path) if found.path else (),
    )


def _parents(path: Path) -> tuple[str, ...]:
    """Return the addresses of the stored entries from which the parts of an entry were computed."""
    found = (read_json(about).get("parents", ()) for about in path.glob(f"*/{ABOUT}"))
    return tuple(sorted({address for parents in found for address in parents}))


def stored_statement(store: Store, statement: Statement) -> StatementOutcome | None:
    """Return the outcome of a statement from stored evidence, at the default sizes and seeds; None
    if there is none.
    """
    if not (store.root / statement.id).is_dir():
        return None
    job = statement_job(statement, None, 0, {})
    entry = entry_of(store, job)
    return decided(statement, from_entry(job, entry)) if entry.has(job.part) else None

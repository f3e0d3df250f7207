"""The contents of the page: a comparison of the papers, then one section for each paper."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from featlearn.figures.record import Figure
from featlearn.figures.story import compare
from featlearn.report import graph, tables
from featlearn.report.anchors import Anchors
from featlearn.report.cards import card
from featlearn.report.counts import tally
from featlearn.report.drawn import Drawn, drawn
from featlearn.report.layout import grid
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.cells import by_cell
from featlearn.reproduction.counts import NONE, false_differences
from featlearn.reproduction.outcome import ItemOutcome, Outcome, StatementOutcome
from featlearn.reproduction.proofs import ProofGraph, proofs
from featlearn.reproduction.recorded import shown, surprise
from featlearn.results.ledger import Row, RowKind

Entry = dict[str, Any]


def comparison(outcomes: Sequence[Outcome], anchors: Anchors) -> Drawn | None:
    """Return the figure that compares the papers; None if no outcome has a signal history."""
    figure = stories(outcomes)
    return drawn(figure, anchors.give("stories"), files=True) if figure else None


def stories(outcomes: Sequence[Outcome]) -> Figure | None:
    """Draw the signal histories of the papers on common axes, using the first history of each
    paper.
    """
    told: dict[str, ItemOutcome] = {}
    for each in outcomes:
        if isinstance(each, ItemOutcome) and each.reproduction.story:
            told.setdefault(each.paper, each)
    if not told:
        return None
    known = {
        papers()[name].short if name in papers() else name: each.reproduction.story
        for name, each in told.items()
        if each.reproduction.story
    }
    by_size: dict[str, list[str]] = {}
    for each in told.values():
        by_size.setdefault(each.size, []).append(each.id)
    commands = [f"featlearn reproduce {' '.join(ids)} --size {s}" for s, ids in by_size.items()]
    return compare(known, " && ".join(commands))


def sections(outcomes: Sequence[Outcome], anchors: Anchors) -> list[Entry]:
    """Return one section for each paper with outcomes, and one for outcomes without a paper."""
    names = dict.fromkeys(_paper(each) for each in outcomes)
    return [_section(name, [o for o in outcomes if _paper(o) == name], anchors) for name in names]


def _paper(outcome: Outcome) -> str:
    return outcome.paper if outcome.paper in papers() else ""


def _section(name: str, outcomes: Sequence[Outcome], anchors: Anchors) -> Entry:
    paper, link = papers().get(name), anchors.give(name or "own")
    items = [_item(each, anchors) for each in outcomes if isinstance(each, ItemOutcome)]
    figures = [each for item in items for each in item["figures"]]
    decided = [each for each in outcomes if isinstance(each, StatementOutcome)]
    links = {each.id: anchors.give(each.id) for each in decided}
    proven = proofs(paper, decided) if paper and decided else None
    rows = [row for item in items for row in _rows(item, anchors)]
    return {
        "id": name or "own",
        "link": link,
        "paper": paper,
        "short": paper.short if paper else "Your own",
        "title": paper.title if paper else "Your own",
        "tally": tally(outcomes),
        "thumbnail": figures[0] if figures else None,
        "items": items,
        "ledger": anchors.give(f"{link}.ledger"),
        "rows": rows,
        "grids": _grids(items, rows),
        "chance": false_differences(outcomes),
        "csv": _script_text(tables.csv(outcomes)),
        "decided": anchors.give(f"{link}.statements"),
        "graph": graph.on_page(proven, links) if proven else None,
        "graph_link": anchors.give(f"{link}.graph"),
        "statements": [_statement(each, anchors, links, proven) for each in decided],
    }


def _item(outcome: ItemOutcome, anchors: Anchors) -> Entry:
    return _entry(outcome, anchors, anchors.give(outcome.id), files=True)


def _statement(
    outcome: StatementOutcome,
    anchors: Anchors,
    links: Mapping[str, str],
    proven: ProofGraph | None,
) -> Entry:
    word = outcome.status if outcome.error else outcome.verdict or "none"
    read = outcome.judgement.verdicts if outcome.judgement else {}
    verdicts = {reading: verdict or NONE for reading, verdict in read.items()}
    name = outcome.id.partition(".")[2]
    known = proven is not None and name in proven.nodes
    used_by = proven.used_by[name] if known and proven else ()
    standing = proven.standing(name).value if known and proven else ""
    return {
        **_entry(outcome, anchors, links[outcome.id], files=False),
        "word": word,
        "verdicts": verdicts,
        "card": card(outcome, links, used_by),
        "standing": standing,
    }


def _entry(outcome: Outcome, anchors: Anchors, link: str, *, files: bool) -> Entry:
    figures = [
        drawn(figure, anchors.give(f"{outcome.id}.{figure.id}"), files=files)
        for figure in outcome.figures
    ]
    return {"link": link, "outcome": outcome, "figures": figures, "alone": alone(figures)}


def alone(figures: Sequence[Drawn]) -> str:
    """Return the link of the last half-width figure if their number is odd, so that none is beside
    it; else "".
    """
    halves = [each.link for each in figures if len(each.figure.panels) == 1]
    return halves[-1] if len(halves) % 2 else ""


def _rows(item: Entry, anchors: Anchors) -> list[Entry]:
    """Return the rows of the ledger; rows for one cell are adjacent, and the judged row comes
    first.
    """
    outcome: ItemOutcome = item["outcome"]
    return [
        {
            "link": anchors.give(f"{row.item}.{row.quantity}.{row.recipe}"),
            "item": item["link"],
            "row": row,
            "under": place > 0,
            "surprise": _not_as_recorded(outcome, row),
        }
        for recipes in by_cell(outcome.reproduction.rows).values()
        for place, row in enumerate(recipes)
    ]


def _grids(items: Sequence[Entry], rows: Sequence[Entry]) -> list[Entry]:
    """Return, for every item whose printed cells make a table, this table in the layout of the
    paper.
    """
    found = []
    for item in items:
        cells = [
            (each["row"].quantity, each)
            for each in rows
            if each["item"] == item["link"] and not each["under"]
            if each["row"].kind is RowKind.CELL
        ]
        table = grid(cells)
        if table is not None:
            found.append({"item": item, "table": table})
    return found


def _not_as_recorded(outcome: ItemOutcome, row: Row) -> str | None:
    """Return a text with the recorded status and value if the row differs from them; else None."""
    recorded = outcome.expected(row)
    if recorded is None or surprise(recorded, row, outcome.digest) is None:
        return None
    number = f", {shown(recorded.value, recorded.stderr)}" if recorded.value is not None else ""
    return f"{recorded.status}{number}"


def _script_text(text: str) -> Markup:
    """Return text for a script element, percent-encoded so that it cannot end the element."""
    return Markup(text.replace("%", "%25").replace("<", "%3C"))

"""The command `featlearn reproduce [PAPER | ID …]`: run items and statements, write the page."""

import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from featlearn.cli.check import STYLES as VERDICT_STYLES
from featlearn.cli.fields import COMMON
from featlearn.cli.journey import journey
from featlearn.cli.output import (
    console,
    explained,
    number,
    print_document,
    require_file,
    with_error,
)
from featlearn.cli.run import OUT, Explain, Fresh, Json, Out, SameEnvironment, store_at

if TYPE_CHECKING:
    from featlearn.reproduction.outcome import ItemOutcome, Outcome, StatementOutcome

PAGE = Path("report/index.html")
STYLES = {
    **VERDICT_STYLES,
    "agrees": "green",
    **dict.fromkeys(("higher", "lower", "differs", "unreachable"), "bold red"),
    **dict.fromkeys(("cannot tell", "fitted", "predicted"), "yellow"),
    **dict.fromkeys(("not run", "no claim"), "dim"),
}

Ids = Annotated[str, Parameter(help="Papers, items or statements (default: every paper).")]
Size = Annotated[
    Literal["quick", "full"],
    Parameter(group=COMMON, help="The headline at laptop size, or everything."),
]
Report = Annotated[Path, Parameter(group=COMMON, help="Where the page is written.")]
Data = Annotated[Path | None, Parameter(group=COMMON, help="Folder of image files.")]


def reproduce(
    *ids: Ids,
    size: Size = "quick",
    out: Out = OUT,
    report: Report = PAGE,
    data: Data = None,
    fresh: Fresh = False,
    explain: Explain = False,
    same_environment: SameEnvironment = False,
    json: Json = False,
) -> int:
    """Reproduce tables, figures and statements of papers, and write the ledger and the page."""
    started = time.perf_counter()
    require_page(report)
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.reproduction.reproduce import reproduce as run_all
    from featlearn.reproduction.reproduce import targets

    stages = targets(ids, size)
    store = store_at(out, same_environment=same_environment)
    names, kinds = [each.id for each in stages], [type(each).__name__ for each in stages]
    with (
        explained(explain),
        journey(f"reproduce --size {size}", names, kinds) as (watch, tell),
    ):
        outcomes = run_all(
            ids, size=size, out=store, fresh=fresh, data=data, watch=watch, tell=tell
        )
    return finish(outcomes, report, started, json=json)


def require_page(page: Path) -> None:
    """Raise `InputError` if the page cannot be written, before anything is computed."""
    require_file(page, f"--report {page}")


def finish(outcomes: "tuple[Outcome, ...]", page: Path, started: float, *, json: bool) -> int:
    """Write the page and print the outcomes; return 1 if anything is not as recorded, else 0."""
    from featlearn.report.page import write
    from featlearn.reproduction.outcome import surprises

    write(outcomes, page)
    unexpected = surprises(outcomes)
    if json:
        print_document({**_document(outcomes), "report": str(page)}, started)
    else:
        _tell(outcomes, unexpected)
        many = "1 outcome" if len(outcomes) == 1 else f"{len(outcomes)} outcomes"
        for sentence in _counted(outcomes):
            print(sentence)
        print(f"{many} in {time.perf_counter() - started:.1f} s: {page}")
    return 1 if unexpected else 0


def _document(outcomes: "tuple[Outcome, ...]") -> dict[str, Any]:
    from featlearn.reproduction.counts import counts, counts_by_paper
    from featlearn.reproduction.outcome import ItemOutcome, StatementOutcome
    from featlearn.results.ledger import to_document as row_document
    from featlearn.theory.check import to_document as judgement_document

    return {
        "verdicts": [
            {**judgement_document(each.judgement), "expected": each.expected}
            for each in outcomes
            if isinstance(each, StatementOutcome) and each.judgement
        ],
        "ledger": [
            {**row_document(row), "expected": asdict(old) if (old := each.expected(row)) else None}
            for each in outcomes
            if isinstance(each, ItemOutcome)
            for row in each.reproduction.rows
        ],
        **{
            status: [{"id": o.id, "error": o.error} for o in outcomes if o.status == status]
            for status in ("failed", "skipped")
        },
        "counts": {"all": counts(outcomes), "papers": counts_by_paper(outcomes)},
    }


def _counted(outcomes: "tuple[Outcome, ...]") -> list[str]:
    """One line for the verdicts of each reading, and one for each kind of row that occurs."""
    from featlearn.reproduction.counts import counts, false_differences

    told = {
        name: ", ".join(f"{count} {word}" for word, count in words.items() if count)
        for name, words in counts(outcomes).items()
    }
    chance = false_differences(outcomes)
    return [f"{name}: {words}" for name, words in told.items() if words] + [chance] * bool(chance)


def _tell(outcomes: "tuple[Outcome, ...]", unexpected: list[str]) -> None:

    from featlearn.reproduction.outcome import StatementOutcome

    terminal = console()
    for outcome in outcomes:
        if outcome.error:
            style = "bold red" if outcome.status == "failed" else "yellow"
            terminal.print(f"[bold]{outcome.id}[/bold]  [{style}]{outcome.status}[/]", end="  ")
            terminal.print(outcome.error, markup=False, soft_wrap=True, highlight=False)
        elif isinstance(outcome, StatementOutcome):
            _tell_decided(terminal, outcome)
        else:
            _tell_reproduced(terminal, outcome)
    for sentence in unexpected:
        print(f"featlearn: not as recorded: {sentence}", file=sys.stderr)


def _tell_decided(terminal: Any, decided: "StatementOutcome") -> None:
    terminal.print(f"[bold]{decided.id}[/bold]", end="  ", highlight=False)
    terminal.print(f"{decided.title} ({decided.status})", markup=False, soft_wrap=True)
    for read in decided.judgement.readings if decided.judgement else ():
        name = read.verdict.name if read.verdict else "-"
        style = STYLES.get(name, "dim")
        told = f"  {read.reading.name.lower():<9}  [{style}]{name:<12}[/]"
        terminal.print(told, end=" ", highlight=False)
        terminal.print(read.reason, markup=False, soft_wrap=True, highlight=False)


def _tell_reproduced(terminal: Any, outcome: "ItemOutcome") -> None:
    from rich.markup import escape

    from featlearn.reproduction.cells import by_cell

    title = escape(f"{outcome.title} ({outcome.status})")
    terminal.print(f"[bold]{outcome.id}[/bold]  {title}", soft_wrap=True, highlight=False)
    if outcome.instead:
        terminal.print(f"  [yellow]{escape(outcome.instead)}[/]", soft_wrap=True, highlight=False)
    recipes = [
        (place > 0, row)
        for of_cell in by_cell(outcome.reproduction.rows).values()
        for place, row in enumerate(of_cell)
    ]
    for under, row in recipes:
        paper = number(row.paper) if isinstance(row.paper, float | int) else row.paper
        ours = " ".join([with_error(row.measured, row.stderr), row.unit]).strip()
        told = f"{row.quantity}, {row.recipe}: {ours}; paper: {paper or 'none given'}"
        style = f"[{STYLES[row.status]}]{row.status:<11}[/]"
        terminal.print(f"  {'  ' * under}{style} {escape(told)}", soft_wrap=True, highlight=False)
        terminal.print(f"[dim]{'':<14}{escape(row.why)}[/]", soft_wrap=True, highlight=False)

"""featlearn check [ID …]: statements -> verdicts."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from featlearn._check import require, suggestion
from featlearn._config import fields, replace
from featlearn.cli.fields import COMMON
from featlearn.cli.output import number, print_document, progress
from featlearn.cli.run import OUT, FirstSeed, Fresh, Json, Out

if TYPE_CHECKING:
    from featlearn.theory import Judgement, Statement

Ids = Annotated[
    str, Parameter(help="Statements or papers (default: all), or path.py:name.", show=True)
]
Number = Annotated[
    int | None, Parameter(group=COMMON, help="How many seeds (default: the statement's own).")
]


def check(
    *ids: Ids,
    seeds: Number = None,
    first_seed: FirstSeed = 0,
    out: Out = OUT,
    fresh: Fresh = False,
    json: Json = False,
    **changes: Any,
) -> int:
    """Decide statements: HOLDS, FAILS, OUT_OF_SCOPE or UNDECIDED, and why."""
    started = time.perf_counter()
    chosen = statements(ids)
    mine = {each.id: _own(each, changes) for each in chosen}
    known = {name for each in chosen for name in fields(each.config)}
    for name in changes:
        require(
            name in known, "check", "a field of the statements named", name, suggestion(name, known)
        )
    for each in chosen:
        replace(each.config, mine[each.id], where=each.id)
    from featlearn.cli.engine import prepare

    prepare()
    from featlearn.theory.check import check as decide

    judgements = []
    with progress("check") as watch:
        for place, each in enumerate(chosen):
            watch(place / len(chosen))
            judgement = decide(
                each,
                seeds=seeds,
                first_seed=first_seed,
                out=Path(out),
                fresh=fresh,
                **mine[each.id],
            )
            judgements.append((judgement, _expected(each, mine[each.id])))
    if json:
        print_document(
            {"verdicts": [_document(j, expected) for j, expected in judgements]}, started
        )
    else:
        _tell(judgements, time.perf_counter() - started)
    return 1 if any(_surprising(j, expected) for j, expected in judgements) else 0


def statements(ids: tuple[str, ...]) -> "list[Statement]":
    """The statements that the ids name, each once; all of them if none is named."""
    from featlearn.papers.catalogue import find_statements, papers

    found = [each for identity in ids or papers() for each in find_statements(identity)]
    return list({each.id: each for each in found}.values())


def _own(statement: "Statement", changes: dict[str, Any]) -> dict[str, Any]:
    have = fields(statement.config)
    return {name: value for name, value in changes.items() if name in have}


def _expected(statement: "Statement", changes: dict[str, Any]) -> str | None:
    """What was recorded, which is for the default sizes only."""
    from featlearn.papers.catalogue import expected_verdict

    return None if changes else expected_verdict(statement.id)


def _surprising(judgement: "Judgement", expected: str | None) -> bool:
    verdict = judgement.verdict.name if judgement.verdict else None
    return verdict == "FAILS" if expected is None else verdict != expected


def _document(judgement: "Judgement", expected: str | None) -> dict[str, Any]:
    from featlearn.theory.check import to_document

    return {**to_document(judgement), "expected": expected}


def _tell(judgements: "list[tuple[Judgement, str | None]]", seconds: float) -> None:
    from rich.console import Console

    console = Console()
    styles = {"HOLDS": "green", "FAILS": "bold red", "OUT_OF_SCOPE": "yellow", "UNDECIDED": "cyan"}
    for judgement, expected in judgements:
        name = judgement.verdict.name if judgement.verdict else "-"
        style = styles.get(name, "dim")
        console.print(f"[bold]{judgement.id}[/bold]  [{style}]{name}[/{style}]  {judgement.reason}")
        if expected is not None and expected != name:
            console.print(f"  expected {expected}")
        for each in judgement.assumptions:
            mark = "holds" if each.holds else "fails"
            console.print(f"  assumption {each.name}: {mark}  {each.detail}")
        for part in judgement.parts:
            told = part.verdict.name if part.verdict else "-"
            error = "" if part.stderr is None else f" ± {number(part.stderr, 2)}"
            compared = (
                f"{number(part.measured, 6)}{error} {part.relation} {number(part.predicted, 6)}"
            )
            console.print(
                f"  [{styles.get(told, 'dim')}]{told:<12}[/] {part.name}: {compared}",
                soft_wrap=True,
            )
            console.print(f"               [dim]{part.reason}[/dim]", soft_wrap=True)
        for name, constant in judgement.constants.items():
            console.print(f"  constant {name} = {number(constant.value)}")
    console.print(f"{len(judgements)} statements in {seconds:.1f} s")

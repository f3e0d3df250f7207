"""featlearn check [ID …]: statements -> verdicts."""

import time
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from featlearn._check import require, suggestion
from featlearn._config import fields, replace
from featlearn.cli.fields import COMMON, own_fields
from featlearn.cli.output import explained, number, print_document, progress, with_error
from featlearn.cli.run import (
    OUT,
    Explain,
    FirstSeed,
    Fresh,
    Json,
    Out,
    SameEnvironment,
    store_at,
)
from featlearn.experiments.named import seed_range

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
    explain: Explain = False,
    same_environment: SameEnvironment = False,
    json: Json = False,
    **changes: Any,
) -> int:
    """Decide statements: HOLDS, FAILS, OUT_OF_SCOPE or UNDECIDED, and why."""
    started = time.perf_counter()
    chosen = statements(ids)
    known = {name for each in chosen for name in fields(each.config)}
    for name in changes:
        require(
            name in known, "check", "a field of the statements named", name, suggestion(name, known)
        )
    mine = [own_fields(each.config, changes) for each in chosen]
    sizes = [replace(each.config, own, each.id) for each, own in zip(chosen, mine, strict=True)]
    seed_range(1 if seeds is None else seeds, first_seed)
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.theory.check import check_all, statement_job

    store = store_at(out, same_environment=same_environment)
    jobs = [
        statement_job(each, seeds, first_seed, own) for each, own in zip(chosen, mine, strict=True)
    ]
    found: dict[int, Judgement] = {}
    with explained(explain), progress("check") as watch:
        for place, ended in check_all(jobs, out=store, fresh=fresh, watch=watch):
            if isinstance(ended, Exception):
                raise ended
            found[place] = ended.judgement
    judgements = []
    for place, each in enumerate(chosen):
        recorded = first_seed == 0 and _recorded(each, sizes[place], seeds)
        judgements.append((found[place], _expected(each) if recorded else None))
    if json:
        print_document(
            {"verdicts": [_document(j, expected) for j, expected in judgements]}, started
        )
    else:
        _tell(judgements, time.perf_counter() - started)
    from featlearn.papers.outcome import surprising

    told = [(j.verdict.name if j.verdict else None, expected) for j, expected in judgements]
    return 1 if any(surprising(*each) for each in told) else 0


def statements(ids: tuple[str, ...]) -> "list[Statement]":
    """The statements that the ids name, each once; all of them if none is named."""
    from featlearn.papers.catalogue import find_statements, papers

    found = [each for identity in ids or papers() for each in find_statements(identity)]
    return list({id(each): each for each in found}.values())


def _recorded(statement: "Statement", config: Any, seeds: int | None) -> bool:
    """Whether a check is of the sizes and seeds that the recorded verdicts are for."""
    return bool(config == statement.config) and seeds in (None, statement.seeds)


def _expected(statement: "Statement") -> str | None:
    """The recorded verdict of a paper's own statement; None for a user's."""
    from featlearn.papers.catalogue import expected_verdict

    return expected_verdict(statement.id)


def _document(judgement: "Judgement", expected: str | None) -> dict[str, Any]:
    from featlearn.theory.check import to_document

    return {**to_document(judgement), "expected": expected}


def _tell(judgements: "list[tuple[Judgement, str | None]]", seconds: float) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False)
    styles = {"HOLDS": "green", "FAILS": "bold red", "OUT_OF_SCOPE": "yellow", "UNDECIDED": "cyan"}
    for judgement, expected in judgements:
        name = judgement.verdict.name if judgement.verdict else "-"
        style = styles.get(name, "dim")
        console.print(
            f"[bold]{judgement.id}[/bold]  [{style}]{name}[/{style}]  {escape(judgement.reason)}",
            soft_wrap=True,
        )
        if expected is not None and expected != name:
            console.print(f"  expected {expected}")
        for each in judgement.assumptions:
            mark = "holds" if each.holds else "fails"
            console.print(
                escape(f"  assumption {each.name}: {mark}  {each.detail}"), soft_wrap=True
            )
        for part in judgement.parts:
            told = part.verdict.name if part.verdict else "-"
            measured = with_error(part.measured, part.stderr, 6)
            compared = f"{measured} {part.relation} {number(part.predicted, 6)}"
            console.print(
                f"  [{styles.get(told, 'dim')}]{told:<12}[/] {escape(f'{part.name}: {compared}')}",
                soft_wrap=True,
            )
            console.print(f"               [dim]{escape(part.reason)}[/dim]", soft_wrap=True)
        for name, constant in judgement.constants.items():
            console.print(f"  constant {name} = {number(constant.value)}")
    stored = sum(judgement.status == "read" for judgement, _ in judgements)
    told = f", {stored} read from the store (--fresh decides again)" if stored else ""
    many = "statement" if len(judgements) == 1 else "statements"
    console.print(f"{len(judgements)} {many} in {seconds:.1f} s{told}", soft_wrap=True)

"""The command `featlearn check [ID …]`: check statements and print their verdicts."""

import math
import time
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from featlearn._check import require, suggestion
from featlearn._config import fields, replace
from featlearn.cli.fields import COMMON, own_fields
from featlearn.cli.output import console, explained, number, print_document, progress, with_error
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
    from featlearn.theory import Judgement, Part, Statement

    Verdicts = dict[str, str | None]

STYLES = {
    "HOLDS": "green",
    "FAILS": "bold red",
    "OUT_OF_SCOPE": "yellow",
    "UNDECIDED": "cyan",
    "OPEN": "cyan",
    "VACUOUS": "yellow",
}

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
    """Check statements in every reading of their constants, and print verdicts with reasons."""
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
    from featlearn.reproduction.outcome import paper_by_paper, surprising

    decided = paper_by_paper([found[place] for place in range(len(chosen))])
    judgements = []
    for place, each in enumerate(chosen):
        recorded = first_seed == 0 and _has_recorded_sizes(each, sizes[place], seeds)
        judgements.append((decided[place], _expected(each) if recorded else None))
    if json:
        print_document(
            {"verdicts": [_document(j, expected) for j, expected in judgements]}, started
        )
    else:
        _tell(judgements, time.perf_counter() - started)
    return 1 if any(surprising(*each) for each in judgements) else 0


def statements(ids: tuple[str, ...]) -> "list[Statement]":
    """The statements that the ids name, each once; without ids all statements."""
    from featlearn.reproduction.catalogue import find_statements, papers

    found = [each for identity in ids or papers() for each in find_statements(identity)]
    return list({id(each): each for each in found}.values())


def _has_recorded_sizes(statement: "Statement", config: Any, seeds: int | None) -> bool:
    """Whether a check has the sizes and seeds for which verdicts are recorded."""
    return bool(config == statement.config) and seeds in (None, statement.seeds)


def _expected(statement: "Statement") -> "Verdicts | None":
    """The recorded verdicts of a statement of a paper; None for a user's statement."""
    from featlearn.reproduction.catalogue import expected_verdicts

    return expected_verdicts(statement.id)


def _document(judgement: "Judgement", expected: "Verdicts | None") -> dict[str, Any]:
    from featlearn.theory.check import to_document

    return {**to_document(judgement), "expected": expected}


def _tell(judgements: "list[tuple[Judgement, Verdicts | None]]", seconds: float) -> None:
    terminal = console(highlight=False)
    for judgement, expected in judgements:
        _tell_one(terminal, judgement, expected)
    stored = sum(judgement.status == "read" for judgement, _ in judgements)
    told = f", {stored} read from the store (--fresh decides again)" if stored else ""
    many = "statement" if len(judgements) == 1 else "statements"
    terminal.print(f"{len(judgements)} {many} in {seconds:.1f} s{told}", soft_wrap=True)


def _tell_one(terminal: Any, judgement: "Judgement", expected: "Verdicts | None") -> None:
    """Print one line per reading, hypothesis, part and constant."""
    from rich.markup import escape

    from featlearn.reproduction.outcome import surprising

    def line(text: str, style: str = "", word: str = "") -> None:
        head = f"[{style}]{word:<12}[/] " if word else ""
        terminal.print(f"  {head}{escape(text)}", soft_wrap=True)

    terminal.print(f"[bold]{judgement.id}[/bold]", soft_wrap=True)
    for read in judgement.readings:
        name = read.verdict.name if read.verdict else "-"
        told = f"{read.reading.name.lower():<9}  {read.reason}"
        line(told, STYLES.get(name, "dim"), name)
    for sentence in surprising(judgement, expected) if expected is not None else ():
        line(f"not as recorded: {sentence}")
    if judgement.weak:
        line(f"weakly: {judgement.weak}")
    for each in judgement.assumptions:
        line(f"assumption {each.name}: {'met' if each.holds else 'missed'}  {each.detail}")
    for part in judgement.parts:
        name = part.verdict.name if part.verdict else "-"
        measured = with_error(part.measured, part.stderr, 6)
        readings = ", ".join(each.name.lower() for each in part.readings)
        tag = f" [{readings}]" if readings else ""
        compared = f"{part.name}{tag}: {measured} {part.relation} {number(part.predicted, 6)}"
        line(compared, STYLES.get(name, "dim"), name)
        terminal.print(f"               [dim]{escape(_why(part))}[/dim]", soft_wrap=True)
    for symbol, constant in judgement.constants.items():
        line(f"constant {symbol} = {number(constant.value)}")
    for used in judgement.text.constants:
        if used.run is not None:
            line(f"run with {used.symbol} = {used.run}, against the proof's: {used.compared()}")


def _why(part: "Part") -> str:
    """The reason of a part, and how strong its evidence is."""
    strength = part.strength
    told = [part.reason]
    if strength.excluded:
        told.append(f"excludes {strength.excluded}")
    if math.isfinite(strength.detectable):
        told.append(f"D90 {strength.detectable:.2g}")
    if strength.sharpness is not None:
        told.append(strength.sharp)
    return "; ".join(told)

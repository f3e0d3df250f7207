"""Outcomes of every kind, made up, with texts that would break a page that does not escape."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from featlearn.figures.record import Axis, Figure, Frame, Mark, Panel, Series
from featlearn.figures.story import SignalHistory
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.item import Reproduction
from featlearn.reproduction.outcome import ItemOutcome, Outcome, StatementOutcome
from featlearn.results.ledger import Row, RowKind, Status
from featlearn.theory import (
    Assumption,
    FittedConstant,
    Judgement,
    Kind,
    Part,
    Reading,
    ReadingVerdict,
    Verdict,
)
from featlearn.theory.claim import Claim, Evidence
from featlearn.theory.judges.bound import bound
from featlearn.theory.judges.identity import identity
from featlearn.theory.statement import Statement, judge

NASTY = "\"'\u2028</script><!--<img src=x onerror=alert(1)> & 100 % of w_sig"
STEPS = np.arange(5.0)
THREE = np.array([1.0, 1.1, 0.9])
CURVES = Figure(
    id="curves",
    title=f"Two curves {NASTY}",
    caption=f"Caption {NASTY}",
    panels=tuple(
        Panel(
            x=Axis(label="step t"),
            y=Axis(label=f"panel {place} {NASTY}"),
            series=(Series(name=NASTY, x=STEPS, y=STEPS**place, role="signal"),),
            marks=(Mark(label=f"phase {NASTY}", at=0.0, until=2.0, role="phase-1"),),
            title=NASTY,
        )
        for place in (1, 2)
    ),
    command=f"featlearn reproduce {NASTY}",
)
MOVING = Figure(
    id="moving",
    title="A cloud that grows",
    caption="",
    panels=(
        Panel(
            x=Axis(label="x"),
            y=Axis(label="y"),
            frames=tuple(
                Frame(
                    label=f"step {t}",
                    series=(Series(name="a", x=STEPS * t, y=STEPS, kind="points"),),
                    reach=4.0 * t + 1,
                )
                for t in range(6)
            ),
            equal=True,
        ),
    ),
    command="featlearn reproduce toy.item",
)


def row(status: str, **changes: object) -> Row:
    """A row of the ledger."""
    about = {
        "item": "toy.item",
        "quantity": f"q-{status}",
        "kind": RowKind.CELL,
        "paper": 33.2,
        "measured": 35.5,
    }
    return Row(
        **{**about, "stderr": 0.5, "seeds": 4, "status": Status(status), "why": NASTY, **changes}  # type: ignore[arg-type]
    )


def decided(verdict: Verdict | None, name: str = "") -> StatementOutcome:
    """A statement with that verdict."""
    name = name or (verdict.name if verdict else "definition")
    part = Part(
        name=NASTY,
        relation="<=",
        measured=1.0,
        predicted=None,
        verdict=verdict,
        ci=(0.5, 1.5),
        reason="because",
    )
    met = verdict is not Verdict.OUT_OF_SCOPE
    assumption = Assumption(name="d is large", holds=met, detail=NASTY)
    judgement = Judgement(
        id=f"toy.{name}",
        kind=Kind.BOUND,
        verdict=verdict,
        reason=NASTY,
        config={"d": (64, 128), "sigma": None},
        seeds=5,
        reading=Reading.PRINTED,
        readings=(
            ReadingVerdict(
                reading=Reading.PRINTED, verdict=verdict, reason=NASTY, assumptions=(assumption,)
            ),
        ),
        parts=(part,),
        constants={NASTY: FittedConstant(value=3.2, ci=(3.0, 3.4))},
    )
    return StatementOutcome(
        id=f"toy.{name}",
        title=f"Statement {name} {NASTY}",
        place=f"section 3 {NASTY}",
        status="computed",
        judgement=judgement,
        provenance={"versions": {"jax": "1.0"}, "cpu": NASTY},
    )


ITEM = ItemOutcome(
    id="toy.item",
    title=f"An item {NASTY}",
    size="quick",
    status="computed",
    reproduction=Reproduction(
        rows=(row("agrees"), row("lower", paper=None), row("cannot tell", paper=NASTY)),
        figures=(CURVES, MOVING),
        notes=(NASTY,),
        config={"d": 200, "name": NASTY},
        story=SignalHistory(
            feature=NASTY,
            clock="one step",
            unit=1.0,
            steps=STEPS,
            share=np.linspace(0, 1, 15).reshape(5, 3),
        ),
    ),
    quantities={"test_loss": "mean loss on held-out points", NASTY: NASTY},
    seconds=1.5,
    provenance={"versions": {"jax": "1.0"}, "command": "featlearn reproduce"},
)
BROKEN = ItemOutcome(id="toy.broken", title="Broken", size="quick", status="failed", error=NASTY)
SKIPPED = ItemOutcome(id="toy.absent", title="Absent", size="quick", status="skipped", error=NASTY)
OUTCOMES: tuple[Outcome, ...] = (ITEM, BROKEN, SKIPPED, *map(decided, Verdict), decided(None))


def known() -> tuple[Outcome, ...]:
    """Two statements and a table of papers in the catalogue, with their own texts."""
    lemma = papers()["glasgow2023"].statement("lemma-C.4")
    theorem = papers()["frei2022"].statement("theorem-1")
    claims = (
        identity("B4 as printed", 2.0, 1.0, tolerance=1e-10).under(Reading.PRINTED),
        bound("B1 to B4", THREE, 3.0).under(Reading.CORRECTED),
        bound("alpha <= 1/sqrt C", THREE, 3.0).under(Reading.RUN),
    )
    decided = [_judged(each, claims) for each in (lemma, theorem)]
    names = [f"{m} {q}" for m in ("Network", "NTK", "RF") for q in ("train accuracy", "cosine")]
    command = "featlearn reproduce shi2022.table-1"
    rows = tuple(
        row("agrees", item="shi2022.table-1", quantity=q, paper=100.0, seeds=5, command=command)
        for q in names
    )
    table = ItemOutcome(
        id="shi2022.table-1",
        title="Table 1",
        size="quick",
        status="read",
        reproduction=Reproduction(rows=rows),
    )
    return (*decided, table)


def every_statement() -> list[Outcome]:
    """All statements of the catalogue with their own texts, and a made-up verdict."""
    claims = (bound("a part", THREE, 3.0),)
    return [
        _judged(paper.statement(name), claims)
        for paper in papers().values()
        for name in paper.statements
    ]


def _judged(statement: Statement[Any], claims: Sequence[Claim]) -> StatementOutcome:
    return StatementOutcome(
        id=statement.id,
        title=statement.title,
        place=statement.place,
        status="read",
        judgement=judge(statement, statement.config, Evidence(parts=tuple(claims)), 5),
        rests_on=("toy.run/0123/4567",),
    )

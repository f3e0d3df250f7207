"""Outcomes of every kind, made up, with texts that would break a page that does not escape."""

import numpy as np

from featlearn.figures.record import Axis, Figure, Frame, Mark, Panel, Series
from featlearn.figures.story import SignalHistory
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

NASTY = "\"'\u2028</script><!--<img src=x onerror=alert(1)> & 100 % of w_sig"
STEPS = np.arange(5.0)
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

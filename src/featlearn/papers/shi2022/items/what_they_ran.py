"""What must they have run? One joint explanation of tables 1 to 5, and each table left out.

The unknown settings (step sizes of every method, class weights after the second step, d of table 4,
arithmetic of the first step) are fitted to all printed cells at once (`joint_fit`). That is a fit
and never an agreement. Then each table is left out: the settings fitted on the others predict it.
"""

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.shi2022.joint_fit import (
    JointFit,
    PaperCell,
    Prediction,
    fit,
    half_width,
    predictions,
)
from featlearn.papers.shi2022.readings import blocks_of, cells_of, units_of
from featlearn.papers.shi2022.table_cells import printed
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, measured
from featlearn.results.ledger import Row, Status

ID = "shi2022.what-they-ran"
TELLING = 5.0
"""The widest half-width, in points, at which a prediction says anything."""


def reproduce(context: Context) -> Reproduction:
    """The joint fit, what it leaves unexplained, and the tables predicted from the others."""
    blocks = blocks_of(context)
    cells, units = cells_of(blocks), units_of(context, blocks)
    chosen = fit(cells, units)
    found = predictions(chosen, units)
    rows = [_scale_row(context, chosen, cells, found), *_setting_rows(context, chosen)]
    for table in dict.fromkeys(each.table for each in cells):
        others = [each for each in cells if each.table != table]
        fitted = fit(others, units)
        mine = predictions(fitted, units)
        rows += [
            _left_out_row(context, each, fitted, mine[each.name])
            for each in cells
            if each.table == table and each.name in mine
        ]
    left = [each for each in cells if each.name in found and _unexplained(chosen, each, found)]
    note = (
        f"{len(left)} of {len(found)} cells lie beyond the 95 % interval of the joint fit: "
        + (", ".join(each.name.partition(".")[2] for each in left) or "none")
        + "."
    )
    return Reproduction(rows=tuple(rows), figures=(_figure(cells, found, chosen),), notes=(note,))


def _unexplained(chosen: JointFit, one: PaperCell, found: dict[str, Prediction]) -> bool:
    mine = found[one.name]
    return abs(one.value - mine.mean) > half_width(chosen, mine)


def _scale_row(
    context: Context, chosen: JointFit, cells: list[PaperCell], found: dict[str, Prediction]
) -> Row:
    known = [each for each in cells if each.name in found]
    left = sum(_unexplained(chosen, each, found) for each in known)
    return measured(
        context,
        ID,
        "common misfit of the best settings",
        chosen.scale,
        unit="points",
        recipe="fitted",
        why=f"fitted to {len(known)} cells, of which {left} lie beyond the 95 % interval; "
        f"log likelihood {chosen.log_likelihood:.1f}",
    )


def _setting_rows(context: Context, chosen: JointFit) -> list[Row]:
    rows = []
    for unit, name in chosen.settings.items():
        second, behind = chosen.runners_up.get(unit, ("none", 0.0))
        rows.append(
            measured(
                context,
                ID,
                f"{unit}: log likelihood by which the best setting leads",
                behind,
                recipe="fitted",
                why=f"fitted: {name}; next best: {second}",
            )
        )
    return rows


def _left_out_row(context: Context, one: PaperCell, fitted: JointFit, mine: Prediction) -> Row:
    """A cell of the table that was left out, judged by the interval of the prediction."""
    cosine = one.name.endswith("cosine")
    unit, scale = ("", 0.01) if cosine else ("%", 1.0)
    half, gap = half_width(fitted, mine), mine.mean - one.value
    if abs(gap) > half:
        status = Status.HIGHER if gap > 0 else Status.LOWER
    else:
        status = Status.PREDICTED if half <= TELLING else Status.CANNOT_TELL
    return cell(
        context,
        ID,
        f"{one.name.partition('.')[2].replace('/', ', ', 1)}, from the other tables",
        scale * mine.mean,
        printed(scale * one.value if not cosine else round(scale * one.value, 3), unit),
        unit=unit,
        recipe="left-out",
        cell=one.name,
        group=f"{ID}/{one.run}",
        status=status,
        why=f"settings and misfit ({fitted.scale:.2g} points) fitted on the other tables; 95 % "
        f"interval ±{scale * half:.2g}",
    )


def _figure(cells: list[PaperCell], found: dict[str, Prediction], chosen: JointFit) -> Figure:
    kinds = {
        "accuracies": ("network", [each for each in cells if not each.name.endswith("cosine")]),
        "cosines times 100": ("signal", [each for each in cells if each.name.endswith("cosine")]),
    }
    line = np.array([0.0, 100.0])
    series = [Series(name="equal", x=line, y=line, role="reference")]
    for name, (role, mine) in kinds.items():
        known = [each for each in mine if each.name in found]
        series.append(
            Series(
                name=name,
                x=np.array([found[each.name].mean for each in known]),
                y=np.array([each.value for each in known]),
                role=role,
                kind="points",
            )
        )
    return Figure(
        id=ID,
        title="The printed numbers against the best joint explanation",
        caption="Every cell of the tables against what the fitted settings give; a fit, with a "
        f"common misfit of {chosen.scale:.2g} points.",
        panels=(
            Panel(
                x=Axis(label="fitted settings"),
                y=Axis(label="printed"),
                series=tuple(series),
                equal=True,
            ),
        ),
    )


ITEM = Item(
    id=ID,
    title="What must they have run? A joint fit of the unknown settings, each table left out once",
    reproduce=reproduce,
    references=("shi2022",),
)

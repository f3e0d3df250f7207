"""Did table 4 weight its classes after the second step too? (NTK and RF)

Appendix F weights the loss by 1/(2 P(y = v)) in the first two steps. NTK and RF have no such steps;
the table prints them below the larger class, which an unweighted loss would not fall below. Both
readings are trained at their own validated step size.
"""

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.shi2022.every_table import cell_of, every_block, in_words
from featlearn.papers.shi2022.grid import JUDGED_SEEDS
from featlearn.papers.shi2022.table_cells import METHODS, QUANTITIES, Block, printed
from featlearn.papers.shi2022.validation import accuracies, choose, with_setting
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion
from featlearn.results.ledger import Row, ours, side_of

ID = "shi2022.later-class-weights"
TRIED = ("NTK", "RF")
COMPARED = ("train accuracy", "test accuracy")


def reproduce(context: Context) -> Reproduction:
    """Accuracies with and without class weights in the later steps."""
    seeds = JUDGED_SEEDS[:2] if context.quick else JUDGED_SEEDS
    rows: list[Row] = []
    drawn: dict[str, list[float]] = {"weighted": [], "unweighted": [], "paper": []}
    ticks = []
    for table, block in list(every_block("table-4"))[: 1 if context.quick else 2]:
        for method in TRIED[1:] if context.quick else TRIED:
            found = {
                weighted: _accuracies(context, block, method, weighted, seeds)
                for weighted in (False, True)
            }
            rows += _rows(context, table, block, method, found)
            for name in COMPARED:
                ticks.append(f"{block.label[-2:]} {method} {name.split()[0]}")
                drawn["unweighted"].append(float(found[False][name].mean()))
                drawn["weighted"].append(float(found[True][name].mean()))
                drawn["paper"].append(block.paper(method, name))
    return Reproduction(rows=tuple(rows), figures=(_figure(ticks, drawn),))


def _accuracies(
    context: Context, block: Block, method: str, weighted: bool, seeds: tuple[int, ...]
) -> dict[str, np.ndarray]:
    config = block.config(**METHODS[method], later_weights=weighted)
    config = with_setting(config, choose(context, config, judged_on=seeds).setting)
    return {
        name: 100 * np.array(accuracies(context, config, seeds, QUANTITIES[name][0]))
        for name in COMPARED
    }


def _rows(
    context: Context,
    table: str,
    block: Block,
    method: str,
    found: dict[bool, dict[str, np.ndarray]],
) -> list[Row]:
    name = in_words(table, block)
    rows = [
        cell(
            context,
            ID,
            f"{name}, {method} {quantity}",
            found[True][quantity],
            printed(block.paper(method, quantity), "%"),
            unit="%",
            recipe="weighted",
            cell=cell_of(table, block, method, quantity),
            group=f"{ID}/{name}/{method}",
            why="class weights in all steps, at the step size validated with them",
        )
        for quantity in COMPARED
    ]
    nearer = misfit(found[False], block, method) - misfit(found[True], block, method)
    rows.append(
        conclusion(
            context,
            ID,
            f"{name}, {method}: distance from the paper without weights less that with them",
            nearer,
            "no weights after the second step (appendix F)",
            side_of(ours(nearer), 0.0, above=False),
            unit="points",
            recipe="weighted",
            why="mean over train and test accuracy; above 0 the weighted loss is nearer",
            reason=f"see {ID}",
        )
    )
    return rows


def misfit(found: dict[str, np.ndarray], block: Block, method: str) -> np.ndarray:
    """The mean distance from the printed accuracies, per seed."""
    each = [abs(found[name] - block.paper(method, name)) for name in COMPARED]
    return np.asarray(np.mean(each, axis=0), float)


def _figure(ticks: list[str], drawn: dict[str, list[float]]) -> Figure:
    x = np.arange(1.0, len(ticks) + 1)
    roles = {"weighted": "test", "unweighted": "train", "paper": "paper"}
    return Figure(
        id=ID,
        title="Class weights after the second step",
        caption="Accuracies of NTK and RF in table 4 with and without class weights in the later "
        "steps, and as printed. Mean over seeds.",
        panels=(
            Panel(
                x=Axis(label="", ticks=tuple(zip(map(float, x), ticks, strict=True))),
                y=Axis(label="accuracy (%)", limits=(40.0, 102.0)),
                series=tuple(
                    Series(name=name, x=x, y=np.array(y), role=roles[name], kind="points")
                    for name, y in drawn.items()
                ),
            ),
        ),
    )


ITEM = Item(
    id=ID,
    title="Class weights in the later steps of table 4",
    reproduce=reproduce,
    references=("shi2022",),
)

"""Can the network memorise the sample without structure? (train 100 % in tables 1 to 5)

Without structure the paper has a test accuracy of chance and a train accuracy of 100 %. The same
network is trained there by plain descent, momentum and Adam, each with several step sizes, for the
paper's number of steps, 4 and 16 times as many. Control: 1000 points in the place of 50 000.
"""

from typing import Any

import numpy as np

from featlearn.figures.record import Axis, Figure, Mark, Panel, Series
from featlearn.papers.shi2022.every_table import cell_of, every_block, in_words
from featlearn.papers.shi2022.table_cells import Block, printed
from featlearn.papers.shi2022.validation import accuracies
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, measured
from featlearn.results.ledger import Row, Status

ID = "shi2022.memorisation"
ETAS: dict[str, tuple[float, ...]] = {
    "plain": (0.3, 3.0),
    "momentum": (0.1, 1.0),
    "adam": (1e-3, 1e-2),
}
MULTIPLES = (1, 4, 16)
CONTROL = {"samples": 1000, "batch": 1000}
NEAR = 95.0
"""A mean train accuracy, in per cent, that counts as near the printed 100."""


def reproduce(context: Context) -> Reproduction:
    """Train accuracy by rule and number of steps; the best step size of each."""
    blocks = [each for each in every_block("table-1", "table-5") if "25" not in each[1].label]
    multiples = MULTIPLES[:1] if context.quick else MULTIPLES
    rows: list[Row] = []
    panels = []
    for table, block in blocks[-1:] if context.quick else blocks:
        found = {rule: {n: _best(context, block, rule, n) for n in multiples} for rule in ETAS}
        name = in_words(table, block)
        for rule, by_steps in found.items():
            for n, (eta, values) in by_steps.items():
                rows.append(
                    measured(
                        context,
                        ID,
                        f"{name}, train accuracy by {rule}, steps times {n}",
                        values,
                        unit="%",
                        recipe=rule,
                        why=f"the best of the step sizes {_listed(ETAS[rule])}: {eta:g}",
                    )
                )
        rows.append(_cell(context, table, block, found))
        rows.append(_control(context, name, block))
        panels.append(_panel(name, found))
    figure = Figure(
        id=ID,
        title="What of the sample is memorised without structure",
        caption="Train accuracy against the number of steps, over the paper's; the best step size "
        "of each rule, mean over seeds. The paper has 100 %.",
        panels=tuple(panels),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,))


Memorised = dict[str, dict[int, tuple[float, np.ndarray]]]
"""Rule -> multiple of the steps -> the best step size and its train accuracies."""


def _best(
    context: Context, block: Block, rule: str, multiple: int, **changes: Any
) -> tuple[float, np.ndarray]:
    seeds = (0,) if context.quick else (0, 1)
    config = block.config(structure=False, rule=rule, **changes)
    tried = {}
    for eta in ETAS[rule]:
        longer = block.config(
            structure=False, rule=rule, eta=eta, steps=multiple * config.steps, **changes
        )
        tried[eta] = 100 * np.array(accuracies(context, longer, seeds, "train_accuracy"))
    eta = max(tried, key=lambda each: float(np.nan_to_num(tried[each]).mean()))
    return eta, tried[eta]


def best_of(found: Memorised) -> tuple[str, int, np.ndarray]:
    """Rule, multiple and values of the largest mean train accuracy."""
    every = [(rule, n, values) for rule, by in found.items() for n, (_, values) in by.items()]
    return max(every, key=lambda each: float(np.nan_to_num(each[2]).mean()))


def _cell(context: Context, table: str, block: Block, found: Memorised) -> Row:
    rule, n, values = best_of(found)
    near = float(np.nan_to_num(values).mean()) >= NEAR
    return cell(
        context,
        ID,
        f"{in_words(table, block)}, largest train accuracy that was reached",
        values,
        printed(block.cells["Network w/o structure"][0], "%"),
        unit="%",
        recipe="memorise",
        cell=cell_of(table, block, "Network w/o structure", "train accuracy"),
        judged=True,
        status=Status.FITTED if near else Status.UNREACHABLE,
        why=f"by {rule} with {n} times the steps; see {ID} for all that were tried",
    )


def _control(context: Context, name: str, block: Block) -> Row:
    reached = {rule: _best(context, block, rule, 1, **CONTROL) for rule in ETAS}
    rule, (eta, values) = max(
        reached.items(), key=lambda each: float(np.nan_to_num(each[1][1]).mean())
    )
    return measured(
        context,
        ID,
        f"{name}, train accuracy with 1000 points",
        values,
        unit="%",
        recipe="control",
        why=f"the same network and number of steps, by {rule} with {eta:g}: the control",
    )


def _listed(etas: tuple[float, ...]) -> str:
    return ", ".join(f"{eta:g}" for eta in etas)


def _panel(name: str, found: Memorised) -> Panel:
    roles = {"plain": "network", "momentum": "ntk", "adam": "random-features"}
    return Panel(
        x=Axis(label="steps over the paper's", scale="log"),
        y=Axis(label="train accuracy (%)", limits=(40.0, 102.0)),
        series=tuple(
            Series(
                name=rule,
                x=np.array(list(by), float),
                y=np.array([values.mean() for _, values in by.values()]),
                role=roles[rule],
            )
            for rule, by in found.items()
        ),
        marks=(Mark(label="the paper", at=100.0, axis="y"),),
        title=name,
    )


ITEM = Item(
    id=ID,
    title="Is the sample memorised without structure? Rules, step sizes, numbers of steps",
    reproduce=reproduce,
    references=("shi2022",),
)

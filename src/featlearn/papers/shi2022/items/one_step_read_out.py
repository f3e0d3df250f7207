"""One Step's accuracy: what SGD reads out of its features, what a solver does, and constants.

The paper "trains the best classifiers on top" of the features after one step, and prints accuracies
near those of a constant. SGD is the read-out of the validated recipe; the solver is the best one.
"""

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.shi2022.convex import best_on_top
from featlearn.papers.shi2022.every_table import cell_of, every_block, in_words
from featlearn.papers.shi2022.grid import JUDGED_SEEDS
from featlearn.papers.shi2022.table_cells import Block, printed
from featlearn.papers.shi2022.validation import accuracies, choose, with_setting
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion, measured
from featlearn.results.ledger import Row, ours, side_of

ID = "shi2022.one-step-read-out"
ABOVE = 5.0
"""A read-out that is this many points above the larger class has learned something."""


def reproduce(context: Context) -> Reproduction:
    """Loss and accuracy of both read-outs, beside the zero function and the constants."""
    blocks = list(every_block(*(("table-1",) if context.quick else ())))
    rows: list[Row] = []
    solver, descent, paper = [], [], []
    for table, block in blocks:
        seeds = JUDGED_SEEDS[:2] if context.quick else JUDGED_SEEDS
        config = block.config(method="one-step")
        chosen = choose(context, config, judged_on=seeds)
        config = with_setting(config, chosen.setting)
        losses = np.array(accuracies(context, config, seeds, "train_loss"))
        correct = 100 * np.array(accuracies(context, config, seeds))
        best = context.lab.compute_each(
            best_on_top, [{"config": block.config(), "step": 1, "seed": seed} for seed in seeds]
        )
        name = in_words(table, block)
        solved = 100 * np.array([each["test_accuracy"] for each in best])
        rows += [
            measured(
                context,
                ID,
                f"{name}, hinge loss of the read-out by SGD",
                losses,
                recipe="validated",
                why=f"the zero function has 1; its test accuracy is {correct.mean():.1f} %",
            ),
            measured(
                context,
                ID,
                f"{name}, hinge loss of the read-out by a solver",
                np.array([each["train_loss"] for each in best]),
                recipe="convex",
                why=f"the zero function has 1; its test accuracy is {solved.mean():.1f} %",
            ),
            _solver_row(context, name, block, solved),
            *_constant_rows(context, table, block),
        ]
        solver.append(solved.mean())
        descent.append(correct.mean())
        paper.append(block.paper("One Step", "test accuracy"))
    return Reproduction(rows=tuple(rows), figures=(_figure(blocks, solver, descent, paper),))


def _larger(block: Block) -> float:
    share = float(block.config().law().truth.positive_share)
    return 100 * max(share, 1 - share)


def _solver_row(context: Context, name: str, block: Block, solved: np.ndarray) -> Row:
    return conclusion(
        context,
        ID,
        f"{name}, test accuracy of a solver's read-out",
        solved,
        "One Step fails with the best classifier on top",
        side_of(ours(solved), _larger(block) + ABOVE, above=False, unit="%"),
        unit="%",
        recipe="convex",
        why=f"the larger class has {_larger(block):.1f} %; within {ABOVE:g} points of it is read "
        "as failing",
        reason="see shi2022.directions-or-scale",
    )


def _constant_rows(context: Context, table: str, block: Block) -> list[Row]:
    """The constant -1 beside the printed accuracies of One Step."""
    negative = 100 * (1 - float(block.config().law().truth.positive_share))
    return [
        cell(
            context,
            ID,
            f"{in_words(table, block)}, {quantity} of the constant -1",
            negative,
            printed(block.paper("One Step", quantity), "%"),
            unit="%",
            recipe="constant",
            cell=cell_of(table, block, "One Step", quantity),
            group=f"{ID}/{in_words(table, block)}/constant",
            why="computed from the law; no training",
        )
        for quantity in ("train accuracy", "test accuracy")
    ]


def _figure(
    blocks: list[tuple[str, Block]], solver: list[float], descent: list[float], paper: list[float]
) -> Figure:
    x = np.arange(1.0, len(blocks) + 1)
    ticks = tuple((float(i), in_words(*each)) for i, each in zip(x, blocks, strict=True))
    constant = [_larger(block) for _, block in blocks]
    drawn = {
        "solver": ("test", solver),
        "SGD": ("train", descent),
        "paper": ("paper", paper),
        "larger class": ("reference", constant),
    }
    return Figure(
        id=ID,
        title="What is read out of the features after one step",
        caption="Test accuracy by a solver, by SGD and in the paper, and the share of the larger "
        "class. Mean over seeds.",
        panels=(
            Panel(
                x=Axis(label="table", ticks=ticks),
                y=Axis(label="test accuracy (%)", limits=(0.0, 102.0)),
                series=tuple(
                    Series(name=name, x=x, y=np.array(y, float), role=role, kind="points")
                    for name, (role, y) in drawn.items()
                ),
            ),
        ),
    )


ITEM = Item(
    id=ID,
    title="One Step's accuracy: read-out by SGD, by a solver, and the constant classifier",
    reproduce=reproduce,
    references=("shi2022",),
)

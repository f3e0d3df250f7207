"""Tables 1 to 5 as a ledger: six methods, train and test accuracy and cosine, by recipe.

    validated    step sizes chosen on other seeds among those of `grid`, the paper's numbers unseen
    literal      theorem 26's, for the three methods that it speaks of
    converged    NTK with four times the steps, at the validated setting
    convex       RF, One Step, Two Step: the best classifier on the features by a convex solver with
                 a regulariser chosen on held-out points

The paper's conclusions (signs of the gaps between methods) are judged with every method at its best
recipe: the one with the largest mean test accuracy.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from featlearn.experiments.run import Estimate, Result
from featlearn.papers.shi2022.convex import best_on_top
from featlearn.papers.shi2022.curves import accuracy_figure, story
from featlearn.papers.shi2022.grid import CONVERGED, JUDGED_SEEDS, MORE_SEEDS
from featlearn.papers.shi2022.table_cells import CURVES_ONLY, METHODS, Block, cell_rows
from featlearn.papers.shi2022.validation import (
    Choice,
    choice_row,
    choose,
    path_figure,
    with_setting,
)
from featlearn.reproduction.item import Context, Reproduction
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import POINTS, Row, ours, side_of

FIXED = {"RF": 0, "One Step": 1, "Two Step": 2}
"""The methods that are a linear model on fixed features, with the steps that make these."""
LITERAL = ("Network", "Two Step", "Network w/o structure")
"""The methods for which the paper gives step sizes."""
PAIRS = (
    ("Network", "NTK"),
    ("NTK", "RF"),
    ("Network", "RF"),
    ("RF", "One Step"),
    ("Two Step", "One Step"),
    ("Network", "Network w/o structure"),
)
"""Methods whose order is compared, where the paper's numbers are at least `APART` points apart."""
APART = 1.0
Summary = dict[str, Estimate]
Found = dict[str, list[tuple[str, Summary]]]
"""Method -> its recipes with their results."""


def table(item: str, blocks: tuple[Block, ...], context: Context) -> Reproduction:
    """All blocks of a table."""
    rows: list[Row] = []
    figures, stories = [], []
    for block in blocks:
        found: Found = {name: [] for name in METHODS}
        results: dict[str, Result] = {}
        choices: dict[str, Choice] = {}
        for name, changes in (METHODS if context.quick else {**METHODS, **CURVES_ONLY}).items():
            choices[name] = choose(context, block.config(**changes), judged_on=_seeds(context))
            rows.append(choice_row(context, item, block.name(name), choices[name]))
            training = _training(block, context, choices[name], changes)
            results[name] = training(_seeds(context))
            if name in METHODS:
                judged = _enough(item, block, name, context, training)
                found[name].append(("validated", judged))
                rows += cell_rows(
                    context, item, block, name, "validated", judged, choices[name].sentence
                )
        if not context.quick:
            more = _more_recipes(block, context, choices["NTK"])
            for name, recipe, summary in more:
                found[name].append((recipe, summary))
                rows += cell_rows(context, item, block, name, recipe, summary)
        rows += conclusions(context, item, block, found)
        figures.append(path_figure(_path_id(item, block, blocks), block.label, choices))
        if block.figure:
            figures.append(accuracy_figure(block.figure, block.label, results))
            stories.append(story(results["Network"]))
    plateau = blocks[0].named.config.law().truth.monotone_plateau
    note = (
        f"The best accuracy of any classifier that is monotone in the number of relevant patterns "
        f"is {100 * plateau:.1f} % at the setting of this table."
    )
    return Reproduction(
        rows=tuple(rows), figures=tuple(figures), notes=(note,), story=next(iter(stories), None)
    )


def _seeds(context: Context) -> tuple[int, ...]:
    return JUDGED_SEEDS[:2] if context.quick else JUDGED_SEEDS


def _path_id(item: str, block: Block, blocks: tuple[Block, ...]) -> str:
    place = blocks.index(block)
    return f"{item}-validation" + (f"-{place + 1}" if place else "")


Training = Callable[[tuple[int, ...]], Result]


def _training(block: Block, context: Context, choice: Choice, changes: dict[str, Any]) -> Training:
    """The training of a method at its chosen setting, as a function of the seeds."""
    # A handful of records on the small size: judging 50 000 points costs as much as ten steps.
    fewer = {"records": 6} if context.quick else {}
    config = with_setting(block.config(**fewer, **changes), choice.setting)

    def train(seeds: tuple[int, ...]) -> Result:
        return context.lab.run(
            block.named,
            seeds=seeds,
            watch=context.watch,
            **{**block.changes, **fewer, **changes, "early": config.early, "eta": config.eta},
        )

    return train


def _enough(item: str, block: Block, name: str, context: Context, training: Training) -> Summary:
    """The judged numbers: five seeds, or ten where five leave a half-width above 3 points."""
    first = training(_seeds(context)).summary
    if context.quick:
        return first
    rows = cell_rows(context, item, block, name, "validated", first)
    wide = any(row.unit == "%" and (row.half or 0.0) > POINTS for row in rows)
    return training(JUDGED_SEEDS + MORE_SEEDS).summary if wide else first


def _more_recipes(block: Block, context: Context, ntk: Choice) -> list[tuple[str, str, Summary]]:
    """The recipes that only the full size has."""
    converged = with_setting(block.config(method="ntk"), ntk.setting)
    longer = {
        "method": "ntk",
        "early": converged.early,
        "eta": converged.eta,
        "steps": CONVERGED * converged.steps,
        "records": 2,
    }
    runs = [
        *((name, "literal", {**METHODS[name], "recipe": "literal"}) for name in LITERAL),
        ("NTK", "converged", longer),
    ]
    found: list[tuple[str, str, Summary]] = []
    for name, recipe, changes in runs:
        result = context.lab.run(
            block.named,
            seeds=_seeds(context),
            watch=context.watch,
            **{**block.changes, "records": 2, **changes},
        )
        found.append((name, recipe, result.summary))
    return [*found, *((name, "convex", _convex(block, context, name)) for name in FIXED)]


def _convex(block: Block, context: Context, name: str) -> Summary:
    cases = [
        {"config": block.config(recipe="practical"), "step": FIXED[name], "seed": seed}
        for seed in _seeds(context)
    ]
    found = context.lab.compute_each(best_on_top, cases)
    return {
        quantity: Estimate(values=tuple(each[quantity] for each in found)) for quantity in found[0]
    }


def conclusions(context: Context, item: str, block: Block, found: Found) -> list[Row]:
    """The signs of the gaps between methods, every method at its best recipe."""
    rows = []
    for one, other in PAIRS:
        gap = block.cells[one][1] - block.cells[other][1]
        if abs(gap) < APART:
            continue
        (recipe, mine), (recipe_2, yours) = _best(found[one]), _best(found[other])
        common = min(len(mine), len(yours))
        ours_gap = mine[:common] - yours[:common]
        rows.append(
            conclusion(
                context,
                item,
                f"{block.name(one)} less {other}, test accuracy",
                ours_gap,
                f"{one} {'above' if gap > 0 else 'below'} {other}, by {abs(gap):.1f}",
                side_of(ours(ours_gap * np.sign(gap)), 0.0),
                unit="points",
                recipe="best",
                why=f"each at its best: {one} {recipe} {mine.mean():.1f} %, {other} {recipe_2} "
                f"{yours.mean():.1f} %",
                reason=_gap_reason(one, other),
            )
        )
    return rows


def _best(recipes: list[tuple[str, Summary]]) -> tuple[str, np.ndarray]:
    """The recipe with the largest mean test accuracy, and its values per seed, in per cent."""
    each = [
        (
            name,
            100 * np.array([np.nan if v is None else v for v in summary["test_accuracy"].values]),
        )
        for name, summary in recipes
    ]
    return max(each, key=lambda pair: float(np.nan_to_num(pair[1]).mean()))


def _gap_reason(one: str, other: str) -> str:
    return "see shi2022.one-step-read-out" if "One Step" in (one, other) else "not known"

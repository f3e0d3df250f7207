"""Tables 1 to 5 as a ledger: six methods, train and test accuracy and cosine, by recipe.

Three recipes a cell: "practical" and "literal" train for the paper's number of steps; "convex" puts
the best classifier on fixed features (RF, One Step, Two Step) by a convex solver with a
regulariser chosen on held-out points: what those features allow, whatever the step budget.
"""

from dataclasses import dataclass
from dataclasses import replace as with_fields
from typing import Any

import numpy as np

from featlearn.experiments.named import NamedExperiment
from featlearn.experiments.run import Estimate, Result
from featlearn.papers.item import Context, Reproduction
from featlearn.papers.shi2022.convex import best_on_top
from featlearn.papers.shi2022.curves import accuracy_figure, story
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.results.ledger import Row, compare

POINTS, COSINE = 3.0, 0.03
"""What a cell may differ by: its accuracies fluctuate like estimates from a thousand points."""
QUICK_SEEDS, FULL_SEEDS = 2, 5

METHODS: dict[str, dict[str, Any]] = {
    "Network": {},
    "NTK": {"method": "ntk"},
    "RF": {"method": "random-features"},
    "One Step": {"method": "one-step"},
    "Two Step": {"method": "two-step"},
    "Network w/o structure": {"structure": False},
}
FIXED = ("RF", "One Step", "Two Step")
"""The methods that are a linear model on fixed features."""

QUANTITIES = {
    "train accuracy": ("train_accuracy", "%", 100.0, POINTS),
    "test accuracy": ("test_accuracy", "%", 100.0, POINTS),
    "cosine": ("cos", "", 1.0, COSINE),
}

Cell = tuple[float, float, float | None]
"""The paper's train accuracy, test accuracy and cosine."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One block of a table: a setting, and what the paper has in it."""

    label: str
    """Put before every quantity; empty where the table has one block."""
    named: NamedExperiment
    changes: dict[str, Any]
    cells: dict[str, Cell]
    figure: str = ""
    """Id of the figure with the accuracy curves of this block."""


REASONS = {
    (
        "One Step",
        "cosine",
    ): "computed exactly, one step already aligns the weights, at any d; the paper's value falls "
    "with d as a residue of float32 does (item one-step-float32)",
    (
        "Network w/o structure",
        "train accuracy",
    ): "these step sizes do not memorise pure noise in that many steps; the paper's, which are "
    "not given, do",
    (
        "Network w/o structure",
        "cosine",
    ): "chance level of a network that finds nothing; it depends on how far the weights wander",
    (
        "NTK",
        "train accuracy",
    ): "the best of any classifier monotone in the count is the plateau of the law; how near a "
    "step budget comes to it depends on step sizes that the paper does not give",
    (
        "NTK",
        "test accuracy",
    ): "the best of any classifier monotone in the count is the plateau of the law; how near a "
    "step budget comes to it depends on step sizes that the paper does not give",
}
LITERAL = "with theorem 26's constants the later steps are too small to leave the plateau"


def table(item: str, blocks: tuple[Block, ...], context: Context) -> Reproduction:
    """All blocks of a table."""
    rows: list[Row] = []
    figures, stories = [], []
    for block in blocks:
        recipes = ("practical",) if context.quick else ("practical", "literal")
        for recipe in recipes:
            results = {
                name: _run(block, context, recipe, changes) for name, changes in METHODS.items()
            }
            for name, result in results.items():
                rows += _rows(item, block, name, recipe, context, result.summary)
            if recipe == "practical" and block.figure:
                figures.append(accuracy_figure(block.figure, block.label, results))
                stories.append(story(results["Network"]))
        if not context.quick:
            for name in FIXED:
                rows += _rows(item, block, name, "convex", context, _convex(block, context, name))
    plateau = blocks[0].named.config.law().truth.monotone_plateau
    note = (
        f"The best accuracy of any classifier that is monotone in the number of relevant patterns "
        f"is {100 * plateau:.1f} % at the setting of this table."
    )
    return Reproduction(
        rows=tuple(rows), figures=tuple(figures), notes=(note,), story=next(iter(stories), None)
    )


def seeds_of(context: Context) -> int:
    """How many seeds a size has."""
    return QUICK_SEEDS if context.quick else FULL_SEEDS


def _run(block: Block, context: Context, recipe: str, changes: dict[str, Any]) -> Result:
    # A handful of records on the small size: judging 50 000 points costs as much as ten steps.
    fewer = {"records": 6} if context.quick else {}
    return context.lab.run(
        block.named,
        seeds=seeds_of(context),
        watch=context.watch,
        **{**block.changes, **fewer, "recipe": recipe, **changes},
    )


def _convex(block: Block, context: Context, name: str) -> dict[str, Estimate]:
    step = {"RF": 0, "One Step": 1, "Two Step": 2}[name]
    config = with_fields(block.named.config, **block.changes, recipe="practical")
    cases = [{"config": config, "step": step, "seed": s} for s in range(seeds_of(context))]
    found = context.lab.each(best_on_top, cases)
    return {
        quantity: Estimate(values=tuple(each[quantity] for each in found)) for quantity in found[0]
    }


def _rows(
    item: str,
    block: Block,
    name: str,
    recipe: str,
    context: Context,
    summary: dict[str, Estimate],
) -> list[Row]:
    rows = []
    config = with_fields(block.named.config, **block.changes)
    for place, (quantity, (key, unit, scale, tolerance)) in enumerate(QUANTITIES.items()):
        paper = block.cells[name][place]
        if key not in summary or paper is None:
            continue
        values = np.array([np.nan if v is None else scale * v for v in summary[key].values])
        estimate = Estimate(values=tuple(float(v) for v in values if np.isfinite(v)))
        mean, stderr = estimate.mean, estimate.stderr
        found = compare(paper, mean, tolerance, stderr=stderr)
        reason = ""
        if found["agrees"] == "differs" and mean is not None:
            reason = _reason(config, name, quantity, recipe, paper, mean)
        told = f"{reason}; {found['why']}" if reason else found["why"]
        rows.append(
            Row(
                item=item,
                quantity=f"{block.label}, {name} {quantity}"
                if block.label
                else f"{name} {quantity}",
                paper=paper,
                measured=mean,
                stderr=stderr,
                unit=unit,
                seeds=len(values),
                recipe=recipe,
                size=context.size,
                agrees=found["agrees"],
                why=told,
            )
        )
    return rows


def _reason(
    config: PatternTraining, name: str, quantity: str, recipe: str, paper: float, measured: float
) -> str:
    """Why a cell differs, as far as we know."""
    if quantity != "cosine":
        law = config.law(structure=False) if name == "Network w/o structure" else config.law()
        larger = 100 * max(law.truth.positive_share, 1 - law.truth.positive_share)
        if larger > 51 and abs(measured - larger) < 1:
            return f"ours does not leave the constant classifier, which has {larger:.1f} %"
    elif name == "RF":
        return (
            "weights that are not trained know nothing of the labels: the largest of the random "
            "cosines depends on d and the width alone"
        )
    if recipe == "convex" and quantity != "cosine":
        more = "more" if measured > paper else "less"
        return f"the solver gets {more} out of these features than the paper's steps did"
    if recipe == "literal" and (name, quantity) not in REASONS:
        return LITERAL
    return REASONS.get((name, quantity), "step sizes are not given in the paper")

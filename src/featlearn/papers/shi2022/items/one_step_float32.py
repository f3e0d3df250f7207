"""Is the paper's One Step column an artefact of float32? (tables 1 to 5)

Exactly computed the first step is aligned with sum_A M_j at any d; subtracted in float32 it is left
with a residue of the old weights in all d coordinates (`float32`). One unknown number, eta1, is
fitted at table 1 and then has to explain the others, in two readings: the same eta1 in every table,
and eta1 as theorem 26 scales it, times one factor.
"""

from dataclasses import replace

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.shi2022.every_table import cell_of, every_block, in_words
from featlearn.papers.shi2022.float32 import StepCosines, cosines_by_arithmetic
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.table_cells import Block, printed
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import NOT_KNOWN, cell
from featlearn.results.ledger import Row, Status

ID = "shi2022.one-step-float32"
FACTORS = np.geomspace(1, 1000, 31)
"""What theorem 26's eta1 of table 1, 1.2e-8, is multiplied by."""
RECIPES = {"float32": "the same eta1", "float32-scaled": "eta1 as theorem 26 scales it"}


def etas_of(config: PatternTraining, recipe: str, base: float) -> np.ndarray:
    """The step sizes that are tried in a setting, by one reading of eta1."""
    return FACTORS * (base if recipe == "float32" else config.step_sizes().eta1)


def reproduce(context: Context) -> Reproduction:
    """The cosines by the arithmetics in every block of the tables."""
    blocks = list(every_block(*(("table-1", "table-3") if context.quick else ())))
    base = blocks[0][1].config().step_sizes().eta1
    rounded: dict[tuple[str, str], np.ndarray] = {}
    exact: dict[str, np.ndarray] = {}
    for table, block in blocks:
        name = in_words(table, block)
        found = _cosines(context, block, base)
        exact[name] = np.array([each.exact for each in found])
        both = np.split(np.array([each.rounded for each in found]), len(RECIPES), axis=1)
        rounded |= {(name, recipe): each for recipe, each in zip(RECIPES, both, strict=True)}
    first = in_words(*blocks[0])
    paper = blocks[0][1].paper("One Step", "cosine")
    fitted = int(np.argmin(np.abs(rounded[first, "float32"].mean(axis=0) - paper)))
    rows: list[Row] = []
    for table, block in blocks:
        name = in_words(table, block)
        rows.append(_row(context, table, block, "exact", exact[name], "no residue is left"))
        for recipe, words in RECIPES.items():
            values = rounded[name, recipe][:, fitted]
            how = f"{words}, {FACTORS[fitted]:.3g} times theorem 26's at table 1"
            rows.append(_row(context, table, block, recipe, values, how, fitted=name == first))
    return Reproduction(rows=tuple(rows), figures=(_figure(rounded, exact),))


def _cosines(context: Context, block: Block, base: float) -> list[StepCosines]:
    fewer = {"samples": 10_000} if context.quick else {}
    config = block.config(simulation="plain", **fewer)
    etas = np.concatenate([etas_of(config, recipe, base) for recipe in RECIPES])
    cases = [
        {"config": config, "etas": etas, "seed": seed} for seed in range(2 if context.quick else 5)
    ]
    return context.lab.compute_each(cosines_by_arithmetic, cases)


def _row(
    context: Context,
    table: str,
    block: Block,
    recipe: str,
    values: np.ndarray,
    why: str,
    *,
    fitted: bool = False,
) -> Row:
    row = cell(
        context,
        ID,
        f"{in_words(table, block)}, One Step cosine",
        values,
        printed(block.paper("One Step", "cosine"), ""),
        status=Status.FITTED if fitted else None,
        recipe=recipe,
        cell=cell_of(table, block, "One Step", "cosine"),
        group=f"{ID}/{in_words(table, block)}/{recipe}",
        why=f"{why}, {'fitted here' if fitted else 'fitted at table 1'}"
        if recipe in RECIPES
        else why,
        reason=f"see {ID}" if recipe == "exact" else NOT_KNOWN,
    )
    predicted = recipe in RECIPES and row.status is Status.AGREES
    return replace(row, status=Status.PREDICTED) if predicted else row


def _figure(rounded: dict[tuple[str, str], np.ndarray], exact: dict[str, np.ndarray]) -> Figure:
    shown = [name for name in exact if "table 1" in name or "table 3" in name]
    roles = ("opposite", "signal", "orthogonal")
    panel = Panel(
        x=Axis(label="eta_{1} over theorem 26's", scale="log"),
        y=Axis(label="largest cosine after one step", limits=(0.0, 1.02)),
        series=tuple(
            Series(name=name, x=FACTORS, y=rounded[name, "float32"].mean(axis=0), role=role)
            for name, role in zip(shown, roles, strict=True)
        ),
    )
    means = ", ".join(f"{values.mean():.3f}" for values in exact.values())
    return Figure(
        id=ID,
        title="What float32 leaves of the first step",
        caption="Largest cosine with the sum of the relevant patterns when the old weights are "
        f"subtracted in float32, against the step size; exactly computed it is {means} in the "
        "blocks of the tables, at every step size.",
        panels=(panel,),
    )


ITEM = Item(
    id=ID,
    title="The One Step column and the rounding of float32",
    reproduce=reproduce,
    references=("shi2022",),
)

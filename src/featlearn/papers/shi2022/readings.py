"""What every setting of the unknowns gives for the printed cells: the input of the joint fit.

The trainings are those of the validated recipe's grid, on its validation seeds: nothing here was
judged. Cosines come from formulas (`dimension`): random directions in R^d, and a first step that is
exact or has an isotropic residue kappa.
"""

import itertools

import numpy as np

from featlearn.papers.shi2022.dimension import largest_cosine
from featlearn.papers.shi2022.every_table import cell_of, every_block
from featlearn.papers.shi2022.grid import settings, validation_seeds
from featlearn.papers.shi2022.joint_fit import PaperCell, Prediction, Predictions, Unit
from featlearn.papers.shi2022.table_cells import METHODS, QUANTITIES, Block
from featlearn.papers.shi2022.validation import accuracies, shared, with_setting
from featlearn.reproduction.item import Context

ACCURACIES = ("train accuracy", "test accuracy")
DIMENSIONS = (100, 200, 500)
"""Dimensions of table 4 that are tried; it is said to be 500."""
RESIDUES = (0.0, *np.geomspace(3e-4, 3e-3, 7))
"""kappa of a first step with tan² = kappa d; 0 is exact arithmetic."""
COSINE_ERROR = 1.0
"""Error of a cosine's formula, in points: that of a mean over five runs."""

Blocks = list[tuple[str, Block]]


def blocks_of(context: Context) -> Blocks:
    """The blocks that are fitted: at the quick size three that share their trainings."""
    every = list(every_block())
    return [each for each in every if each[0] in ("table-1", "table-3")] if context.quick else every


def cells_of(blocks: Blocks) -> list[PaperCell]:
    """The printed numbers, in points."""
    found = []
    for table, block in blocks:
        for method, values in block.cells.items():
            for quantity, value in zip(QUANTITIES, values, strict=True):
                if value is not None:
                    cosine = quantity == "cosine"
                    found.append(
                        PaperCell(
                            name=cell_of(table, block, method, quantity),
                            table=table,
                            run=f"{table}/{block.name(method)}{'/cosine' if cosine else ''}",
                            value=100 * value if cosine else value,
                        )
                    )
    return found


def units_of(context: Context, blocks: Blocks) -> dict[str, Unit]:
    """Unit -> setting -> predictions."""
    fixed = {
        f"{'weighted' if weighted else 'unweighted'} later steps, NTK {one}, RF {other}": {
            **ntk,
            **features,
        }
        for weighted in (False, True)
        for (one, ntk), (other, features) in itertools.product(
            _trained(context, blocks, "NTK", weighted).items(),
            _trained(context, blocks, "RF", weighted).items(),
        )
    }
    units: dict[str, Unit] = {"fixed features": fixed, "cosines": _cosines(blocks)}
    for method in ("Network", "Two Step", "Network w/o structure"):
        units[method] = _trained(context, blocks, method, weighted=False)
    one_step = dict(_trained(context, blocks, "One Step", weighted=False))
    one_step["the constant -1"] = _constant(blocks)
    units["One Step"] = one_step
    return units


def _trained(context: Context, blocks: Blocks, method: str, weighted: bool) -> Unit:
    seeds = validation_seeds(quick=context.quick)
    found: dict[str, dict[str, Prediction]] = {}
    changes = METHODS[method]
    grid = settings(
        changes.get("method", "network"), changes.get("structure", True), quick=context.quick
    )
    for setting in grid:
        mine = found.setdefault(f"({setting.early:g}, {setting.unit:g})", {})
        for table, block in blocks:
            # Weights change nothing in balanced classes: those trainings are shared.
            unbalanced = weighted and not block.config().law().truth.balanced
            config = shared(block.config(**changes, later_weights=unbalanced))
            config = with_setting(config, setting)
            for quantity in ACCURACIES:
                values = 100 * np.nan_to_num(
                    accuracies(context, config, seeds, QUANTITIES[quantity][0])
                )
                error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 1.0
                mine[cell_of(table, block, method, quantity)] = Prediction(
                    mean=float(values.mean()), error=error
                )
    return found


def _constant(blocks: Blocks) -> Predictions:
    return {
        cell_of(table, block, "One Step", quantity): Prediction(
            mean=100 * (1 - float(block.config().law().truth.positive_share)), error=0.0
        )
        for table, block in blocks
        for quantity in ACCURACIES
    }


def _cosines(blocks: Blocks) -> Unit:
    """RF's and One Step's cosines by d of table 4 and by the residue of the first step."""
    found: dict[str, Predictions] = {}
    for d4, kappa in itertools.product(DIMENSIONS, RESIDUES):
        mine = {}
        for table, block in blocks:
            config = block.config()
            d = d4 if table == "table-4" else config.d
            for method, cosine in (
                ("RF", largest_cosine(d, config.width // 2)),
                ("One Step", 1 / np.sqrt(1 + kappa * d)),
            ):
                name = cell_of(table, block, method, "cosine")
                mine[name] = Prediction(mean=100 * float(cosine), error=COSINE_ERROR)
        arithmetic = f"residue {kappa:.2g}" if kappa else "exact first step"
        found[f"table 4 with d = {d4}, {arithmetic}"] = mine
    return found

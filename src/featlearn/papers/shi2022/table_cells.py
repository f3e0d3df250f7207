"""The cells of tables 1 to 5: the six methods, what is printed of each, and how it is compared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from featlearn._check import require
from featlearn.experiments.named import NamedExperiment
from featlearn.experiments.run import Estimate
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.reproduction.item import Context
from featlearn.reproduction.rows import NOT_KNOWN, cell
from featlearn.results.ledger import Printed, Row

SD, RUNS, COSINE = 0.5, 5, 0.03
"""Five runs, sd below 0.5 % (the paper); and how finely a cosine has to be known."""

METHODS: dict[str, dict[str, Any]] = {
    "Network": {},
    "NTK": {"method": "ntk"},
    "RF": {"method": "random-features"},
    "One Step": {"method": "one-step"},
    "Two Step": {"method": "two-step"},
    "Network w/o structure": {"structure": False},
}
CURVES_ONLY: dict[str, dict[str, Any]] = {
    "NTK w/o structure": {"method": "ntk", "structure": False},
    "RF w/o structure": {"method": "random-features", "structure": False},
}
"""Shown in the figures, and printed in no table."""

QUANTITIES = {
    "train accuracy": ("train_accuracy", "%", 100.0),
    "test accuracy": ("test_accuracy", "%", 100.0),
    "cosine": ("cos", "", 1.0),
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

    def config(self, **changes: Any) -> PatternTraining:
        """The setting of the block, with some fields changed."""
        made: PatternTraining = replace(self.named.config, **{**self.changes, **changes})
        return made

    def paper(self, method: str, quantity: str) -> float:
        """The printed number of a method, where there is one."""
        value = self.cells[method][list(QUANTITIES).index(quantity)]
        require(value is not None, f"{self.label} {method}", f"a printed {quantity}", "none")
        assert value is not None
        return value

    def name(self, method: str) -> str:
        """A method of this block, as it stands before a quantity."""
        return f"{self.label}, {method}" if self.label else method


STUDIES: dict[tuple[str, str, str], str] = {
    ("", "One Step", "cosine"): "shi2022.one-step-float32",
    ("", "One Step", "accuracy"): "shi2022.one-step-read-out",
    ("", "Network w/o structure", "train accuracy"): "shi2022.memorisation",
    ("table-2", "Network", "accuracy"): "shi2022.failing-seeds",
    ("table-2", "Two Step", "accuracy"): "shi2022.failing-seeds",
    ("table-4", "Network", "accuracy"): "shi2022.failing-seeds",
    ("table-4", "Two Step", "accuracy"): "shi2022.failing-seeds",
    ("table-5", "Network", "accuracy"): "shi2022.failing-seeds",
    ("table-5", "Two Step", "accuracy"): "shi2022.failing-seeds",
    ("table-4", "RF", "cosine"): "shi2022.table-4-dimension",
    ("table-4", "NTK", "accuracy"): "shi2022.later-class-weights",
    ("table-4", "RF", "accuracy"): "shi2022.later-class-weights",
}
"""By table, method and quantity: the item that looks into it."""


def printed(value: float, unit: str) -> Printed:
    """A number of the tables: accuracies to a tenth, five runs, sd below .5 %; cosines to .001.

    Example:
        >>> printed(86.4, "%").rounding, printed(50.22, "%").rounding, printed(0.56, "").rounding
        (0.05, 0.005, 0.0005)
    """
    digits = len(f"{value}".partition(".")[2])
    if unit == "%":
        return Printed(value=value, rounding=0.5 / 10 ** max(digits, 1), sd=SD, runs=RUNS)
    return Printed(value=value, rounding=0.5 / 10 ** max(digits, 3), runs=RUNS, resolve=COSINE)


def reason(item: str, name: str, quantity: str) -> str:
    """Why a cell is not as printed: the item that looks into it, or that it is not known.

    Example:
        >>> reason("shi2022.table-1", "RF", "cosine")
        'not known'
        >>> reason("shi2022.table-1", "One Step", "cosine")
        'see shi2022.one-step-float32'
    """
    table = item.partition(".")[2]
    kind = "cosine" if quantity == "cosine" else "accuracy"
    for of in (table, ""):
        for what in (quantity, kind):
            if (of, name, what) in STUDIES:
                return f"see {STUDIES[of, name, what]}"
    return NOT_KNOWN


def cell_rows(
    context: Context,
    item: str,
    block: Block,
    name: str,
    recipe: str,
    summary: dict[str, Estimate],
    why: str = "",
) -> list[Row]:
    """The printed numbers of a method in a block beside ours by one recipe."""
    rows = []
    for place, (quantity, (key, unit, scale)) in enumerate(QUANTITIES.items()):
        paper = block.cells[name][place]
        if key not in summary or paper is None:
            continue
        values = [None if v is None else scale * v for v in summary[key].values]
        constant = _constant(block.config(), name, quantity, values)
        rows.append(
            cell(
                context,
                item,
                f"{block.name(name)} {quantity}",
                values,
                printed(paper, unit),
                unit=unit,
                recipe=recipe,
                group=f"{item}/{block.name(name)}/{recipe}",
                why="; ".join(filter(None, (why, constant))),
                reason=reason(item, name, quantity),
            )
        )
    return rows


def _constant(
    config: PatternTraining, name: str, quantity: str, values: Sequence[float | None]
) -> str:
    """That ours is the constant classifier, where it is."""
    known = [value for value in values if value is not None]
    if quantity == "cosine" or not known:
        return ""
    law = config.law(structure=False) if name == "Network w/o structure" else config.law()
    larger = 100 * max(law.truth.positive_share, 1 - law.truth.positive_share)
    if larger > 51 and abs(float(np.mean(known)) - larger) < 1:
        return f"ours does not leave the constant classifier, which has {larger:.1f} %"
    return ""

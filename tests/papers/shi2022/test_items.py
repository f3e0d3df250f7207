"""Items at toy size: what the ledger says, and what the figures hold."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.convex import best_on_top
from featlearn.papers.shi2022.items.table_1 import BLOCKS
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.table_cells import CURVES_ONLY, METHODS, Block
from featlearn.papers.shi2022.tables import table
from featlearn.reproduction.item import Context
from featlearn.results.ledger import RowKind

TOY = {
    "d": 20,
    "dictionary": 10,
    "k": 3,
    "width": 12,
    "samples": 300,
    "batch": 100,
    "steps": 6,
    "test": 200,
}


def test_a_table_has_a_row_for_every_number_of_the_paper(tmp_path: Path):
    block: Block = replace(BLOCKS[0], changes=TOY)
    context = Context(size="quick", lab=Lab.at(tmp_path / "store"))
    found = table("shi2022.table-1", (block,), context)
    given = sum(value is not None for cell in block.cells.values() for value in cell)
    kinds = Counter(row.kind for row in found.rows)
    assert kinds[RowKind.CELL] == given == 17
    assert kinds[RowKind.MEASURED] == len(METHODS), "a path of validation each"
    assert {row.recipe for row in found.rows} == {"validated", "best"}
    assert all(row.why for row in found.rows)
    ids = [figure.id for figure in found.figures]
    assert ids == ["shi2022.table-1-validation", "shi2022.figure-5"]
    names = [[series.name for series in panel.series] for panel in found.figures[1].panels]
    assert names == [["Network", "NTK", "RF"], ["Network w/o structure"]]
    assert set(CURVES_ONLY) == {"NTK w/o structure", "RF w/o structure"}, "at full size only"
    assert set(METHODS) == set(block.cells)
    again = table("shi2022.table-1", (block,), context)
    assert [row.measured for row in again.rows] == [row.measured for row in found.rows]


@pytest.mark.slow
def test_a_solver_finds_the_parity_on_two_step_features_and_not_at_the_start():
    config = PatternTraining(d=12, dictionary=10, k=3, width=60, samples=4000, batch=100)
    start, after = (best_on_top(config, step, seed=0) for step in (0, 2))
    assert after["test_accuracy"] > 0.99
    assert start["test_accuracy"] < after["test_accuracy"] - 0.05
    assert after["cos"] > 0.95

"""The joint fit: a planted setting is found, and what it cannot explain is said."""

import numpy as np
import pytest
import scipy.stats

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.every_table import every_block
from featlearn.papers.shi2022.items.what_they_ran import _left_out_row
from featlearn.papers.shi2022.joint_fit import (
    FREEDOM,
    PaperCell,
    Prediction,
    fit,
    half_width,
    log_likelihood,
    predictions,
)
from featlearn.papers.shi2022.readings import _cosines, cells_of
from featlearn.reproduction.item import Context
from featlearn.results.ledger import Status

FULL = Context(size="full", lab=Lab.at(None))


def planted(rng: np.random.Generator, truth: str = "b", noise: float = 1.0):
    """Twelve cells in four tables, made by one of three settings."""
    at = {"a": 0.0, "b": 10.0, "c": 20.0}
    unit = {
        name: {f"cell-{i}": Prediction(mean=50 + shift * (i % 3), error=0.5) for i in range(12)}
        for name, shift in at.items()
    }
    cells = [
        PaperCell(
            name=f"cell-{i}",
            table=f"table-{i // 3}",
            run=f"run-{i // 2}",
            value=50 + at[truth] * (i % 3) + noise * float(rng.standard_normal()),
        )
        for i in range(12)
    ]
    return cells, {"unit": unit}


@pytest.mark.parametrize("truth", ["a", "b", "c"])
def test_the_likelihood_prefers_the_planted_setting(rng, truth):
    cells, units = planted(rng, truth)
    found = fit(cells, units)
    assert found.settings == {"unit": truth}
    assert found.runners_up["unit"][1] > 3
    assert 0.25 <= found.scale < 4, "the noise has sd 1"


def test_a_table_that_is_left_out_is_predicted_and_one_that_was_run_otherwise_is_not(rng):
    cells, units = planted(rng)
    fitted = fit([each for each in cells if each.table != "table-0"], units)
    mine = predictions(fitted, units)
    inside = [
        abs(each.value - mine[each.name].mean) <= half_width(fitted, mine[each.name])
        for each in cells
        if each.table == "table-0"
    ]
    assert all(inside)
    other = PaperCell(name="cell-2", table="table-0", run="run-1", value=95.0)
    row = _left_out_row(FULL, other, fitted, mine["cell-2"])
    assert row.status is Status.LOWER


def test_a_prediction_with_a_wide_interval_tells_nothing(rng):
    cells, units = planted(rng, noise=12.0)
    fitted = fit(cells, units)
    mine = Prediction(mean=60.0, error=0.5)
    near = PaperCell(name="cell-1", table="table-0", run="run-0", value=61.0)
    row = _left_out_row(FULL, near, fitted, mine)
    assert half_width(fitted, mine) > 5
    assert row.status is Status.CANNOT_TELL


def test_cells_of_one_run_count_once():
    found = {name: Prediction(mean=0.0, error=0.0) for name in ("one", "two")}
    alone, twin = (
        [PaperCell(name=name, table="t", run="r", value=1.0) for name in names]
        for names in (("one",), ("one", "two"))
    )
    expected = float(scipy.stats.t.logpdf(0.5, FREEDOM)) - np.log(2)
    assert log_likelihood(alone, found, 2.0) == pytest.approx(expected)
    assert log_likelihood(twin, found, 2.0) == pytest.approx(expected)


def test_the_cosines_of_a_planted_dimension_and_residue_are_explained_by_them():
    blocks = list(every_block())
    unit = _cosines(blocks)
    truth = next(name for name in unit if "d = 200, residue" in name)
    cells = [
        PaperCell(name=name, table=name.split("/")[0], run=name, value=each.mean)
        for name, each in unit[truth].items()
    ]
    assert fit(cells, {"cosines": unit}).settings == {"cosines": truth}


def test_all_printed_numbers_are_fitted():
    assert len(cells_of(list(every_block()))) == 8 * 17

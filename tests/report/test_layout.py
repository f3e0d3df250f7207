"""Rows in the layout of the paper's table, where they make one."""

from itertools import product

import pytest

from featlearn.report.layout import grid

METHODS = ("Network", "NTK", "RF", "One Step", "Two Step", "Network w/o structure")
COLUMNS = ("train accuracy", "test accuracy", "cosine")


def cells(*names: str) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


@pytest.mark.parametrize("settings", [("",), ("d = 100, ", "d = 500, ", "d = 2000, ")])
def test_methods_are_rows_and_quantities_columns_for_one_setting_or_several(settings):
    names = [f"{s}{m} {q}" for s, m, q in product(settings, METHODS, COLUMNS)]
    names = [name for name in names if not name.endswith("NTK cosine")]
    found = grid(cells(*names))
    assert found is not None
    assert found.columns == COLUMNS
    assert [heading for heading, _ in found.rows] == [s + m for s, m in product(settings, METHODS)]
    everything = [cell for _, row in found.rows for cell in row if cell is not None]
    assert sorted(everything) == sorted(names)
    assert found.rows[1][1][2] is None, "the cell that the paper leaves empty"


def test_rows_that_make_no_table_stay_a_list():
    assert grid(cells("slope of log d", "clean points right at T", "alpha")) is None
    assert grid(cells(*(f"exponent {n}" for n in range(8)))) is None
    assert grid(cells("a b", "a b", "c d", "c d", "e b", "e d")) is None, "names that stand twice"

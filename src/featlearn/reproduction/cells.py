"""Printed cells of the papers' tables: each is judged once, and Holm's correction is applied to
them.

Rows of the ledger that share a cell are several recipes for one printed number. The cell has the
status of one recipe: the one marked as judged; else the first of validated, practical, literal;
else any. The cells of one run form a group, which counts as one comparison: the smallest p-value of
the group, times the number of its cells, has to survive Holm's procedure at 1 % over the groups of
the paper. A difference that does not survive becomes "cannot tell".
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from featlearn.results.ledger import LEVEL, Row, RowKind, Status
from featlearn.theory.holm import threshold

RANKS = ("validated", "practical", "literal")


def by_cell(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Map each cell to its rows; the row by which the cell is judged comes first."""
    cells: dict[str, list[Row]] = {}
    for row in rows:
        cells.setdefault(row.cell or row.key, []).append(row)
    return {name: sorted(found, key=_rank) for name, found in cells.items()}


def judged(rows: Iterable[Row]) -> list[Row]:
    """Return one row per cell: the row of the recipe by which the cell is judged."""
    return [found[0] for found in by_cell(rows).values()]


def _rank(row: Row) -> int:
    if row.judged:
        return -1
    return RANKS.index(row.recipe) if row.recipe in RANKS else len(RANKS)


def compared(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Map each group to its judged cells with a p-value; Holm's procedure counts these groups."""
    groups: dict[str, list[Row]] = {}
    for row in judged(rows):
        if row.kind is RowKind.CELL and row.p_value is not None:
            groups.setdefault(row.group, []).append(row)
    return groups


def corrected(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of one paper after Holm's correction: differences that do not survive it
    become "cannot tell".
    """
    groups = compared(rows)
    smallest = [min(1.0, len(cells) * min(map(_p, cells))) for cells in groups.values()]
    limit = threshold(smallest)
    lost = {
        (row.cell, row.recipe)
        for cells in groups.values()
        for row in cells
        if row.status in (Status.HIGHER, Status.LOWER) and len(cells) * _p(row) > limit
    }
    return [_unsure(row, len(groups)) if (row.cell, row.recipe) in lost else row for row in rows]


def chance(rows: Iterable[Row]) -> str:
    """Return a sentence on how many cells would differ by chance; it is empty if no cells are
    compared.

    Example:
        >>> chance([])
        ''
    """
    groups = compared(rows)
    cells = sum(map(len, groups.values()))
    if not cells:
        return ""
    one = "1 cell" if cells == 1 else f"{cells} cells"
    verb = "was" if cells == 1 else "were"
    many = "1 group" if len(groups) == 1 else f"{len(groups)} groups"
    return (
        f"{one} in {many} {verb} compared: at 99 % each, {(1 - LEVEL) * cells:.2g} would differ by "
        "chance; with Holm's correction over the groups of a paper, one ledger in a hundred has "
        "such a difference. A cell is a printed number, a group the cells of one run."
    )


def _p(row: Row) -> float:
    assert row.p_value is not None
    return row.p_value


def _unsure(row: Row, groups: int) -> Row:
    why = f"{row.why}; {row.status} by itself, but p = {row.p_value:.2g} among {groups} groups"
    return replace(row, status=Status.CANNOT_TELL, alone=row.status, why=why)

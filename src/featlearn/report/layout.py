"""Arrange rows of the ledger in the layout of the paper's table, with its rows and columns.

A quantity such as "d = 100, RF test accuracy" belongs to the row "d = 100, RF" and the column "test
accuracy". The quantities alone decide which words name the column: an ending that many quantities
share. If no such table is nearly full, the ledger stays a list.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

FULL = 0.75
"""The share of a grid that must be filled."""
COLUMNS, LEAST = 8, 6
"""At most so many columns; at least so many cells."""

Cell = TypeVar("Cell")


@dataclass(frozen=True, kw_only=True)
class Grid(Generic[Cell]):
    """A table: its headings, and at every position a cell or None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    """Heading and cells of each row."""


def grid(cells: Iterable[tuple[str, Cell]]) -> Grid[Cell] | None:
    """Return the fullest table with a place for every quantity, if equal that with fewer columns;
    else None.

    Example:
        >>> names = [
        ...     f"{m} {q}"
        ...     for m in ("RF", "NTK")
        ...     for q in ("train accuracy", "test accuracy", "cosine")
        ... ]
        >>> found = grid((name, name) for name in names)
        >>> found.columns, [heading for heading, _ in found.rows]
        (('train accuracy', 'test accuracy', 'cosine'), ['RF', 'NTK'])
    """
    listed = list(cells)
    names = [name for name, _ in listed]
    if len(listed) < LEAST or len(set(names)) < len(names):
        return None
    best: tuple[float, int, list[tuple[str, str]]] | None = None
    for least in range(2, len(names)):
        split = _split(names, least)
        if split is None:
            continue
        rows, columns = ({each[place] for each in split} for place in (0, 1))
        fill = len(split) / (len(rows) * len(columns))
        fits = 2 <= len(columns) <= COLUMNS and len(rows) >= 2 and fill >= FULL
        if fits and (best is None or (fill, -len(columns)) > best[:2]):
            best = (fill, -len(columns), split)
    return _laid_out(best[2], [cell for _, cell in listed]) if best else None


def _split(names: Sequence[str], least: int) -> list[tuple[str, str]] | None:
    """Cut every name into row and column; the column is the longest ending that `least` rows share.

    Return None if a name has no such ending.
    """
    heads: dict[str, set[str]] = {}
    for name in names:
        for head, ending in _endings(name):
            heads.setdefault(ending, set()).add(head)
    found = []
    for name in names:
        shared = [each for each in _endings(name) if len(heads[each[1]]) >= least]
        if not shared:
            return None
        found.append(shared[0])
    return found if len(set(found)) == len(found) else None


def _endings(name: str) -> list[tuple[str, str]]:
    """Return the ways to cut a name in two between words, the longest ending first."""
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return [(head.rstrip(":,"), ending) for head, ending in cuts if "," not in ending]


def _laid_out(split: Sequence[tuple[str, str]], cells: Sequence[Cell]) -> Grid[Cell]:
    columns = tuple(dict.fromkeys(column for _, column in split))
    there = dict(zip(split, cells, strict=True))
    return Grid(
        columns=columns,
        rows=tuple(
            (row, tuple(there.get((row, column)) for column in columns))
            for row in dict.fromkeys(row for row, _ in split)
        ),
    )

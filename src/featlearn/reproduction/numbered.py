"""The map of a paper: which statement checks each of its numbered statements, or why none does.

A numbered statement of a paper either has a check with its own name, or it is in a row of the map.
The row names the statements that check it (because it restates one, or an appendix repeats it), or
gives the reason why it is only listed, as a step of a proof.
"""

import importlib
import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass

from featlearn._check import require
from featlearn.reproduction.paper import Paper

HEADER = ("| in the paper | id | |", "|---|---|---|")


@dataclass(frozen=True, kw_only=True)
class Covered:
    """A row of the map: numbered statements of a paper that have no check with their own name."""

    numbers: tuple[str, ...]
    """Their names in the paper: "lemma-C.17"."""
    by: tuple[str, ...] = ()
    """The statements that check them, by name, or by id if they are of another paper."""
    note: str = ""
    """How they are checked, or why they are not."""

    def __post_init__(self) -> None:
        require(len(self.numbers) > 0, "Covered(numbers)", "at least one name", "none")
        told = bool(self.by or self.note)
        require(told, f"Covered {self.numbers[0]}", "a statement or a reason", "neither")


def numbered(paper: Paper) -> tuple[Covered, ...]:
    """Return the map of a paper (`NUMBERED` in its module `numbered`); it is empty if the paper has
    none.
    """
    package = f"{paper.package}.numbered"
    if not paper.package or importlib.util.find_spec(package) is None:
        return ()
    rows: tuple[Covered, ...] = importlib.import_module(package).NUMBERED
    return rows


def table(rows: Sequence[Covered]) -> list[str]:
    """Return the map as the lines of a table in Markdown.

    Example:
        >>> table([Covered(numbers=("lemma-8", "lemma-9", "claim-1"), by=("lemma-5",))])[-1]
        '| lemmas 8, 9, claim 1 | lemma-5 |  |'
    """
    lines = [
        f"| {listed(row.numbers)} | {', '.join(row.by) or '–'} | "
        f"{row.note if row.by else f'proof step: {row.note}'} |"
        for row in rows
    ]
    return [*HEADER, *lines]


def listed(names: Sequence[str]) -> str:
    """Return names of statements as text, grouped by their kind.

    Example:
        >>> listed(("lemma-B.6", "claim-B.7", "claim-B.8"))
        'lemma B.6, claims B.7, B.8'
    """
    kinds: dict[str, list[str]] = {}
    for name in names:
        kind, _, number = name.partition("-")
        kinds.setdefault(kind, []).append(number)
    return ", ".join(f"{_plural(kind, each)} {', '.join(each)}" for kind, each in kinds.items())


def _plural(kind: str, numbers: Sequence[str]) -> str:
    return kind if len(numbers) == 1 else re.sub("y$", "ie", kind) + "s"

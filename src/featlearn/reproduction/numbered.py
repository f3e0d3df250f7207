"""The map of a paper: which statement checks each numbered one, or why none does.

A numbered statement of a paper has a check of its own name, or it stands in a row of the map: with
the statements that check it (a restatement, a twin in an appendix), or with the reason why it is a
step of a proof that is only listed.
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
    """Numbered statements of a paper that have no check of their own name."""

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
    """The map of a paper (`NUMBERED` in its module `numbered`); empty if it has none."""
    package = f"{paper.package}.numbered"
    if not paper.package or importlib.util.find_spec(package) is None:
        return ()
    rows: tuple[Covered, ...] = importlib.import_module(package).NUMBERED
    return rows


def table(rows: Sequence[Covered]) -> list[str]:
    """The map as the lines of a table in Markdown.

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
    """Names in words, those of a kind together.

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

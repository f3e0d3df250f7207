"""A paper of the catalogue: its experiments, statements, items and references."""

import importlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypedDict

from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    from featlearn.reproduction.item import Item
    from featlearn.theory import Statement


BUILT_IN = "featlearn.papers"
"""The package whose folders are the papers of featlearn itself."""


class Expected(TypedDict):
    """The contents of a paper's `expected.json`."""

    verdicts: dict[str, dict[str, str | None] | None]
    """By statement: the verdict of each reading; None of a definition."""
    rows: dict[str, str | dict[str, Any]]
    """By key of a row: the fields of `recorded.Recorded`, or the status alone."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper; a folder of `papers/`, or a package that somebody else wrote, exports one as
    PAPER.
    """

    id: str
    title: str
    authors: str
    year: int
    experiments: tuple[NamedExperiment, ...] = ()
    statements: dict[str, str] = field(default_factory=dict)
    """Name ("lemma-C.4") -> title; the file is statements/lemma_c_4.py, its value STATEMENT."""
    items: dict[str, str] = field(default_factory=dict)
    """Name ("table-1") -> title; the file is items/table_1.py, its value ITEM."""
    quick: tuple[str, ...] = ()
    """The statements and items that `reproduce --size quick` runs: the headline of the paper."""

    @property
    def short(self) -> str:
        """The short name of the paper: authors and year.

        Example:
            >>> authors = "Spencer Frei, Niladri S. Chatterji and Peter L. Bartlett"
            >>> Paper(id="frei2022", title="", authors=authors, year=2022).short
            'Frei et al. 2022'
        """
        names = [name.split()[-1] for name in self.authors.replace(" and ", ", ").split(", ")]
        who = " & ".join(names) if len(names) < 3 else f"{names[0]} et al."
        return f"{who} {self.year}"

    package: str = ""
    """The package that contains it; the catalogue fills it in for papers outside featlearn."""

    @property
    def folder(self) -> Path:
        """The folder with the files of the paper."""
        if not self.package:
            return Path(__file__).parents[1] / "papers" / self.id
        file = importlib.import_module(self.package).__file__
        assert file is not None
        return Path(file).parent

    def statement(self, name: str) -> "Statement":
        """Import and return the statement with that name."""
        statement: Statement = self._module("statements", name).STATEMENT
        return statement

    def item(self, name: str) -> "Item":
        """Import and return the item with that name."""
        item: Item = self._module("items", name).ITEM
        return item

    def expected(self) -> "Expected":
        """Return the recorded verdicts and rows, by name, from `expected.json`.

        They are empty if that file does not exist, as for a paper that is being added.
        """
        file = self.folder / "expected.json"
        document = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        return {"verdicts": {}, "rows": {}, **document}

    def require_known_keys(self) -> None:
        """Refuse an expected.json that names items or statements which the paper does not have."""
        from featlearn.reproduction.recorded import require_known

        recorded = self.expected()
        require_known(self.id, recorded["rows"], recorded["verdicts"], self.items, self.statements)

    def references(self) -> dict[str, str]:
        """Return the BibTeX entries of the paper, by key."""
        text = (self.folder / "references.bib").read_text(encoding="utf-8")
        entries = ["@" + entry.strip() for entry in text.split("@")[1:]]
        return {entry.split("{", 1)[1].split(",", 1)[0].strip(): entry for entry in entries}

    def _module(self, folder: str, name: str) -> ModuleType:
        file = name.lower().replace("-", "_").replace(".", "_")
        return importlib.import_module(f"{self._home}.{folder}.{file}")

    @property
    def _home(self) -> str:
        return self.package or f"{BUILT_IN}.{self.id}"

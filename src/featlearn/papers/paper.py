"""A paper in the catalogue: its experiments, its statements, its references. Light to import."""

import importlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    from featlearn.theory import Statement


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One folder of `papers/`; each of them exports one of these as PAPER."""

    id: str
    title: str
    authors: str
    year: int
    experiments: tuple[NamedExperiment, ...] = ()
    statements: dict[str, str] = field(default_factory=dict)
    """Item ("lemma-C.4") -> title; the file is statements/lemma_c_4.py, its value STATEMENT."""

    @property
    def folder(self) -> Path:
        """Where the files of the paper are."""
        return Path(__file__).parent / self.id

    def statement(self, item: str) -> "Statement":
        """Import the statement of that name."""
        name = item.lower().replace("-", "_").replace(".", "_")
        module = importlib.import_module(f"featlearn.papers.{self.id}.statements.{name}")
        statement: Statement = module.STATEMENT
        return statement

    def expected(self) -> dict[str, Any]:
        """What was recorded to come out, by kind and item (expected.json)."""
        document: dict[str, Any] = json.loads((self.folder / "expected.json").read_text())
        return document

    def references(self) -> dict[str, str]:
        """BibTeX entries by key."""
        text = (self.folder / "references.bib").read_text()
        entries = ["@" + entry.strip() for entry in text.split("@")[1:]]
        return {entry.split("{", 1)[1].split(",", 1)[0].strip(): entry for entry in entries}

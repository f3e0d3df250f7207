"""A statement at one configuration as a job of a sweep: where does its regime begin?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from featlearn.experiments.executor import Stop, Task, Watch
from featlearn.results.provenance import provenance
from featlearn.results.store import Entry
from featlearn.theory.check import to_document
from featlearn.theory.statement import Statement, judge
from featlearn.theory.verdict import Judgement


@dataclass(frozen=True, kw_only=True)
class StatementJob:
    """Decide one statement at one configuration."""

    statement: Statement
    config: Any
    seeds: tuple[int, ...]

    @property
    def identity(self) -> str:
        """The id of the statement."""
        return self.statement.id

    def remaining(self, entry: Entry, *, fresh: bool) -> "StatementJob | None":
        """All of it or nothing."""
        if entry.verdict(list(self.seeds)).exists() and not fresh:
            return None
        entry.require_writable()
        return self

    def tasks(self, entry: Entry | None) -> list[Task]:
        """One task."""

        def work(stop: Stop, report: Watch) -> Judgement:
            return judge(self.statement, self.config, self.seeds)

        return [Task(name=self.identity, work=work)]

    def assemble(self, values: Sequence[Judgement]) -> dict[str, Any]:
        """The judgement as a document."""
        return to_document(values[0])

    def write(self, entry: Entry, value: dict[str, Any]) -> None:
        """Store the decision."""
        entry.write_verdict(list(self.seeds), {**value, "provenance": provenance()})

    def read(self, entry: Entry) -> dict[str, Any]:
        """Verdict, reason, constants and the deciding numbers."""
        return self.told(entry.read_verdict(list(self.seeds)))

    def told(self, document: dict[str, Any]) -> dict[str, Any]:
        """Verdict, reason, constants and the deciding numbers."""
        names = ("verdict", "reason", "measured", "stderr", "predicted", "constants")
        return {name: document[name] for name in names}

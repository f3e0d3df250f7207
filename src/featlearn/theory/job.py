"""The job of a statement at one configuration: it measures and stores the evidence."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from featlearn._choices import EntryKind
from featlearn._config import C
from featlearn.experiments.job import JobSummary
from featlearn.experiments.lab import Lab
from featlearn.experiments.scheduler import Stop, Task, Watch
from featlearn.results.key import ResultKey
from featlearn.results.seeds import part_name
from featlearn.results.store import Entry, Store, collect_parents
from featlearn.theory.claim import Claim, Evidence
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.statement import Statement, gather, judge
from featlearn.theory.text import Reading
from featlearn.theory.verdict import FittedConstant, Trend, finite

RECORDS = (Claim, Evidence, FittedConstant, Hypothesis, Reading, Trend)
"""The record types that stored evidence may contain."""


@dataclass(frozen=True, kw_only=True)
class MeasuredEvidence:
    """Evidence, with the seconds that measuring it took and the stored entries that it was computed
    from.
    """

    evidence: Evidence
    seconds: float
    parents: tuple[str, ...]
    """The addresses of the entries that it was computed from."""


@dataclass(frozen=True, kw_only=True)
class StatementJob(Generic[C]):
    """Measures the evidence of one statement at one configuration."""

    statement: Statement[C]
    config: C
    seeds: tuple[int, ...]
    kind: EntryKind = "evidence"

    @property
    def identity(self) -> str:
        """The id of the statement."""
        return self.statement.id

    def key(self) -> ResultKey:
        """Return the key under which the store keeps the evidence."""
        return self.statement.key(self.config)

    def code(self) -> "Callable[[C, Lab], object]":
        """Return the function that measures the evidence, whose code decides the value."""
        return self.statement.evidence

    @property
    def part(self) -> str:
        """The name of the part of the store's entry that holds the evidence from these seeds."""
        return part_name(self.seeds[0], self.seeds[-1])

    def remaining(self, entry: Entry, *, fresh: bool) -> "StatementJob[C] | None":
        """Return the whole job if its evidence is not in the store, else None."""
        if entry.has(self.part) and not fresh:
            return None
        entry.require_writable()
        return self

    def measure(
        self, store: Store | None, *, watch: Watch | None = None, fresh: bool = False
    ) -> MeasuredEvidence:
        """Measure the evidence and return it; trainings and computations that the store has are
        read.
        """
        clock = time.perf_counter()
        with collect_parents() as found:
            lab = Lab(store=store, seeds=self.seeds, fresh=fresh, watch=watch)
            evidence = gather(self.statement, self.config, lab)
        seconds = round(time.perf_counter() - clock, 3)
        return MeasuredEvidence(evidence=evidence, seconds=seconds, parents=tuple(found))

    def tasks(self, entry: Entry | None) -> list[Task]:
        """Return one task, which measures the evidence and starts further tasks to do so."""

        def work(stop: Stop, report: Watch) -> MeasuredEvidence:
            return self.measure(entry.store if entry else None, watch=report)

        return [Task(name=self.identity, work=work)]

    def assemble(self, values: Sequence[MeasuredEvidence]) -> MeasuredEvidence:
        """Return the value of the only task."""
        return values[0]

    def write(self, entry: Entry, value: MeasuredEvidence) -> JobSummary:
        """Store the evidence, and return its columns for the table of a sweep."""
        entry.write(value.evidence, self.part, seconds=value.seconds, parents=list(value.parents))
        return self.row_from_value(value)

    def evidence(self, entry: Entry) -> Evidence:
        """Read the evidence from the store."""
        found: Evidence = entry.read(self.part, records=RECORDS)
        return found

    def row_from_entry(self, entry: Entry) -> JobSummary:
        """Return the verdict, reason, constants and deciding numbers of the stored evidence."""
        return self._row(self.evidence(entry))

    def row_from_value(self, value: MeasuredEvidence) -> JobSummary:
        """Return the verdict, reason, constants and deciding numbers of newly measured evidence."""
        return self._row(value.evidence)

    def _row(self, evidence: Evidence) -> JobSummary:
        found = judge(self.statement, self.config, evidence, len(self.seeds))
        part = found.deciding
        return {
            "verdict": found.verdict.name if found.verdict else None,
            "reason": found.reason,
            "measured": finite(part.measured) if part else None,
            "stderr": finite(part.stderr) if part else None,
            "predicted": finite(part.predicted) if part else None,
            "constants": {
                name: {
                    "value": finite(c.value),
                    "ci": None if c.ci is None else [finite(end) for end in c.ci],
                }
                for name, c in found.constants.items()
            },
        }

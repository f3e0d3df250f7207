"""A statement at one configuration as a job: its evidence is measured, stored, and judged anew."""

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
from featlearn.results.store import Entry, Store, parents
from featlearn.theory.claim import Claim, Evidence
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.statement import Statement, gather, judge
from featlearn.theory.text import Reading
from featlearn.theory.verdict import FittedConstant, Trend, finite

RECORDS = (Claim, Evidence, FittedConstant, Hypothesis, Reading, Trend)
"""The records that evidence is made of."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Evidence, with what it took."""

    evidence: Evidence
    seconds: float
    parents: tuple[str, ...]
    """The entries that it rests on."""


@dataclass(frozen=True, kw_only=True)
class StatementJob(Generic[C]):
    """Measure one statement at one configuration."""

    statement: Statement[C]
    config: C
    seeds: tuple[int, ...]
    kind: EntryKind = "evidence"

    @property
    def identity(self) -> str:
        """The id of the statement."""
        return self.statement.id

    def key(self) -> ResultKey:
        """What names the evidence."""
        return self.statement.key(self.config)

    def code(self) -> "Callable[[C, Lab], object]":
        """What measures."""
        return self.statement.evidence

    @property
    def part(self) -> str:
        """The name of the evidence from these seeds in its entry."""
        return part_name(self.seeds[0], self.seeds[-1])

    def remaining(self, entry: Entry, *, fresh: bool) -> "StatementJob[C] | None":
        """All of it or nothing."""
        if entry.has(self.part) and not fresh:
            return None
        entry.require_writable()
        return self

    def measure(
        self, store: Store | None, *, watch: Watch | None = None, fresh: bool = False
    ) -> Measured:
        """The evidence, trainings and computations read from the store where it has them."""
        clock = time.perf_counter()
        with parents() as found:
            lab = Lab(store=store, seeds=self.seeds, fresh=fresh, watch=watch)
            evidence = gather(self.statement, self.config, lab)
        seconds = round(time.perf_counter() - clock, 3)
        return Measured(evidence=evidence, seconds=seconds, parents=tuple(found))

    def tasks(self, entry: Entry | None) -> list[Task]:
        """One task, which hands out others of its own."""

        def work(stop: Stop, report: Watch) -> Measured:
            return self.measure(entry.store if entry else None, watch=report)

        return [Task(name=self.identity, work=work)]

    def assemble(self, values: Sequence[Measured]) -> Measured:
        """The one value."""
        return values[0]

    def write(self, entry: Entry, value: Measured) -> None:
        """Store the evidence."""
        entry.write(value.evidence, self.part, seconds=value.seconds, parents=list(value.parents))

    def evidence(self, entry: Entry) -> Evidence:
        """What the store has."""
        found: Evidence = entry.read(self.part, records=RECORDS)
        return found

    def read(self, entry: Entry) -> JobSummary:
        """Verdict, reason, constants and the deciding numbers."""
        return self._row(self.evidence(entry))

    def told(self, value: Measured) -> JobSummary:
        """Verdict, reason, constants and the deciding numbers."""
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

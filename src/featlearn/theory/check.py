"""Check statements over seeds: evidence in the store is read, not measured again, and is judged
anew each time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from featlearn._choices import Origin
from featlearn._config import C, replace
from featlearn.experiments.named import seed_range
from featlearn.experiments.run import as_store, entry_of, locked
from featlearn.experiments.scheduler import Stop, Stopped, Task, Watch, execute
from featlearn.results.store import Entry, Store
from featlearn.theory.claim import Evidence
from featlearn.theory.job import StatementJob
from featlearn.theory.statement import Statement, judge
from featlearn.theory.text import Text
from featlearn.theory.verdict import Judgement, Part, Strength, Trend, finite

_NUMBERS = ("x", "measured", "low", "high", "predicted")
"""The fields of a trend that contain lists of numbers."""


@dataclass(frozen=True, kw_only=True)
class CheckedStatement:
    """The judgement of a statement, with the time, software and stored entry behind its
    evidence.
    """

    judgement: Judgement
    seconds: float | None = None
    """How many seconds it took to compute the evidence."""
    provenance: dict[str, object] = field(default_factory=dict)
    path: Path | None = None
    """The folder in which the evidence is stored."""


def check(
    statement: Statement[C],
    *,
    seeds: int | None = None,
    first_seed: int = 0,
    out: Store | Path | str | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
    **changes: object,
) -> Judgement:
    """Check a statement at its default sizes, or with some fields changed, and return its
    judgement.

    Args:
        statement: the statement to check.
        seeds: the number of seeds; by default the statement's own.
        first_seed: the first seed; the others follow.
        out: the store to read from and write to; None stores nothing.
        fresh: measure again, even if the store has the evidence.
        watch: called with the fraction of the work that is done.
        changes: fields of the statement's configuration to change.
    """
    job = statement_job(statement, seeds, first_seed, changes)
    return checked(job, out=out, fresh=fresh, watch=watch).judgement


def statement_job(
    statement: Statement[C], seeds: int | None, first_seed: int, changes: Mapping[str, object]
) -> StatementJob[C]:
    """Return the job that measures the evidence of a statement."""
    config = replace(statement.config, changes, where=statement.id)
    chosen = seed_range(statement.seeds if seeds is None else seeds, first_seed)
    return StatementJob(statement=statement, config=config, seeds=tuple(chosen))


def checked(
    job: StatementJob[C],
    *,
    out: Store | Path | str | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
) -> CheckedStatement:
    """Read the evidence of one job from the store, or measure it, and return its judgement."""
    store = as_store(out)
    if store is None:
        found = job.measure(None, watch=watch, fresh=fresh)
        return CheckedStatement(
            judgement=_judged(job, found.evidence, "computed"), seconds=found.seconds
        )
    entry = entry_of(store, job)
    with locked(entry):
        status = entry.status_if_read
        if job.remaining(entry, fresh=fresh) is not None:
            job.write(entry, job.measure(store, watch=watch, fresh=fresh))
            status = "computed"
        return from_entry(job, entry, status)


def from_entry(job: StatementJob[C], entry: Entry, status: Origin = "read") -> CheckedStatement:
    """Judge the evidence that the store has of a job."""
    about = entry.about(job.part)
    return CheckedStatement(
        judgement=_judged(job, job.evidence(entry), status),
        seconds=about.get("seconds"),
        provenance=about.get("provenance", {}),
        path=entry.path,
    )


def check_all(
    jobs: Sequence[StatementJob],
    *,
    out: Store | Path | str | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
) -> Iterator[tuple[int, CheckedStatement | Exception]]:
    """Check several jobs in parallel; yield (index, result or exception) as each ends."""
    store = as_store(out)

    def task(place: int, job: StatementJob) -> Task:
        def work(stop: Stop, report: Watch) -> CheckedStatement:
            return checked(job, out=store, fresh=fresh, watch=report)

        return Task(name=place, work=work)

    tasks = [task(place, job) for place, job in enumerate(jobs)]
    for outcome in execute(tasks, total=len(tasks), watch=watch):
        if isinstance(outcome.error, Stopped):
            raise KeyboardInterrupt
        yield outcome.task.name, outcome.error or outcome.value


def _judged(job: StatementJob[C], evidence: Evidence, status: Origin) -> Judgement:
    return judge(job.statement, job.config, evidence, len(job.seeds), status)


def to_document(judgement: Judgement) -> dict[str, object]:
    """Return the judgement as a JSON document, as the command line prints it; numbers are finite or
    null.
    """
    deciding = judgement.deciding
    return {
        "id": judgement.id,
        "kind": judgement.kind.value,
        "verdict": judgement.verdict.name if judgement.verdict else None,
        "reading": judgement.reading.name.lower(),
        "reason": judgement.reason,
        "weak": judgement.weak,
        "text": _text_document(judgement.text),
        "readings": {
            read.reading.name.lower(): {
                "verdict": read.verdict.name if read.verdict else None,
                "reason": read.reason,
                "assumptions": [
                    {**asdict(each), "factor": finite(each.factor)} for each in read.assumptions
                ],
            }
            for read in judgement.readings
        },
        "config": judgement.config,
        "parts": [_part_document(part) for part in judgement.parts],
        "constants": {
            name: {"value": finite(c.value), "ci": _interval(c.ci)}
            for name, c in judgement.constants.items()
        },
        "trends": [_trend_document(trend) for trend in judgement.trends],
        "measured": finite(deciding.measured) if deciding else None,
        "stderr": finite(deciding.stderr) if deciding else None,
        "predicted": finite(deciding.predicted) if deciding else None,
        "seeds": judgement.seeds,
        "status": judgement.status,
    }


def _trend_document(trend: Trend) -> dict[str, object]:
    numbers = {name: [finite(v) for v in getattr(trend, name)] for name in _NUMBERS}
    document = {**asdict(trend), **numbers}
    del document["constant"]
    return document


def _part_document(part: Part) -> dict[str, object]:
    return {
        "name": part.name,
        "relation": part.relation,
        "measured": finite(part.measured),
        "stderr": finite(part.stderr),
        "ci": _interval(part.ci),
        "predicted": finite(part.predicted),
        "verdict": part.verdict.name if part.verdict else None,
        "reason": part.reason,
        "readings": [each.name.lower() for each in part.readings],
        "p_value": finite(part.p_value),
        "strength": _strength_document(part.strength),
    }


def _strength_document(strength: Strength) -> dict[str, object]:
    return {
        "grade": strength.grade.value,
        "excluded": strength.excluded,
        "detectable": finite(strength.detectable),
        "sharpness": finite(strength.sharpness),
        "sharp": strength.sharp,
        "weak": strength.weak,
    }


def _text_document(text: Text) -> dict[str, object]:
    constants = [
        {**asdict(each), "role": each.role.value, "compared": each.compared()}
        for each in text.constants
    ]
    return {**asdict(text), "constants": constants}


def _interval(ci: tuple[float, float] | None) -> list[float | None] | None:
    return None if ci is None else [finite(ci[0]), finite(ci[1])]

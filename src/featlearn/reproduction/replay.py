"""Replay an archive: compute its result again, and compare the bits, or the numbers within their
errors.
"""

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from featlearn._check import InputError, require
from featlearn.experiments.named import NamedExperiment
from featlearn.experiments.run import run
from featlearn.experiments.scheduler import Watch
from featlearn.reproduction.archive import Archive, other_code
from featlearn.reproduction.catalogue import find_experiment, find_statements, target_from_file
from featlearn.reproduction.numbers import Numbers, apart, bits, numbers_of
from featlearn.reproduction.outcome import ItemOutcome, item_document
from featlearn.reproduction.reproduce import reproduce
from featlearn.results.provenance import environment, provenance
from featlearn.theory import Statement
from featlearn.theory.check import statement_job

MACHINE = ("platform", "cpu", "threads", "python")
"""What may change bits beside versions and engine. The threads are the cores that the process may
use: JAX divides a matrix product among them, and with it the order of summation."""
SAME_BITS, WITHIN_ERROR, DIFFERS = "same bits", "within error", "differs"


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """The result of comparing a replay with its archive."""

    outcome: str
    """ "same bits", "within error" or "differs"."""
    then: Numbers
    now: Numbers
    apart: dict[str, float]
    """Of every number: how far apart, in units of what is allowed."""
    elsewhere: tuple[str, ...]
    """What is not as it was: versions, processor, threads, engine."""
    code: tuple[str, ...]
    """The modules whose code is another here."""

    @property
    def sentence(self) -> str:
        """The whole comparison in one sentence."""
        where = "the same machine and versions" if not self.elsewhere else "elsewhere"
        code = "the same code" if not self.code else f"other code ({', '.join(self.code[:3])})"
        far = max(self.apart.values(), default=0.0)
        worst = (
            "" if self.outcome == SAME_BITS else f"; the farthest at {far:.2g} of what is allowed"
        )
        return f"{self.outcome}, with {code} on {where}{worst}"


def replay(
    archive: Archive,
    *,
    trust: bool = False,
    data: Path | None = None,
    watch: Watch | None = None,
) -> Replayed:
    """Compute the result in an archive again, and return how it compares.

    Args:
        archive: what was stored.
        trust: run code that came with the archive; without it such an archive is refused.
        data: folder of image files, for an item that uses them.
        watch: told the share of the work that is done.
    """
    with _target(archive, trust) as target:
        value = _computed(archive, target, data, watch)
    now = numbers_of(archive.kind, value)
    distances = apart(archive.numbers, now)
    if bits(archive.kind, value) == bits(archive.kind, archive.value):
        outcome = SAME_BITS
    else:
        outcome = WITHIN_ERROR if max(distances.values(), default=0.0) <= 1 else DIFFERS
    return Replayed(
        outcome=outcome,
        then=archive.numbers,
        now=now,
        apart=distances,
        elsewhere=tuple(_elsewhere(archive)),
        code=tuple(other_code(archive)),
    )


@contextlib.contextmanager
def _target(archive: Archive, trust: bool) -> Iterator[Any]:
    """Yield what is to be computed: an id of the catalogue or, if trusted, an object from the
    archived file.
    """
    if not archive.target:
        yield archive.id
        return
    file, _, name = archive.target.rpartition(":")
    require(
        trust,
        f"replay {archive.id}",
        "--trust, for it would run code that came with the archive",
        file,
        "Read source/own in the archive first.",
    )
    text = archive.sources.get(f"own/{file}")
    plain = Path(file).name == file and file.endswith(".py") and text is not None
    require(plain, "archive", "the text of the file that it names", repr(file))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / file).write_text(text or "", encoding="utf-8")
        yield target_from_file(f"{folder}/{file}:{name}")


def _computed(archive: Archive, target: Any, data: Path | None, watch: Watch | None) -> Any:
    if archive.kind == "run":
        chosen = find_experiment(target) if isinstance(target, str) else target
        require(isinstance(chosen, NamedExperiment), archive.id, "an experiment", "a statement")
        changes = archive.config or {}
        return run(chosen, seeds=archive.seeds, watch=watch, **changes).dataset
    if archive.kind == "evidence":
        statement = find_statements(target)[0] if isinstance(target, str) else target
        require(isinstance(statement, Statement), archive.id, "a statement", "an experiment")
        first = min(archive.seeds, default=0)
        job = statement_job(statement, len(archive.seeds), first, archive.config or {})
        return job.measure(None, watch=watch).evidence
    (outcome,) = reproduce((archive.id,), size=archive.size, data=data, watch=watch)
    assert isinstance(outcome, ItemOutcome)
    if outcome.error:
        raise InputError(f"replay {archive.id}", "an item that can be made here", outcome.error)
    return item_document(outcome)


def _elsewhere(archive: Archive) -> list[str]:
    """Return the software versions and properties of this machine that differ from those in the
    archive.
    """
    then, now = archive.provenance, provenance()
    found = [
        f"{name} {then.get(name)} then, {now[name]} here"
        for name in MACHINE
        if then.get(name) != now[name]
    ]
    for name, version in cast(dict[str, str], now["versions"]).items():
        old = (then.get("versions") or {}).get(name)
        if old != version:
            found.append(f"{name} {old} then, {version} here")
    engines = archive.environment.get("engine"), environment()["engine"]
    return found + (
        [f"engine {engines[0]} then, {engines[1]} here"] if engines[0] != engines[1] else []
    )

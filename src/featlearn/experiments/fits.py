"""Classifiers that are trained by the dozen, kept in the store: one entry a fit.

One that is done is read and not made again; one that was interrupted goes on to the same bits.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import jax
import numpy as np

from featlearn._describe import describe
from featlearn._source import sources
from featlearn.experiments.run import held
from featlearn.experiments.scheduler import Stop, Stopped, Task, Watch, execute
from featlearn.experiments.trajectory import trained
from featlearn.learners.family import Family, Fit, Job, Shape
from featlearn.results.key import ResultKey
from featlearn.results.store import Entry, Store

CHECKPOINT = "fit"


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """A family of classifiers whose members are trained here and kept in a store."""

    family: Family
    store: Store | None = None
    fresh: bool = False
    """Read none but those that were made through this very object."""
    made: set[str] = field(default_factory=set, init=False, repr=False)

    @property
    def name(self) -> str:
        """That of the family."""
        return self.family.name

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """How many numbers a member of that size has to learn."""
        return self.family.parameters(size, shape, classes)

    def fit(self, jobs: Sequence[Job], watch: Watch | None = None) -> list[Fit]:
        """Train all of them, each on one device, and give them back in the order of the jobs."""

        def task(place: int) -> Task:
            def work(stop: Stop, report: Watch) -> Fit:
                return self._one(jobs[place], stop, report)

            return Task(name=place, work=work)

        # The largest first, so that no core waits for a long one at the end.
        order = sorted(range(len(jobs)), key=lambda place: -self.family.work(jobs[place]))
        found: dict[int, Fit] = {}
        for outcome in execute(map(task, order), total=len(jobs), watch=watch):
            if outcome.error is not None:
                raise outcome.error
            found[outcome.task.name] = outcome.value
        if len(found) < len(jobs):
            raise Stopped
        return [found[place] for place in range(len(jobs))]

    def entry(self, job: Job) -> Entry:
        """Where a fit is, whether it was made or not."""
        assert self.store is not None
        described = {"of": self.family, "size": job.size, "seed": job.seed, "data": _digest(job)}
        key = ResultKey(description=describe(described), modules=sources(self.family))
        return self.store.entry(f"fit.{self.name}", key, None, "fit")

    def _one(self, job: Job, stop: Stop, report: Watch) -> Fit:
        plan = self.family.plan(job)
        if self.store is None:
            position, records = trained(plan, job.seed, None, stop, report)
            return self.family.fitted(job, position.state, records)
        entry = self.entry(job)
        with held(entry):
            known = not self.fresh or entry.address in self.made
            self.made.add(entry.address)
            if not known:
                entry.clear_partial([CHECKPOINT])
            if known and entry.has():
                report(1.0)
                value = entry.read()
            else:
                entry.require_writable()
                position, records = trained(plan, job.seed, entry.partial(CHECKPOINT), stop, report)
                leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(position.state)]
                value = {"state": leaves, "records": records}
                entry.write(value)
                entry.clear_partial([CHECKPOINT])
        like = jax.tree.structure(plan.structure(0, seed=job.seed))
        return self.family.fitted(job, jax.tree.unflatten(like, value["state"]), value["records"])


def _digest(job: Job) -> str:
    text = hashlib.sha256(repr(job.train.classes).encode())
    for name, each in (("", job.train), *job.watched.items()):
        text.update(name.encode())
        text.update(np.ascontiguousarray(each.x).data)
        text.update(np.ascontiguousarray(each.labels).data)
    if job.unlabelled is not None:
        text.update(np.ascontiguousarray(job.unlabelled).data)
    return text.hexdigest()

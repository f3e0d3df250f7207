"""Train many classifiers and keep them in the store, one entry per trained classifier (a fit).

A finished fit is read from the store and not trained again. An interrupted fit continues, and ends
with the same bits as a fit that was never interrupted.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import jax
import numpy as np

from featlearn._describe import describe
from featlearn._source import sources
from featlearn.experiments.run import locked
from featlearn.experiments.scheduler import Stop, Stopped, Task, Watch, execute
from featlearn.experiments.trajectory import trained
from featlearn.learners.family import Family, Fit, Job, Shape
from featlearn.results.key import ResultKey
from featlearn.results.store import Entry, Store

CHECKPOINT = "fit"


@dataclass(frozen=True, kw_only=True, eq=False)
class FitCache:
    """Trains classifiers of one family, and reads those that the store already has."""

    family: Family
    store: Store | None = None
    fresh: bool = False
    """Train again what the store has; fits that this object has trained are still read."""
    recomputed: set[str] = field(default_factory=set, init=False, repr=False)
    """Addresses of the entries that this object has trained again, if `fresh`."""

    @property
    def name(self) -> str:
        """The name of the family."""
        return self.family.name

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """Return the number of trained parameters of a classifier of the given size."""
        return self.family.parameters(size, shape, classes)

    def fit(self, jobs: Sequence[Job], watch: Watch | None = None) -> list[Fit]:
        """Train all jobs, each on one device, and return the fits in the order of the jobs."""

        def task(place: int) -> Task:
            def work(stop: Stop, report: Watch) -> Fit:
                return self._fit_one(jobs[place], stop, report)

            return Task(name=place, work=work)

        # Start with the largest, so that no core is idle while a long one ends alone.
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
        """Return the store's entry for the fit of a job, whether or not the fit is finished."""
        assert self.store is not None
        described = {"of": self.family, "size": job.size, "seed": job.seed, "data": _digest(job)}
        key = ResultKey(description=describe(described), modules=sources(self.family))
        return self.store.entry(f"fit.{self.name}", key, None, "fit")

    def _fit_one(self, job: Job, stop: Stop, report: Watch) -> Fit:
        plan = self.family.plan(job)
        if self.store is None:
            position, records = trained(plan, job.seed, None, stop, report)
            return self.family.as_fit(job, position.state, records)
        entry = self.entry(job)
        with locked(entry):
            known = not self.fresh or entry.address in self.recomputed
            self.recomputed.add(entry.address)
            if not known:
                entry.clear_partial([CHECKPOINT])
            if known and entry.has():
                report(1.0)
                value = entry.read()
            else:
                entry.require_writable()
                folder = entry.partial(CHECKPOINT)
                position, records = trained(plan, job.seed, folder, stop, report, alone=True)
                leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(position.state)]
                value = {"state": leaves, "records": records}
                entry.write(value)
                entry.clear_partial([CHECKPOINT])
        like = jax.tree.structure(plan.structure(0, seed=job.seed))
        return self.family.as_fit(job, jax.tree.unflatten(like, value["state"]), value["records"])


def _digest(job: Job) -> str:
    text = hashlib.sha256(repr(job.train.classes).encode())
    for name, each in (("", job.train), *job.watched.items()):
        text.update(name.encode())
        text.update(np.ascontiguousarray(each.x).data)
        text.update(np.ascontiguousarray(each.labels).data)
    if job.unlabelled is not None:
        text.update(np.ascontiguousarray(job.unlabelled).data)
    return text.hexdigest()

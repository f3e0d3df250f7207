"""Fits in the store: one that is done is read, one that was stopped goes on, a fresh one begins."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from featlearn.experiments.fits import FitCache
from featlearn.experiments.lab import Lab
from featlearn.experiments.scheduler import Stopped
from featlearn.learners.family import Fit, Job, Labelled
from featlearn.learners.fully_connected import FC
from featlearn.results.store import Store
from featlearn.training import Position


@dataclass(frozen=True)
class Counting:
    """A plan that adds the step to its state, and records it."""

    taken: list[int]
    steps: int = 6

    def structure(self, phase, *, seed):
        return {"sum": np.zeros(())}

    def train(self, *, seed, resume=None):
        step, total = (resume.step, resume.state["sum"]) if resume else (0, np.zeros(()))
        while step < self.steps:
            step, total = step + 1, total + seed + step
            self.taken.append(step)
            records = {step: {"sum": np.asarray(total)}}
            yield Position(phase=0, step=step, state={"sum": total}, records=records)


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family whose members count."""

    recipe: str = "r"
    taken: list[int] = field(default_factory=list, compare=False, metadata={"hashed": False})
    name = "Counting"

    def parameters(self, size, shape, classes):
        return size

    def plan(self, job):
        return Counting(self.taken)

    def work(self, job):
        return 1.0

    def as_fit(self, job, state, records):
        steps = np.array(sorted(records))
        sums = np.array([float(records[int(t)]["sum"]) for t in steps])
        return Fit(
            size=job.size,
            seed=job.seed,
            steps=steps,
            loss={"sum": sums},
            accuracy={"end": np.full(len(steps), float(state["sum"]))},
            probabilities=lambda x: np.zeros((len(x), 2)),
        )


@pytest.fixture
def job(rng):
    x = rng.normal(size=(8, 2, 2, 1)).astype(np.float32)
    labelled = Labelled(x=x, labels=np.arange(8) % 2, classes=2)
    return Job(size=3, seed=5, train=labelled, watched={"test": labelled})


def taken_by(learner: FitCache) -> list[int]:
    assert isinstance(learner.family, Family)
    return learner.family.taken


def go(job, store=None, *, stop_after=None, learner=None):
    """Which steps were taken, and what came out."""
    learner = learner or FitCache(family=Family(), store=store)
    taken = taken_by(learner)
    taken.clear()
    fit = learner._fit_one(job, lambda: len(taken) == stop_after, lambda share: None)
    return list(taken), fit.loss["sum"].tolist(), float(fit.accuracy["end"][0])


def test_a_stopped_fit_goes_on_to_the_same_numbers_and_a_finished_one_is_read(tmp_path, job):
    straight = go(job)
    store = Store(root=tmp_path / "store").open()
    learner = FitCache(family=Family(), store=store)
    with pytest.raises(Stopped):
        go(job, learner=learner, stop_after=2)
    assert taken_by(learner) == [1, 2]
    assert go(job, store) == ([3, 4, 5, 6], *straight[1:])
    assert go(job, store) == ([], *straight[1:])
    assert [path.name for path in store.root.glob("fit.Counting/*/*/*/")] == ["value"]


def test_a_fresh_fit_reads_only_what_was_made_beside_it(tmp_path, job):
    store = Store(root=tmp_path / "store").open()
    go(job, store)
    fresh = FitCache(family=Family(), store=store, fresh=True)
    assert [len(go(job, learner=fresh)[0]) for _ in range(2)] == [6, 0]


def test_another_recipe_seed_size_image_or_label_is_another_fit(tmp_path, job):
    x, labels = job.train.x.copy(), job.train.labels.copy()
    x[0, 0, 0, 0] += 1
    labels[0] = 1
    others = [
        replace(job, seed=6),
        replace(job, size=4),
        replace(job, unlabelled=x),
        replace(job, train=replace(job.train, x=x)),
        replace(job, train=replace(job.train, labels=labels)),
        replace(job, watched={"other": job.train}),
    ]
    store = Store(root=tmp_path / "store").open()
    learner = FitCache(family=Family(), store=store)
    places = [learner.entry(each).path for each in (job, *others)]
    places.append(FitCache(family=Family(recipe="s"), store=store).entry(job).path)
    assert len(set(places)) == len(places)


def test_fully_connected_networks_are_kept(tmp_path, job, monkeypatch):
    learner = Lab.at(tmp_path / "store").learner(FC(steps=4, batch=4, records=2))
    (first,) = learner.fit([job])
    monkeypatch.setattr("featlearn.training.loop.train", lambda *_, **__: pytest.fail("trained"))
    (second,) = learner.fit([job])
    np.testing.assert_array_equal(first.loss["test"], second.loss["test"])
    np.testing.assert_array_equal(
        first.probabilities(job.train.x), second.probabilities(job.train.x)
    )

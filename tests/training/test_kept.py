"""Fits on disk: one that is done is read, one that was stopped goes on, a fresh one begins."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from featlearn.experiments.fully_connected import FC
from featlearn.training import Position
from featlearn.training.kept import Fits, trained
from featlearn.training.learner import Job, Labelled


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


@pytest.fixture
def job(rng):
    x = rng.normal(size=(8, 2, 2, 1)).astype(np.float32)
    labelled = Labelled(x=x, labels=np.arange(8) % 2, classes=2)
    return Job(size=3, seed=5, train=labelled, watched={"test": labelled})


def go(fits, job, *, stop_after=None, recipe="r"):
    taken: list[int] = []
    stop = lambda: len(taken) == stop_after  # noqa: E731
    end, records = trained(Counting(taken), recipe, job, fits=fits, stop=stop, told=lambda _: None)
    return (
        taken,
        end.step,
        float(end.state["sum"]),
        {t: float(r["sum"]) for t, r in records.items()},
    )


def test_a_stopped_fit_goes_on_to_the_same_numbers_and_a_finished_one_is_read(tmp_path, job):
    straight = go(None, job)
    fits = Fits(folder=tmp_path)
    assert go(fits, job, stop_after=2)[:2] == ([1, 2], 2)
    assert go(fits, job) == ([3, 4, 5, 6], *straight[1:])
    assert go(fits, job) == ([], *straight[1:])
    assert len(list(tmp_path.iterdir())) == 1


def test_a_fresh_fit_reads_only_what_was_made_beside_it(tmp_path, job):
    go(Fits(folder=tmp_path), job)
    fresh = Fits(folder=tmp_path, fresh=True)
    assert [len(go(fresh, job)[0]) for _ in range(2)] == [6, 0]


def test_another_recipe_seed_size_image_or_label_is_another_fit(job):
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
    fits = Fits(folder=Path("nowhere"))
    files = [fits.file("r", each) for each in (job, *others)] + [fits.file("s", job)]
    assert len(set(files)) == len(files)


def test_fully_connected_networks_are_kept(tmp_path, job, monkeypatch):
    learner = FC(steps=4, batch=4, records=2, fits=Fits(folder=tmp_path))
    (first,) = learner.fit([job])
    monkeypatch.setattr("featlearn.training.loop.train", lambda *_, **__: pytest.fail("trained"))
    (second,) = learner.fit([job])
    np.testing.assert_array_equal(first.loss["test"], second.loss["test"])
    np.testing.assert_array_equal(
        first.probabilities(job.train.x), second.probabilities(job.train.x)
    )

"""ResNets as a family of classifiers: they learn, they are kept, they go on to the same bits."""

import numpy as np
import pytest

from featlearn.experiments.lab import Lab
from featlearn.learners.family import Job, Labelled, Learner
from featlearn.learners.resnet.family import ResNets
from featlearn.learners.resnet.filters import gradient_cosines
from featlearn.results.checkpoint import Checkpoint

torch = pytest.importorskip("torch", reason="ResNets need the extra `vision`")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Tiny products on a busy machine: two threads would wait for each other most of the time."""
    torch.set_num_threads(1)


@pytest.fixture
def bright_or_dark(rng):
    labels = rng.integers(0, 2, size=48)
    x = rng.normal(size=(48, 8, 8, 1)) + 2 * (2 * labels - 1)[:, None, None, None]
    return Labelled(x=x.astype(np.float32), labels=labels, classes=2)


def job(labelled, **more):
    return Job(size=1, seed=0, train=labelled, watched={"all": labelled}, **more)


def test_it_learns_what_is_easy_and_says_how_it_went(bright_or_dark):
    learner = Lab().learner(ResNets(epochs=6, batch=8, eta=0.05, records=3))
    assert isinstance(learner, Learner)
    (fit,) = learner.fit([job(bright_or_dark)])
    assert fit.steps[-1] == 36
    assert fit.accuracy["all"][-1] > 0.9
    f = fit.probabilities(bright_or_dark.x)
    np.testing.assert_allclose(f.sum(axis=1), 1)
    own = f[np.arange(48), bright_or_dark.labels]
    assert -np.log(own).mean() == pytest.approx(fit.loss["all"][-1], rel=1e-4)
    assert (fit.labels(bright_or_dark.x) == bright_or_dark.labels).mean() == fit.accuracy["all"][-1]


def test_an_interrupted_fit_goes_on_to_the_same_bits_and_a_finished_one_is_read(
    bright_or_dark, tmp_path, rng, monkeypatch
):
    others = rng.normal(size=(20, 8, 8, 1)).astype(np.float32)
    family = ResNets(epochs=2, batch=8, eta=0.05, records=3)
    task = job(bright_or_dark, unlabelled=others)
    plan = family.plan(task)
    kept = []
    for position in plan.train(seed=0, chunk_seconds=0):
        Checkpoint(tmp_path / str(position.step)).save(position, {})
        kept.append(position.step)
    found = Checkpoint(tmp_path / "5").load(lambda phase: plan.structure(phase, seed=0))
    assert found is not None
    assert kept[-1] == plan.steps == 12
    *_, last = plan.train(seed=0, resume=found[0])
    Checkpoint(tmp_path / "again").save(last, {})
    straight, resumed = (tmp_path / name / "state.npz" for name in ("12", "again"))
    assert straight.read_bytes() == resumed.read_bytes()
    learner = Lab.at(tmp_path / "store").learner(family)
    (first,) = learner.fit([task])

    def never(*_, **__):
        pytest.fail("trained again")

    monkeypatch.setattr(type(plan), "train", never)
    (second,) = learner.fit([task])
    np.testing.assert_array_equal(first.loss["all"], second.loss["all"])


def test_gradients_that_agree_have_cosine_one_and_opposite_ones_minus_one():
    v = np.array([[1.0, 2.0, 0.0]])
    same = gradient_cosines(np.stack([v, 2 * v, 3 * v]).astype(np.float32))
    np.testing.assert_allclose(same, np.ones((1, 6)), rtol=1e-6)
    mixed = gradient_cosines(np.stack([v, -v, 3 * v]).astype(np.float32))
    np.testing.assert_allclose(mixed, [[1, -1, 1, -1, 1, -1]], rtol=1e-6)

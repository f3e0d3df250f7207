"""Algorithm 1 asks a learner for fits and nothing else; its rule, its mixture, its outcome."""

from dataclasses import dataclass

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.learners.family import Fit, Labelled, Learner
from featlearn.learners.fully_connected import FC
from featlearn.learners.teacher_student import (
    Task,
    classical_minimum,
    mixture,
    relabelled,
    teacher_and_student,
    verification,
)
from featlearn.papers.shi2022.injected import lagging, study_figure, study_rows


@dataclass(frozen=True)
class Known:
    """A learner whose losses are known: a U at 3, and a student that is good on bright inputs."""

    name: str = "Known"

    def parameters(self, size, shape, classes):
        return size

    def fit(self, jobs, watch=None):
        return [self._fit(job) for job in jobs]

    def _fit(self, job):
        loss = {1: 2.0, 2: 1.0, 3: 0.5, 5: 0.9, 9: 0.4}[job.size]
        ends = {name: 0.9 if name == "real" else 0.6 for name in job.watched}
        return Fit(
            size=job.size,
            seed=job.seed,
            steps=np.array([0, 1, 10]),
            loss={name: np.array([3.0, 2.0, loss]) for name in job.watched},
            accuracy={
                name: np.array([0.1, 0.85 if name == "real" else 0.2, end])
                for name, end in ends.items()
            },
            probabilities=lambda x: np.eye(2)[(x.mean(axis=(1, 2, 3)) > 0).astype(int)],
        )


@pytest.fixture
def task(rng):
    x = rng.normal(size=(40, 2, 2, 1)).astype(np.float32)
    labelled = Labelled(x=x, labels=(x.sum(axis=(1, 2, 3)) > 0).astype(int), classes=2)
    other = rng.normal(size=x.shape).astype(np.float32)
    return Task(labelled=labelled, held_out=labelled, injected=other, injected_held_out=other)


def test_the_minimum_of_the_first_u_is_taken_though_a_later_one_is_lower():
    sizes = (1, 3, 9, 12, 15, 50)
    assert classical_minimum(sizes, np.array([2, 1, 0.50, 0.51, 0.53, 0.1])) == (9, True)


def test_a_rise_within_five_per_cent_is_no_u():
    assert classical_minimum((1, 3, 9), np.array([1.0, 1.04, 0.9])) == (9, False)
    assert classical_minimum((1, 3, 9), np.array([1.0, 1.06, 0.9])) == (1, True)


def test_a_mixture_has_its_share_and_the_labels_of_the_teacher(task):
    (teacher,) = Known().fit([_job(task)])
    parts = mixture(teacher, task.labelled.x, task.injected, 0.25, 2)
    assert {name: len(each) for name, each in parts.items()} == {
        "real": 30,
        "injected": 10,
        "whole": 40,
    }
    whole = parts["whole"]
    np.testing.assert_array_equal(whole.labels, teacher.labels(whole.x))
    with pytest.raises(InputError):
        mixture(teacher, task.labelled.x, task.injected, 1.0, 2)


def _job(task):
    from featlearn.learners.family import Job

    return Job(size=3, seed=0, train=task.labelled, watched={"test": task.held_out})


def test_all_steps_with_a_learner_that_is_known(task):
    learner = Known()
    assert isinstance(learner, Learner)
    shares: list[float] = []
    study = teacher_and_student(
        learner, task, sizes=(1, 2, 3, 5, 9), student=5, seeds=2, watch=shares.append
    )
    assert (study.sweep.chosen, study.sweep.u_shaped) == (3, True)
    assert {fit.size for fit in study.teachers} == {3}
    assert {fit.size for fit in study.students} == {5}
    assert study.ends("injected").tolist() == [0.6, 0.6]
    # At step 1 the real part has .75 of its .8 and the injected one .1 of its .5: on straight lines
    # the first has 90 % at 24/25 of the way, where the second has 24/25 of 20 %.
    np.testing.assert_allclose(lagging(study), [19.2, 19.2])


def test_parts_that_are_learned_alike_lag_by_nothing(task):
    study = teacher_and_student(Known(), task, sizes=(2, 3, 5), student=5, seeds=2)
    for fit in study.students:
        fit.accuracy["injected"][:] = fit.accuracy["real"] / 2
    np.testing.assert_allclose(lagging(study), [90, 90])


def test_a_part_that_gains_nothing_is_neither_slow_nor_fast(task):
    study = teacher_and_student(Known(), task, sizes=(2, 3, 5), student=5, seeds=2)
    study.students[0].accuracy["real"][:] = 0.97
    study.students[1].accuracy["injected"][-1] = 0
    assert np.isnan(lagging(study)).all()
    row = study_rows(study, item="i", label="l", recipe="r", size="s", clear=True)[-1]
    assert (row.measured, row.status) == (None, "cannot tell")
    assert "a part gained nothing in 2 of 2 seeds" in row.why


@pytest.mark.parametrize(("clear", "judged", "outcome"), [(True, True, "agrees"),
                         (True, False, "not run"), (False, True, "no claim")])  # fmt: skip
def test_the_trend_is_judged_only_where_the_paper_sees_one_on_its_own_data(
    task, clear, judged, outcome
):
    study = teacher_and_student(Known(), task, sizes=(2, 3, 5), student=5, seeds=2)
    rows = study_rows(study, item="i", label="l", recipe="r", size="s", clear=clear, run=judged)
    assert [row.status for row in rows[-2:]] == [outcome] * 2
    assert {row.status for row in rows[:-2]} == {"no claim"}
    assert len(study_figure(study, identity="f", title="t", name="FC").panels) == 2


def test_a_student_that_is_worse_on_the_real_part_differs(task):
    study = teacher_and_student(Known(), task, sizes=(2, 3, 5), student=5, seeds=2)
    for fit in study.students:
        fit.accuracy["real"][-1] = 0.3
    rows = study_rows(study, item="i", label="l", recipe="r", size="s", clear=True)
    assert rows[-2].status == "differs"


def test_seeds_that_do_not_agree_leave_the_trend_open(task):
    study = teacher_and_student(Known(), task, sizes=(2, 3, 5), student=5, seeds=2)
    study.students[0].accuracy["real"][-1] = 0.5
    rows = study_rows(study, item="i", label="l", recipe="r", size="s", clear=True)
    assert rows[-2].status == "cannot tell"


@pytest.mark.slow
def test_fully_connected_networks_are_such_learners(task):
    learner = FC(steps=30, batch=10, records=3)
    assert isinstance(learner, Learner)
    assert learner.parameters(9, (28, 28, 1), 10) == 7165
    study = teacher_and_student(learner, task, sizes=(2, 3), student=3, seeds=1)
    f = study.teachers[0].probabilities(task.injected)
    np.testing.assert_allclose(f.sum(axis=1), 1, atol=1e-5)
    found = verification(learner, task, teachers=(2,), sizes=(2, 3), seeds=1)
    assert found[2].losses.shape == (1, 2)
    labels = relabelled(study.teachers[0], task.injected, 2).labels
    assert set(labels) <= {0, 1}

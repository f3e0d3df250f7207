"""A teacher that has learned nothing judges nothing."""

import numpy as np
import pytest

from featlearn.learners.family import Fit
from featlearn.learners.teacher_student import SizeSweep, Study
from featlearn.papers.shi2022.injected import study_rows, weak_teacher
from featlearn.results.ledger import RowKind, Status


def fit(**ends: float) -> Fit:
    curves = {part: np.array([0.1, end / 2, end]) for part, end in ends.items()}
    steps = np.arange(3)
    return Fit(size=9, seed=0, steps=steps, loss={}, accuracy=curves, probabilities=np.asarray)


def study(right: float, same: float) -> Study:
    """A study whose students learn the real part better, with teachers of this quality."""
    one = np.array([[0.5]])
    return Study(
        sweep=SizeSweep(
            sizes=(9,), parameters=(1,), losses=one, accuracies=one, chosen=9, u_shaped=True
        ),
        teachers=(fit(test=right),) * 3,
        students=tuple(fit(real=0.9 + 0.01 * i, injected=0.5, whole=0.7) for i in range(3)),
        originals=(fit(real=0.9),) * 3,
        alpha=0.5,
        balance=np.array([same] * 3),
    )


@pytest.mark.parametrize(
    ("right", "same", "weak"), [(0.95, 0.3, False), (0.35, 0.3, True), (0.95, 0.97, True)]
)
def test_conclusions_are_drawn_under_good_teachers_only(right, same, weak):
    one = study(right, same)
    assert bool(weak_teacher(one)) == weak
    rows = study_rows(one, item="shi2022.figure-22", label="x", recipe="r", size="full", clear=True)
    better = next(row for row in rows if row.kind is RowKind.CONCLUSION)
    assert better.status is (Status.CANNOT_TELL if weak else Status.AGREES)
    assert ("the teachers" in better.why) == weak

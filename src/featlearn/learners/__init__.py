"""Families of classifiers, FC(m) and ResNet(m), and algorithm 1 of Shi, Wei & Liang (2022)."""

from featlearn.learners.family import Family as Family
from featlearn.learners.family import Fit as Fit
from featlearn.learners.family import Job as Job
from featlearn.learners.family import Labelled as Labelled
from featlearn.learners.family import Learner as Learner
from featlearn.learners.fully_connected import FC as FC
from featlearn.learners.teacher_student import SizeSweep as SizeSweep
from featlearn.learners.teacher_student import Study as Study
from featlearn.learners.teacher_student import Task as Task
from featlearn.learners.teacher_student import teacher_and_student as teacher_and_student

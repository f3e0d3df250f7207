r"""Algorithm 1 of Shi, Wei & Liang (2022, appendix E.5): does the structure of the input matter?

    L   labelled inputs, such as MNIST          U   other inputs, such as Gaussians, without labels
    m   size of a classifier: FC(m), ResNet(m)  alpha   share of U in a mixture

1. Train classifiers of all sizes on L. Their test loss against m falls, rises, and falls again: the
   teacher has the size at the minimum of the first U, where size still measures complexity.
2. Train that teacher on L with R1 + lambda R2 on U, so that it uses all classes on U.
3. Mix (1 - alpha) of L with alpha of U, and let the teacher label all of it, L too.
4. Train a student on the mixture. It should learn the part from L faster and better than U.

The paper leaves the choice of step 1 to the eye; here a rule makes it. Let l(m) be the mean test
loss over seeds at the end of training. The classical regime ends at the first size at which l is
more than 5 % above its least value so far; the teacher has the size of that least value. If l never
rises so much, there is no U within the sizes that were tried: then the size of the least value is
taken, and `u_shaped` is False.

This module does not depend on how a classifier is trained, which is the task of the learner
(`learners.family`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.learners.family import Fit, Inputs, Job, Labelled, Learner, Watch

Others = Float[np.ndarray, "others height width channels"]
"""Inputs with a length of their own, beside other inputs."""
RISE = 0.05
"""The classical regime ends when the loss has risen above its least value by this share."""
PARTS = ("real", "injected", "whole")


@dataclass(frozen=True, kw_only=True, eq=False)
class SizeSweep:
    """The test losses of classifiers of all sizes, and the size that the rule of step 1 chooses."""

    sizes: tuple[int, ...]
    parameters: tuple[int, ...]
    losses: Float[np.ndarray, "seeds sizes"]
    accuracies: Float[np.ndarray, "seeds sizes"]
    chosen: int
    u_shaped: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """The result of algorithm 1: the sweep, and one teacher and one student per seed."""

    sweep: SizeSweep
    teachers: tuple[Fit, ...]
    students: tuple[Fit, ...]
    """The students; they are watched on the parts of the mixture, labelled by the teacher."""
    originals: tuple[Fit, ...]
    """Classifiers of the student's size trained on L with its own labels; they are watched on
    "real"."""
    alpha: float
    balance: Float[np.ndarray, " seeds"]
    """The share of the most frequent label that the teacher gives on U."""

    def ends(self, part: str) -> Float[np.ndarray, " seeds"]:
        """Return the accuracy of the students on one part of the mixture at the end of training."""
        return np.array([fit.accuracy[part][-1] for fit in self.students])


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """The data of algorithm 1: L and U, each with points that training does not see."""

    labelled: Labelled
    held_out: Labelled
    injected: Inputs
    injected_held_out: Others

    def __post_init__(self) -> None:
        shape, other = self.labelled.x.shape[1:], self.injected.shape[1:]
        require(shape == other, "Task(injected)", f"inputs of shape {shape}", other)


def classical_minimum(
    sizes: Sequence[int], losses: Float[np.ndarray, " sizes"], rise: float = RISE
) -> tuple[int, bool]:
    """Return the size at the minimum of the first U of the test loss, and whether there is a U.

    Example:
        >>> classical_minimum((1, 3, 9, 20, 50), np.array([2.0, 0.9, 0.5, 0.8, 0.4]))
        (9, True)
        >>> classical_minimum((1, 3, 9), np.array([2.0, 0.9, 0.5]))
        (9, False)
    """
    best = 0
    for place, loss in enumerate(losses):
        if loss < losses[best]:
            best = place
        elif loss > (1 + rise) * losses[best]:
            return sizes[best], True
    return sizes[best], False


def sweep_sizes(
    learner: Learner,
    sizes: Sequence[int],
    seeds: int,
    labelled: Callable[[int], Labelled],
    held_out: Callable[[int], Labelled],
    watch: Watch | None = None,
) -> SizeSweep:
    """Carry out step 1: train classifiers of all sizes with all seeds; return their test losses.

    The data may depend on the seed, as the labels of a teacher do.
    """
    jobs = [
        Job(size=size, seed=seed, train=labelled(seed), watched={"test": held_out(seed)})
        for seed in range(seeds)
        for size in sizes
    ]
    fits = learner.fit(jobs, watch)
    losses = np.array([fit.loss["test"][-1] for fit in fits]).reshape(seeds, len(sizes))
    right = np.array([fit.accuracy["test"][-1] for fit in fits]).reshape(seeds, len(sizes))
    chosen, u_shaped = classical_minimum(sizes, losses.mean(axis=0))
    shape, classes = jobs[0].train.shape, jobs[0].train.classes
    return SizeSweep(
        sizes=tuple(sizes),
        parameters=tuple(learner.parameters(size, shape, classes) for size in sizes),
        losses=losses,
        accuracies=right,
        chosen=chosen,
        u_shaped=u_shaped,
    )


def train_teachers(
    learner: Learner, task: Task, size: int, seeds: int, watch: Watch | None = None
) -> tuple[Fit, ...]:
    """Carry out step 2: train teachers of one size on L, with the penalty R1 + lambda R2 on U."""
    jobs = [
        Job(
            size=size,
            seed=seed,
            train=task.labelled,
            watched={"test": task.held_out},
            unlabelled=task.injected,
        )
        for seed in range(seeds)
    ]
    return tuple(learner.fit(jobs, watch))


def relabelled(teacher: Fit, x: Inputs, classes: int) -> Labelled:
    """Return the inputs with the labels that the teacher gives them."""
    return Labelled(x=x, labels=teacher.labels(x), classes=classes)


def mixture(
    teacher: Fit, real: Inputs, injected: Others, alpha: float, classes: int
) -> dict[str, Labelled]:
    """Carry out step 3: mix real and injected inputs; a share `alpha` of the mixture is injected.

    The mixture is as large as the smaller of the two arrays. The result has both parts and the
    whole. The first inputs of both arrays are taken; training shuffles them.
    """
    require(0 < alpha < 1, "mixture(alpha)", "a share between 0 and 1", alpha)
    total = min(len(real), len(injected))
    n_injected = round(alpha * total)
    kept, added = real[: total - n_injected], injected[:n_injected]
    parts = {"real": kept, "injected": added, "whole": np.concatenate([kept, added])}
    return {name: relabelled(teacher, x, classes) for name, x in parts.items()}


def teacher_and_student(
    learner: Learner,
    task: Task,
    *,
    sizes: Sequence[int],
    student: int,
    alpha: float = 0.5,
    seeds: int = 2,
    sweep: SizeSweep | None = None,
    watch: Watch | None = None,
) -> Study:
    """Carry out all four steps of algorithm 1 for some seeds; return the sweep and all networks.

    Args:
        learner: the family of classifiers and its way of training.
        task: L and U.
        sizes: the sizes of teacher to try, increasing.
        student: the size of the students.
        alpha: the share of U in the mixture.
        seeds: the number of seeds; each has its own teacher and its own student.
        sweep: the result of step 1, if it is already known.
        watch: called with the fraction of the work that is done.
    """
    classes = task.labelled.classes
    stages = _stages(watch, 0.6, 0.1, 0.2, 0.1)
    if sweep is None:
        sweep = sweep_sizes(
            learner, sizes, seeds, lambda seed: task.labelled, lambda seed: task.held_out, stages[0]
        )
    teachers = train_teachers(learner, task, sweep.chosen, seeds, stages[1])
    jobs, balance = [], []
    for seed, teacher in enumerate(teachers):
        train = mixture(teacher, task.labelled.x, task.injected, alpha, classes)
        watched = mixture(teacher, task.held_out.x, task.injected_held_out, alpha, classes)
        jobs.append(Job(size=student, seed=seed, train=train["whole"], watched=watched))
        counts = np.bincount(teacher.labels(task.injected), minlength=classes)
        balance.append(counts.max() / counts.sum())
    students = tuple(learner.fit(jobs, stages[2]))
    originals = learner.fit(
        [
            Job(size=student, seed=seed, train=task.labelled, watched={"real": task.held_out})
            for seed in range(seeds)
        ],
        stages[3],
    )
    return Study(
        sweep=sweep,
        teachers=teachers,
        students=students,
        originals=tuple(originals),
        alpha=alpha,
        balance=np.array(balance),
    )


def verification(
    learner: Learner,
    task: Task,
    *,
    teachers: Sequence[int],
    sizes: Sequence[int],
    seeds: int = 2,
    watch: Watch | None = None,
) -> dict[int, SizeSweep]:
    """Return, for each size of teacher, the test losses on U alone of students of all sizes.

    This is figure 26 of the paper.
    """
    stages = _stages(watch, *[1 / len(teachers)] * len(teachers))
    classes, found = task.labelled.classes, {}
    for size, stage in zip(teachers, stages, strict=True):
        fitted = train_teachers(learner, task, size, seeds)
        train = [relabelled(fit, task.injected, classes) for fit in fitted]
        test = [relabelled(fit, task.injected_held_out, classes) for fit in fitted]
        found[size] = sweep_sizes(learner, sizes, seeds, train.__getitem__, test.__getitem__, stage)
    return found


def _stages(watch: Watch | None, *shares: float) -> list[Watch | None]:
    """Return one progress callback for each stage of the work.

    `shares` are the shares of the total work that the stages have.
    """

    def stage(before: float, share: float) -> Watch:
        return lambda done: watch(before + share * done) if watch else None

    if watch is None:
        return [None] * len(shares)
    return [stage(sum(shares[:place]), share) for place, share in enumerate(shares)]

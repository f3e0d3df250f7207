"""Figures 4 (a), 22 (a) and 25: a student on MNIST mixed with Gaussians, by algorithm 1.

The teacher's size comes out of the rule in `learners.teacher_student`; the paper's is FC(9).
Students FC(9), for which the paper sees no significant trend, and FC(50), for which it sees one.
The other panels of figures 4 and 22 are ResNets.
"""

from featlearn.learners.teacher_student import teacher_and_student
from featlearn.papers.shi2022.injected import one_number, study_figure, study_rows
from featlearn.papers.shi2022.mnist_study import FILES, setting, task
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell
from featlearn.results.ledger import Printed, Row, Status

ID = "shi2022.figure-4"
STUDENTS = {9: "figure-4", 50: "figure-25"}
PAPER = Printed(value=9.0, sd=0.0, resolve=1.0)
"""The paper's teacher is FC(9)."""


def reproduce(context: Context) -> Reproduction:
    """The sweep of teachers, then both students."""
    chosen = setting(context)
    given, sweep = task(context, chosen), None
    recipe, size = chosen.recipe, f"{context.size}, {chosen.images} images"
    rows: list[Row] = []
    figures = []
    for student, figure in STUDENTS.items():
        study = teacher_and_student(
            chosen.learner,
            given,
            sizes=chosen.sizes,
            student=student,
            seeds=chosen.seeds,
            sweep=sweep,
            watch=context.watch,
        )
        if sweep is None:
            sweep = study.sweep
            teacher, u_shaped = sweep.chosen, sweep.u_shaped
            accuracy = sum(fit.accuracy["test"][-1] for fit in study.teachers) / chosen.seeds
            seen = "a U and its minimum" if u_shaped else "no U within the sizes tried"
            why = f"{seen}; the teachers have {100 * accuracy:.1f} % test accuracy, and give "
            why += f"{100 * study.balance.mean():.0f} % of the Gaussians their most frequent label"
            rows.append(
                cell(
                    context,
                    ID,
                    "size of the teacher, by the rule",
                    one_number(teacher, chosen.seeds),
                    PAPER,
                    status=None if chosen.whole else Status.NOT_RUN,
                    recipe=recipe,
                    size=size,
                    why="; ".join(filter(None, (chosen.about, why))),
                )
            )
        rows += study_rows(
            study,
            item=ID,
            label=f"student FC({student})",
            recipe=recipe,
            size=size,
            clear=student == 50,
            run=chosen.dataset == "mnist",
            why=chosen.about,
        )
        figures.append(
            study_figure(
                study,
                identity=f"shi2022.{figure}",
                title=f"Real inputs and Gaussians with one labelling: student FC({student})",
                name="FC",
            )
        )
    return Reproduction(rows=tuple(rows), figures=tuple(figures))


ITEM = Item(
    id=ID,
    title="MNIST mixed with Gaussians: the student learns the real part better (also figure 25)",
    reproduce=reproduce,
    references=("shi2022",),
    data=FILES,
)

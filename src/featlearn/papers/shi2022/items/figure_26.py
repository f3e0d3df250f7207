"""Figure 26: does the teacher's size measure how hard its labels are on Gaussians?

Students of all sizes are trained on Gaussians that a teacher has labelled. The paper: with the
teacher FC(9) of algorithm 1 the students' U has its minimum at about the same size as the teachers'
on MNIST; with FC(50) and FC(500) it lies farther right.
"""

from dataclasses import replace

from featlearn.figures.record import Figure
from featlearn.learners.teacher_student import verification
from featlearn.papers.shi2022.injected import one_number, sweep_panel
from featlearn.papers.shi2022.mnist_study import FILES, setting, task
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import Status

ID = "shi2022.figure-26"
TEACHERS = {9: "roughly that of the teachers on MNIST, 9", 50: "larger", 500: "larger still"}


def reproduce(context: Context) -> Reproduction:
    """A curve for each teacher."""
    chosen = setting(context)
    teachers = list(TEACHERS)
    sizes = tuple(size for size in chosen.sizes if size >= 3)
    chosen = replace(chosen, seeds=1 if context.quick else 2)
    found = verification(
        chosen.learner,
        task(context, chosen),
        teachers=teachers,
        sizes=sizes,
        seeds=chosen.seeds,
        watch=context.watch,
    )
    smallest = found[teachers[0]].chosen
    rows, panels = [], []
    for teacher, sweep in found.items():
        moved = sweep.chosen > smallest if teacher != 9 else 5 <= sweep.chosen <= 15
        shape = "a U and its minimum" if sweep.u_shaped else "no U within the sizes tried"
        best = 100 * sweep.accuracies.mean(axis=0).max()
        rows.append(
            conclusion(
                context,
                ID,
                f"size at the minimum of the students' U, teacher FC({teacher})",
                one_number(sweep.chosen, chosen.seeds),
                TEACHERS[teacher],
                bool(moved) if chosen.whole else Status.NOT_RUN,
                recipe=chosen.recipe,
                size=f"{context.size}, {chosen.images} images",
                why="; ".join(filter(None, (shape, f"best accuracy {best:.1f} %", chosen.about))),
            )
        )
        panels.append(sweep_panel(sweep, "FC", f"teacher FC({teacher})"))
    figure = Figure(
        id=ID,
        title="Students on Gaussians that a teacher has labelled",
        caption="Test loss against the student's size; the minimum of the first U is marked.",
        panels=tuple(panels),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,))


ITEM = Item(
    id=ID,
    title="Students on labelled Gaussians: the U moves with the size of the teacher",
    reproduce=reproduce,
    references=("shi2022",),
    data=FILES,
)

r"""Figure 4: the histograms of figure 3 with alpha = 1e-16, on the runs of figure 1 (right).

Times: the start, when every label is fitted and nothing understood, and two later ones.
"""

from featlearn._config import fields
from featlearn.papers.xu2023.items.figure_1 import trained
from featlearn.papers.xu2023.items.figure_3 import drawing, rows
from featlearn.papers.xu2023.ledger import scope_note
from featlearn.papers.xu2023.setting import REFERENCES
from featlearn.reproduction.item import Context, Item, Reproduction

WANTED = (0, 100, 1000, 10_000)
"""About these; the nearest that are recorded are taken."""


def reproduce(context: Context) -> Reproduction:
    """Train, compare, draw."""
    result = trained(context)[1]
    steps = result.dataset["step"].values
    times = tuple(int(steps[abs(steps - t).argmin()]) for t in WANTED)
    return Reproduction(
        rows=tuple(rows(context, "figure-4", result.dataset, times)),
        figures=(drawing("xu2023-figure-4", "The same with a small step", result.dataset, times),),
        notes=(scope_note("Figure 4's setting", result.config),),
        config=fields(result.config),
    )


ITEM = Item(
    id="xu2023.figure-4",
    title="The same with a small step",
    reproduce=reproduce,
    references=REFERENCES,
)

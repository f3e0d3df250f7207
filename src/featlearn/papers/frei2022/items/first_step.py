r"""The first step against the dimension: correlations go like d^-1/2 before, d^0 after.

Lemma 12 as a law of scaling: with sigma sqrt d, omega sqrt(md) and n fixed, the mean of
|<w_j, mu>|/||w_j|| over the neurons is sqrt(2/(pi d)) at the start and a constant after one step.
The paper has no such figure.
"""

import numpy as np

from featlearn._config import fields
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.papers.frei2022.items.amplification import HALF_NORMAL, own_correlation
from featlearn.papers.frei2022.setting import CLUSTERS, REFERENCES
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell
from featlearn.results.ledger import Printed

DIMENSIONS = {"quick": (250, 1000, 4000), "full": (250, 500, 1000, 2000, 4000, 8000)}
TOLERANCE = 0.05


def slopes(d: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Least-squares slope of log values against log d, one a seed; values are (sizes, seeds)."""
    u = np.log(d) - np.log(d).mean()
    return np.asarray((u @ np.log(values)) / (u @ u))


def reproduce(context: Context) -> Reproduction:
    """One step at every dimension."""
    dimensions = np.array(DIMENSIONS["quick" if context.quick else "full"], float)
    before, after = [], []
    for d in dimensions:
        result = context.lab.run(
            CLUSTERS,
            seeds=2 if context.quick else 5,
            watch=context.watch,
            d=int(d),
            steps=1,
            width=400,
            test=100,
        )
        before.append(abs(own_correlation(result.dataset, 0)).mean("neuron").values)
        after.append(abs(own_correlation(result.dataset, 1)).mean("neuron").values)
    found = {"before": np.array(before, float), "after": np.array(after, float)}
    rows = tuple(
        cell(
            context,
            ITEM.id,
            f"slope of log |correlation| against log d {name} the first step",
            slopes(dimensions, found[name]),
            Printed(value=predicted, sd=0.0, allowed=TOLERANCE, reason="an order of growth"),
            why=f"d from {dimensions[0]:g} to {dimensions[-1]:g}",
        )
        for name, predicted in (("before", -0.5), ("after", 0.0))
    )
    return Reproduction(
        rows=rows, figures=(drawing(dimensions, found),), config=fields(CLUSTERS.config)
    )


def drawing(d: np.ndarray, found: dict[str, np.ndarray]) -> Figure:
    """Both against d, with the law of a random direction."""
    series = [
        over_seeds(label, d, found[name].T, role=role)
        for name, label, role in (
            ("after", "after one step", "network"),
            ("before", "at the start", "random-features"),
        )
    ]
    law = Series(name="√(2/πd)", x=d, y=HALF_NORMAL / np.sqrt(d), role="paper")
    return Figure(
        id="frei2022-first-step",
        title="The first step against the dimension",
        caption="Mean over the neurons of the correlation with the nearer centre of their label; "
        "bands from the least to the largest seed. One step makes it independent of d.",
        panels=(
            Panel(
                x=Axis(label="d", scale="log"),
                y=Axis(label="mean |correlation|", scale="log", limits=(0.005, 1.0)),
                series=(*series, law),
            ),
        ),
    )


ITEM = Item(
    id="frei2022.first-step",
    title="Amplification by the first step against the dimension",
    reproduce=reproduce,
    references=REFERENCES,
)

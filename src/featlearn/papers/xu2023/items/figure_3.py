r"""Figure 3: histograms of <w_j, mu1> and <w_j, mu2> over the positive neurons, all runs together.

The paper shows t = 0, 1 and later times that its text does not name; ours are 0, 1, 3 and 15. Their
widths are compared as a number: the root mean square of <w, mu1> over that of <w, mu2>.
"""

import numpy as np
import xarray as xr

from featlearn._config import fields
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.xu2023.items.figure_2 import fifteen
from featlearn.papers.xu2023.ledger import scope_note
from featlearn.papers.xu2023.setting import REFERENCES
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion
from featlearn.results.ledger import Printed, Row, ours, side_of

TIMES = (0, 1, 3, 15)
SAME = Printed(value=1.0, sd=0.0, allowed=0.2, reason="“nearly the same”")
BINS = 81


def positive(dataset: xr.Dataset, t: int) -> tuple[np.ndarray, np.ndarray]:
    """<w_j, mu1> and <w_j, mu2> of the positive neurons at t, over all runs."""
    at = dataset.sel(step=t)
    along = at["projection"].transpose("direction", "seed", "neuron").values.astype(float)
    chosen = at["a"].transpose("seed", "neuron").values > 0
    return along[0][chosen], along[1][chosen]


def widths(dataset: xr.Dataset, t: int) -> np.ndarray:
    """Root mean square of <w, mu1> over that of <w, mu2>, positive neurons, one number a run."""
    return np.array(
        [
            np.sqrt(np.mean(first**2) / np.mean(second**2))
            for seed in range(dataset.sizes["seed"])
            for first, second in [positive(dataset.isel(seed=[seed]), t)]
        ]
    )


def rows(context: Context, item: str, dataset: xr.Dataset, times: tuple[int, ...]) -> list[Row]:
    """The same at first, wider along mu1 at the end."""
    early = {t: widths(dataset, t) for t in times[:2]}
    last = widths(dataset, times[-1])
    return [
        *(
            cell(
                context,
                f"xu2023.{item}",
                f"width along μ1 over that along μ2, t = {t}",
                values,
                SAME,
                why=f"single runs from {values.min():.2f} to {values.max():.2f}",
            )
            for t, values in early.items()
        ),
        conclusion(
            context,
            f"xu2023.{item}",
            f"width along μ1 over that along μ2, t = {times[-1]}",
            last,
            "much more aligned",
            side_of(ours(last), 2.0),
            why="“they become significantly more aligned with ±μ1”, read as twice",
        ),
    ]


def drawing(identity: str, title: str, dataset: xr.Dataset, times: tuple[int, ...]) -> Figure:
    """A panel a time, both directions in it."""
    panels = []
    for t in times:
        first, second = (1000 * values for values in positive(dataset, t))
        reach = float(np.quantile(np.abs(np.concatenate([first, second])), 0.999)) * 1.05
        edges = np.linspace(-reach, reach, BINS)
        middle = (edges[:-1] + edges[1:]) / 2
        series = tuple(
            Series(
                name=name,
                x=middle,
                y=np.histogram(values, edges)[0] / len(values),
                role=role,
                kind="steps",
            )
            for name, values, role in (
                ("⟨w, μ_{1}⟩", first, "+mu1"),
                ("⟨w, μ_{2}⟩", second, "+mu2"),
            )
        )
        panels.append(
            Panel(
                x=Axis(label="thousandths of α‖μ‖^{2}"),
                y=Axis(label="share of neurons"),
                series=series,
                title=f"t = {t}",
            )
        )
    return Figure(
        id=identity,
        title=title,
        caption=f"Projections of the positive neurons of {dataset.sizes['seed']} runs.",
        panels=tuple(panels),
    )


def reproduce(context: Context) -> Reproduction:
    """Train, compare, draw."""
    result = fifteen(context, 8, 100)
    return Reproduction(
        rows=tuple(rows(context, "figure-3", result.dataset, TIMES)),
        figures=(
            drawing("xu2023-figure-3", "Positive neurons turn to ±μ1", result.dataset, TIMES),
        ),
        notes=(scope_note("Figure 3's setting", result.config),),
        config=fields(result.config),
    )


ITEM = Item(
    id="xu2023.figure-3",
    title="Projections of positive neurons on the two directions",
    reproduce=reproduce,
    references=REFERENCES,
)

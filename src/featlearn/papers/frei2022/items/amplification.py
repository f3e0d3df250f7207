r"""Amplification in one step: the correlations of all neurons with their centres at t = 0, 1 and T.

At a random start <w_j, mu>/||w_j|| is near N(0, 1/d); lemma 12 says that one step takes it to order
1. The paper has no such figure. The setting is that of the checks, with more neurons to count.
"""

import math

import numpy as np
import xarray as xr

from featlearn._config import fields
from featlearn.figures.record import Axis, Figure, Mark, Panel, Series
from featlearn.figures.story import SignalHistory
from featlearn.papers.frei2022.setting import CLUSTERS, REFERENCES
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion
from featlearn.results.ledger import Printed, ours, side_of

BINS = np.linspace(-1, 1, 101)
HALF_NORMAL = math.sqrt(2 / math.pi)
"""E|N(0, 1)|, of the correlations times sqrt d at a random start."""


def own_correlation(dataset: xr.Dataset, t: int) -> xr.DataArray:
    """<w_j, mu>/||w_j|| at step t, mu = mu_1 for neurons with a > 0 and mu_2 for a < 0."""
    at = dataset.sel(step=t)
    first, second = at["correlation"].isel(direction=0), at["correlation"].isel(direction=1)
    return first.where(at["a"] > 0, second)


def reproduce(context: Context) -> Reproduction:
    """Train, and count correlations per centre."""
    result = context.lab.run(
        CLUSTERS, seeds=2 if context.quick else 5, watch=context.watch, width=400, test=500
    )
    dataset, config = result.dataset, result.config
    last = config.total_steps
    size = {t: abs(own_correlation(dataset, t)).mean("neuron").values for t in (0, 1, last)}
    start = size[0] * math.sqrt(config.d)
    rows = (
        cell(
            context,
            ITEM.id,
            "mean |correlation| times sqrt d, t = 0",
            start,
            Printed(value=HALF_NORMAL, sd=0.0, resolve=0.05),
            why="the paper says order 1; the number is that of a random direction",
        ),
        conclusion(
            context,
            ITEM.id,
            "mean |correlation|, t = 1",
            size[1],
            "order 1",
            side_of(ours(size[1]), 1 / 128),
            why="lemma 12 asks for 1/(16 C2) = 1/128",
        ),
        conclusion(
            context,
            ITEM.id,
            f"mean |correlation|, t = T = {last}",
            size[last],
            "order 1",
            side_of(ours(size[last]), math.exp(-2) / 256),
            why="equation 40 asks for e^-2/256",
        ),
    )
    figure = Figure(
        id="frei2022-amplification",
        title="One step turns random features into learned ones",
        caption=f"Correlation of each neuron with the centre of its own label that it serves, "
        f"d = {config.d}, {config.width} neurons, {len(result.seeds)} seeds. Dotted: ±1/√d.",
        panels=tuple(panel(dataset, t, config.d) for t in (0, 1, last)),
    )
    return Reproduction(rows=rows, figures=(figure,), config=fields(config), story=story(dataset))


def story(dataset: xr.Dataset) -> SignalHistory:
    """Squared correlations of all neurons of the first seed with the centre they serve."""
    one = dataset.isel(seed=0)
    steps = one["step"].values
    return SignalHistory(
        feature="w along the centre of its own label",
        clock="one step",
        unit=1.0,
        steps=steps.astype(float),
        share=np.stack([own_correlation(one, int(t)).values.astype(float) ** 2 for t in steps]),
    )


def panel(dataset: xr.Dataset, t: int, d: int) -> Panel:
    """One histogram, a series a cluster."""
    own = own_correlation(dataset, t).values
    positive = dataset.sel(step=t)["a"].values > 0
    middle, series = (BINS[:-1] + BINS[1:]) / 2, []
    for name, of_label, side in (
        ("+mu1", positive, 1),
        ("-mu1", positive, -1),
        ("+mu2", ~positive, 1),
        ("-mu2", ~positive, -1),
    ):
        chosen = own[of_label & (side * own > 0)]
        counts = np.histogram(chosen, BINS)[0] / own.size
        series.append(Series(name=name, x=middle, y=counts, role=name, kind="steps"))
    root = 1 / math.sqrt(d)
    return Panel(
        x=Axis(label="correlation with μ", limits=(-1, 1)),
        y=Axis(label="share of neurons", limits=(0.0, 0.3)),
        series=tuple(series),
        marks=(Mark(label="1/√d", at=root), Mark(label="", at=-root)),
        title=f"t = {t}",
    )


ITEM = Item(
    id="frei2022.amplification",
    title="Correlations of all neurons with their centres before and after one step",
    reproduce=reproduce,
    references=REFERENCES,
)

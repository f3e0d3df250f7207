r"""Figure 2: the decision boundary in the plane of the centres at t = 0, 1 and 15, and the neurons
at 1 and 15.

In that plane f(u mu1 + v mu2) = sum_j a_j relu(u <w_j, mu1> + v <w_j, mu2>): the projections are
all it takes. One run of figure 1 (left), as in the paper.
"""

import numpy as np
import xarray as xr

from featlearn._config import fields
from featlearn._streams import stream
from featlearn.experiments.run import Result
from featlearn.figures.record import Axis, Figure, Panel, Raster, Series
from featlearn.papers.xu2023.ledger import scope_note
from featlearn.papers.xu2023.setting import CLUSTERS, REFERENCES
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import median_side

TIMES = (0, 1, 15)
REACH, GRID = 1.5, 121


def fifteen(context: Context, quick: int, full: int) -> Result:
    """Figure 1 (left) to t = 15, every step recorded."""
    return context.lab.run(
        CLUSTERS,
        seeds=quick if context.quick else full,
        watch=context.watch,
        steps=15,
        records=16 * 20,
    )


def reproduce(context: Context) -> Reproduction:
    """Train, draw the first seed, and ask whether f is linear at t = 1 and no longer later."""
    result = fifteen(context, 8, 100)
    even = {t: result.dataset["even_share"].sel(step=t).values for t in TIMES}
    rows = (
        conclusion(
            context,
            ITEM.id,
            "share of f that no linear function has, t = 1",
            even[1],
            "a linear classifier",
            median_side(even[1], 0.1, above=False),
            why="“the network approximately implements a linear classifier”: "
            f"median {np.median(even[1]):.3f}, largest {even[1].max():.2f}",
        ),
        conclusion(
            context,
            ITEM.id,
            "share of f that no linear function has, t = 15",
            even[15],
            "not linear",
            median_side(even[15], 0.5),
            why=f"XOR is an even function of x; median {np.median(even[15]):.2f}",
        ),
    )
    return Reproduction(
        rows=rows,
        figures=(drawing(result),),
        notes=(scope_note("Figure 2's setting", result.config),),
        config=fields(result.config),
    )


def drawing(result: Result) -> Figure:
    """Boundaries at three times, neurons at two."""
    one = result.dataset.isel(seed=0)
    draw = result.config.experiment().law.draw(
        result.config.samples, key=stream(result.seeds[0], "sample")
    )
    points, y = np.asarray(draw.x[:, :2], float), np.asarray(draw.y)
    return Figure(
        id="xu2023-figure-2",
        title="From a line to the cross of XOR",
        caption="Left: −f over its largest size in the plane of the centres, so that blue is the "
        "side of +1, and the training points in the colour of the label that is seen. Right: the "
        "neurons, ⟨w, μ⟩ in thousandths of α‖μ‖². One run.",
        panels=(
            *(boundary(one, t, points, y) for t in TIMES),
            *(neurons(one, t) for t in TIMES[1:]),
        ),
    )


def boundary(one: xr.Dataset, t: int, points: np.ndarray, y: np.ndarray) -> Panel:
    """f over the plane."""
    at = one.sel(step=t)
    w, a = at["projection"].values.astype(float), at["a"].values.astype(float)
    ticks = np.linspace(-REACH, REACH, GRID)
    u, v = np.meshgrid(ticks, ticks)
    f = np.maximum(u[..., None] * w[0] + v[..., None] * w[1], 0) @ a
    series = tuple(
        Series(
            name=name,
            x=points[y == label, 0],
            y=points[y == label, 1],
            role=role,
            kind="points",
        )
        for name, label, role in (("label +1", 1, "positive"), ("label −1", -1, "negative"))
    )
    return Panel(
        x=Axis(label="μ_{1}", limits=(-REACH, REACH)),
        y=Axis(label="μ_{2}", limits=(-REACH, REACH)),
        series=series,
        raster=Raster(x=ticks, y=ticks, z=-f / np.abs(f).max(), role="signed"),
        title=f"t = {t}",
        equal=True,
    )


def neurons(one: xr.Dataset, t: int) -> Panel:
    """All neurons in the plane, by the sign of a."""
    at = one.sel(step=t)
    w, a = 1000 * at["projection"].values.astype(float), at["a"].values
    reach = float(np.abs(w).max()) * 1.05
    return Panel(
        x=Axis(label="⟨w, μ_{1}⟩", limits=(-reach, reach)),
        y=Axis(label="⟨w, μ_{2}⟩", limits=(-reach, reach)),
        series=tuple(
            Series(name=name, x=w[0, chosen], y=w[1, chosen], role=role, kind="points")
            for name, chosen, role in (("a > 0", a > 0, "positive"), ("a < 0", a < 0, "negative"))
        ),
        title=f"neurons, t = {t}",
        equal=True,
    )


ITEM = Item(
    id="xu2023.figure-2",
    title="The decision boundary in the plane of the centres, and the neurons",
    reproduce=reproduce,
    references=REFERENCES,
)

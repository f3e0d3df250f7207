"""SGD on the flow: bits of a staircase light up one after the other, and the flow foretells it."""

from typing import Any

import numpy as np
import xarray as xr

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.papers.abbe2022.flows import path_at_infinity
from featlearn.papers.abbe2022.overlay import bound_shape, distances, watched
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import ours, side_of

TARGET = "x1 + x1*x2 + x1*x2*x3"
SIZES: dict[str, dict[str, Any]] = {
    "quick": {"seeds": 2, "last": 60.0, "sizes": (16, 32, 64)},
    "full": {"seeds": 5, "last": 60.0, "sizes": (16, 32, 64, 128, 256)},
}
NOTES = (
    "All sizes grow together: d = n, 4n neurons, η = 8/n, batches of 4d. The bound is then of the "
    "order n^-½, up to logarithms.",
)
LOOK = ("network", "ntk", "random-features")


def reproduce(context: Context) -> Reproduction:
    """SGD at several sizes against the flow, and how fast the distance falls."""
    chosen, far, last = SIZES[context.size], [], None
    sizes = [(n, 4 * n, 8.0 / n, 4 * n) for n in chosen["sizes"]]
    for i, (d, width, eta, batch) in enumerate(sizes):
        experiment = watched(d, width, eta, batch, target=TARGET, last=chosen["last"])
        last = context.lab.run(experiment, seeds=chosen["seeds"]).dataset
        far.append(distances(last, eta, TARGET))
        if context.watch:
            context.watch((i + 1) / len(sizes))
    assert last is not None
    n = np.array(chosen["sizes"], float)
    values = np.array(far)
    slopes = np.polyfit(np.log(n), np.log(values), 1)[0]
    shape = np.array([bound_shape(*each, 3) for each in sizes])
    claimed = float(np.polyfit(np.log(n), np.log(shape), 1)[0])
    row = conclusion(
        context,
        ITEM.id,
        "exponent of the distance",
        slopes,
        f"at most {claimed:.3g}",
        side_of(ours(slopes), claimed, above=False),
        recipe="all sizes together",
        why="an upper bound: the distance may fall faster, not more slowly; distances "
        + ", ".join(f"{v:.3g}" for v in values.mean(axis=1)),
    )
    return Reproduction(
        rows=(row,),
        figures=(figure(last, sizes[-1][2], n, values, shape),),
        notes=NOTES,
        config=chosen,
    )


def figure(
    data: xr.Dataset, eta: float, n: np.ndarray, far: np.ndarray, shape: np.ndarray
) -> Figure:
    """Bits over time, SGD and flow; and the distance against the size."""
    times = data["step"].values * eta
    flow = path_at_infinity(TARGET, times.astype(float))
    found = data["on_bit"].transpose("seed", "step", "direction").values
    series = []
    for i in range(3):
        series.append(
            over_seeds(f"x{i + 1}, SGD", times.astype(float), found[:, :, i], role=LOOK[i])
        )
        series.append(
            Series(
                name="flow" if i == 0 else "",
                x=times.astype(float),
                y=flow.found[:, i],
                role="paper",
            )
        )
    scaled = shape * far.mean(axis=1)[0] / shape[0]
    return Figure(
        id="abbe2022-overlay",
        title="Bits of a staircase, one after the other",
        caption="Left: root mean square over neurons of the weight on each bit of "
        f"{TARGET}, SGD at the largest size (mean and range over seeds) and the flow at d = ∞. "
        "Right: largest distance of the two outputs over time, and the bound's shape.",
        panels=(
            Panel(
                x=Axis(label="time η t"),
                y=Axis(label="weight on a bit"),
                series=tuple(series),
            ),
            Panel(
                x=Axis(label="size n = d", scale="log"),
                y=Axis(label="distance from the flow", scale="log"),
                series=(
                    over_seeds("SGD", n, far.T, role="network"),
                    Series(name="shape of the bound", x=n, y=scaled, role="paper"),
                ),
            ),
        ),
    )


ITEM = Item(
    id="abbe2022.overlay",
    title="SGD on the flow: coordinates light up one after the other",
    reproduce=reproduce,
    references=("abbe2022",),
)

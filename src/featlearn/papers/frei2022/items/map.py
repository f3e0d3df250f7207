r"""Where overfitting is benign and where it harms: a map over n, d and the noise.

Figure 2 shows one point of each kind, and gives neither n nor d. Here is the plane around them, by
the rule of figure 2, sigma = s d^-0.6, with its s = 1 and with twice the noise:

    excess(t)     accuracy of appendix D's rule - accuracy of the network, on the same test points
    benign        every flip is fitted at the end, and the excess stays below one point
    harmful       the excess has grown by two points or more since its least value
    not yet       less than half of the flips are fitted, and the excess is below one point

The flow time eta t is that of figure 2 (10^4), with a step 16 times as large: what is fitted late
depends on eta t, and a test holds one point of the map against the figure's own step.
"""

import math
from typing import Any

import numpy as np
import xarray as xr
from jaxtyping import Float

from featlearn._config import fields
from featlearn.figures.record import Axis, Figure, Panel, Raster, Series
from featlearn.papers.frei2022.setting import CLUSTERS, HIGH, LOW, REFERENCES, XorClusters
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import measured
from featlearn.results.ledger import Row

ETA, FLOW_TIME = 1.6, 1e4
SETTLED = 16.0
"""From this eta t on the excess counts; before it the network has not learned the centres."""
SIZES: dict[str, dict[str, Any]] = {
    "quick": {"noise": (1.0,), "n": (50, 200), "d": (10, 500), "seeds": 2, "time": 2400.0},
    "full": {
        "noise": (1.0, 2.0),
        "n": (25, 50, 100, 200, 400),
        "d": (5, 10, 20, 50, 200, 1000, 5000),
        "seeds": 3,
        "time": FLOW_TIME,
    },
}
"""Factors s of the noise, training points, dimensions, seeds, and the flow time."""
STAYS, HARMS, ALL, HALF = 1.0, 2.0, 99.9, 50.0
"""Points of excess that count as none and as harm; per cent of the flips: all, and half."""


def setting(noise: float, n: int, d: int, time: float) -> XorClusters:
    """A point of the map: figure 2's setting with other sizes, a larger step, more noise."""
    return XorClusters(
        d=d,
        samples=n,
        width=400,
        eta=ETA,
        steps=round(time / ETA),
        flips=0.15,
        sigma=noise * d**-0.6,
        start_norm=0.1,
        test=6000,
        records=24,
    )


def excess(dataset: xr.Dataset, eta: float) -> Float[np.ndarray, "seeds steps"]:
    """By how many points the ceiling is missed, per seed, at the records from `SETTLED` on."""
    late = dataset.isel(step=dataset["step"].values * eta >= SETTLED)
    return np.asarray(100 * (late["ceiling_accuracy"] - late["test_accuracy"]).values, float)


def reproduce(context: Context) -> Reproduction:
    """Train every point of the map, count the regimes, and draw."""
    sizes = SIZES[context.size]
    shape = (len(sizes["noise"]), len(sizes["n"]), len(sizes["d"]))
    missed, grown, fitted = (np.full(shape, math.nan) for _ in range(3))
    for place in np.ndindex(shape):
        noise, n, d = (sizes[k][i] for k, i in zip(("noise", "n", "d"), place, strict=True))
        config = setting(noise, n, d, sizes["time"])
        result = context.lab.run(
            CLUSTERS, seeds=sizes["seeds"], watch=context.watch, **fields(config)
        )
        over = excess(result.dataset, ETA)
        missed[place] = over[:, -1].mean()
        grown[place] = (over[:, -1] - over.min(axis=1)).mean()
        fitted[place] = 100 * float(result.dataset["noisy_accuracy"].isel(step=-1).mean())
    rows = [
        row
        for i, noise in enumerate(sizes["noise"])
        for row in regimes(context, noise, missed[i], grown[i], fitted[i])
    ]
    return Reproduction(
        rows=tuple(rows),
        figures=(drawing(context, missed, fitted),),
        notes=(
            "Means over seeds. The points of figure 2 are those of this reproduction; the paper "
            "gives neither n nor d.",
        ),
        config=fields(setting(1.0, sizes["n"][0], sizes["d"][0], sizes["time"])),
    )


Map = Float[np.ndarray, "n d"]


def regimes(context: Context, noise: float, missed: Map, grown: Map, fitted: Map) -> list[Row]:
    """Which share of the map is what, and where."""
    sizes = SIZES[context.size]
    kinds = {
        "benign: every flip fitted, within a point of the ceiling": (
            (fitted >= ALL) & (missed < STAYS)
        ),
        "harmful: two points or more lost since the best": grown >= HARMS,
        "not yet: less than half of the flips fitted, within a point of the ceiling": (
            (fitted < HALF) & (missed < STAYS)
        ),
    }
    rows = []
    for name, where in kinds.items():
        i, j = np.nonzero(where)
        told = "nowhere"
        if len(i):
            told = (
                f"n from {sizes['n'][i.min()]} to {sizes['n'][i.max()]}, "
                f"d from {sizes['d'][j.min()]} to {sizes['d'][j.max()]}"
            )
        rows.append(
            measured(
                context,
                ITEM.id,
                name,
                100 * float(where.mean()),
                why=told,
                unit="%",
                recipe=f"sigma = {noise:g} d^-0.6",
            )
        )
    return rows


def drawing(context: Context, missed: np.ndarray, fitted: np.ndarray) -> Figure:
    """Excess and fitted flips over n and d, for every noise."""
    sizes = SIZES[context.size]
    x, y = (np.log10(np.asarray(sizes[k], float)) for k in ("d", "n"))

    def panel(values: np.ndarray, title: str, *, marked: bool) -> Panel:
        marks = tuple(
            Series(
                name=f"figure 2, {name}",
                x=np.log10([float(config.d)]),
                y=np.log10([float(config.samples)]),
                role=role,
                kind="points",
            )
            for name, config, role in (
                ("n ≫ d", LOW.config, "negative"),
                ("d ≫ n", HIGH.config, "own"),
            )
        )
        return Panel(
            x=Axis(label="log_{10} d"),
            y=Axis(label="log_{10} n"),
            series=marks if marked else (),
            raster=Raster(x=x, y=y, z=values, role="field"),
            title=title,
        )

    panels = []
    for i, noise in enumerate(sizes["noise"]):
        name = f"σ = {noise:g} d^{{−0.6}}" if noise != 1 else "σ = d^{−0.6}"
        panels.append(panel(missed[i] / 100, f"{name}: lost accuracy", marked=noise == 1))
        panels.append(panel(fitted[i] / 100, f"{name}: flips fitted", marked=noise == 1))
    return Figure(
        id="frei2022-map",
        title="Benign and harmful overfitting over n and d",
        caption="Accuracy lost against appendix D's rule at the end, and the share of the flips "
        f"that are fitted, at eta t = {sizes['time']:g}; means over {sizes['seeds']} seeds. The "
        "points of figure 2 have its first noise.",
        panels=tuple(panels),
    )


ITEM = Item(
    id="frei2022.map",
    title="A map of benign and harmful overfitting over n, d and the noise",
    reproduce=reproduce,
    references=REFERENCES,
)

r"""One map over (||mu||, p/n): grokking, early stopping, and harmful overfitting.

n = 100, m = 200, a tenth of the labels flipped. Across: the signal over the noise that a point
meets, ||mu||^2 n/p; up: p/n. The step is alpha = .2/(p/n + ||mu||^2), so that everywhere f is of
order 1 after about a hundred steps and all labels that can be fitted are after 10^4. Test error
(clean labels) and the share of flipped labels that are fitted, at t = 1, sqrt n and 10^4.

Both papers' figures and checks are marked at their own coordinates (their n, eta and steps are
others): Xu's figures have p/n = 200, ||mu||^2 n/p = 6.25; Frei's checks p/n = 2.2, ||mu||^2/p =
256; its figure 2, ||mu||^2 = d^1.2.
"""

import math

import numpy as np

from featlearn._config import fields
from featlearn.figures.record import Axis, Figure, Panel, Raster, Series
from featlearn.papers.xu2023.setting import CLUSTERS, REFERENCES, GrokkingClusters
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import measured
from featlearn.results.ledger import Row

SAMPLES = 100
SIGNALS = (-0.5, 0.25, 1.0, 1.75, 2.5, 3.25, 4.0, 4.75, 5.5)
"""log10 of ||mu||^2 n/p."""
RATIOS = (-1.5, -0.75, 0.0, 0.75, 1.5, 2.25, 3.0)
"""log10 of p/n."""
PLACES = {
    "Xu, figures": (math.log10(6.25), math.log10(200)),
    "Frei, checks": (math.log10(256 * 1000), math.log10(2.2)),
    "Frei, figure 2, d ≫ n": (math.log10(1000**0.2 * 100), 1.0),
    "Frei, figure 2, n ≫ d": (math.log10(10**0.2 * 200), math.log10(10 / 200)),
}
"""Where the settings of both papers lie."""


def setting(signal: float, ratio: float, steps: int) -> GrokkingClusters:
    """A point of the map."""
    d = max(2, round(10**ratio * SAMPLES))
    square = 10**signal * d / SAMPLES
    eta = 0.2 / (d / SAMPLES + square)
    return GrokkingClusters(
        d=d,
        samples=SAMPLES,
        width=200,
        eta=eta,
        steps=steps,
        flips=0.1,
        mean_norm=math.sqrt(square),
        omega=1e-3 * eta * square / math.sqrt(d),
        test=1000,
        records=24,
    )


def reproduce(context: Context) -> Reproduction:
    """Train every point of the map, and draw it at three times."""
    steps = 300 if context.quick else 10_000
    signals, ratios = (SIGNALS[2::3], RATIOS[::3]) if context.quick else (SIGNALS, RATIOS)
    times = (1, math.isqrt(SAMPLES), steps)
    error = np.full((3, len(ratios), len(signals)), np.nan)
    fitted = np.full((3, len(ratios), len(signals)), np.nan)
    for i, ratio in enumerate(ratios):
        for j, signal in enumerate(signals):
            config = setting(signal, ratio, steps)
            result = context.lab.run(CLUSTERS, seeds=2, watch=context.watch, **fields(config))
            recorded = result.dataset["step"].values
            for k, t in enumerate(times):
                at = result.dataset.isel(step=int(abs(recorded - t).argmin()))
                error[k, i, j] = 1 - float(at["test_accuracy"].mean())
                wrong = 1 - at["train_accuracy"].values
                fitted[k, i, j] = 100 * float(np.mean(wrong == 0))
    return Reproduction(
        rows=tuple(regimes(context, signals, ratios, times, error, fitted)),
        figures=(drawing(signals, ratios, times, error),),
        config=fields(setting(signals[0], ratios[0], steps)),
    )


def regimes(
    context: Context,
    signals: tuple[float, ...],
    ratios: tuple[float, ...],
    times: tuple[int, ...],
    error: np.ndarray,
    fitted: np.ndarray,
) -> list[Row]:
    """Which part of the map is what."""
    kinds = {
        "grokking: all labels fitted at t = 1 at chance, test error below .05 at the end": (
            (fitted[0] == 100) & (error[0] > 0.3) & (error[2] < 0.05)
        ),
        "early stopping: test error below .05 at sqrt n, labels not fitted; benign at the end": (
            (fitted[1] < 100) & (error[1] < 0.05) & (error[2] < 0.05)
        ),
        "harm: test error at the end at least .05 above that at sqrt n": error[2] > error[1] + 0.05,
        "never learned: test error above .3 at the end": error[2] > 0.3,
    }
    rows = []
    for name, where in kinds.items():
        i, j = np.nonzero(where)
        told = (
            f"p/n from {10 ** ratios[i.min()]:.2g} to {10 ** ratios[i.max()]:.2g}, |mu|^2 n/p from "
            f"{10 ** signals[j.min()]:.2g} to {10 ** signals[j.max()]:.2g}"
            if len(i)
            else "nowhere"
        )
        share = 100 * float(where.mean())
        rows.append(measured(context, ITEM.id, name, share, why=told, unit="%"))
    return rows


def drawing(
    signals: tuple[float, ...],
    ratios: tuple[float, ...],
    times: tuple[int, ...],
    error: np.ndarray,
) -> Figure:
    """Test error at three times."""
    x, y = np.asarray(signals), np.asarray(ratios)

    def panel(k: int) -> Panel:
        marks = tuple(
            Series(
                name=name,
                x=np.array([place[0]]),
                y=np.array([place[1]]),
                role=role,
                kind="points",
            )
            for (name, place), role in zip(
                PLACES.items(), ("paper", "negative", "own", "linear"), strict=True
            )
        )
        return Panel(
            x=Axis(label="log_{10} ‖μ‖^{2} n/p"),
            y=Axis(label="log_{10} p/n"),
            series=marks,
            raster=Raster(x=x, y=y, z=error[k], role="field"),
            title=f"t = {times[k]}",
        )

    return Figure(
        id="xu2023-map",
        title="Grokking, early stopping, harm: one map",
        caption="Test error on clean labels, and where the settings of the two papers lie; Frei's "
        "are far to the right, where one step is enough.",
        panels=tuple(panel(k) for k in range(3)),
    )


ITEM = Item(
    id="xu2023.map",
    title="One map over signal and dimension: grokking, early stopping, harmful overfitting",
    reproduce=reproduce,
    references=REFERENCES,
)

r"""How many samples SGD, the NTK, its finite width and random features need, against d.

    SGD   O~(d)  (theorem 3.1)   kernels   Omega(d^2)   floor   d/log^2 d  (proposition F.1)

The paper proves these and measures none. n(d) is the number of samples to 95 % held-out accuracy;
for SGD it is read off a run (steps times m), for a kernel it is searched. An exponent at finite d
is not an order of growth: beside it stand the exponent between the two largest d and the fit d (a
+ b log d).
"""

import math
from typing import Any

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.measurements import reaching
from featlearn.papers.glasgow2023.kernel_samples import LEVEL, kernel_samples
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import NOT_KNOWN, cell, measured
from featlearn.results.ledger import Ours, Printed, Row
from featlearn.theory.growth import GrowthCurve

SIZES: dict[str, dict[str, Any]] = {
    "quick": {
        "seeds": 3,
        "ratios": (0.25, 1.0, 4.0),
        "sgd": (32, 64, 128),
        "width": 64,
        "kernels": {"ntk": (10, 14, 20, 28), "finite ntk": (10, 14, 20), "rf": (10, 14, 20)},
    },
    "full": {
        "seeds": 5,
        "ratios": (0.25, 1.0, 4.0),
        "sgd": (32, 64, 128, 256, 512),
        "width": 128,
        "kernels": {"ntk": (16, 32, 64, 128), "finite ntk": (16, 32, 64), "rf": (16, 32, 48)},
    },
}
ALLOWED = 0.1
"""How far an exponent at finite d may be from the power in an order of growth."""
TITLES = {"ntk": "NTK", "finite ntk": "NTK of 4d neurons", "rf": "2d² random features"}
ROLE = {"ntk": "ntk", "finite ntk": "kernel", "rf": "random-features"}
SGD_ROLE = {"sgd m/d=0.25": "small-batch", "sgd m/d=4": "large-batch"}
NOTES = (
    "SGD: θ = 0.3, η = 0.2 and the paper's loss at every d and batch; the samples of a run are "
    "steps × m until the held-out accuracy first reaches 95 %. Smaller batches are cheaper in "
    "samples, far below the m ≥ d/θ of the theorem.",
    "Kernels: ridge regression of the labels with 2e-4 of the mean of K(x, x) on the diagonal, on "
    "the first n points of one draw, n searched to 5 %. Their 95 % come at about d²/2 samples.",
    "The floor d/log² d is that of proposition F.1, below which every rotation-invariant learner "
    "errs on at least 3 % of the points; it is drawn, not measured.",
)


def sgd(context: Context, ratio: float) -> GrowthCurve:
    """Samples to 95 % of SGD with m = ratio d."""
    chosen, rows = SIZES[context.size], []
    for d in chosen["sgd"]:
        steps = round((90 + 35 * math.log(d / 32)) * (1.6 if ratio < 1 else 1.0))
        result = context.lab.run(
            XOR,
            seeds=chosen["seeds"],
            d=d,
            width=chosen["width"],
            batch_ratio=ratio,
            steps=steps,
            records=80,
            test=1000,
        )
        at = result.dataset["step"].values * float(result.config.batch_size)
        seen = result.dataset["test_accuracy"].values.astype(float)
        rows.append(reaching(at, seen, LEVEL))
    return GrowthCurve(name=f"sgd m/d={ratio:g}", d=chosen["sgd"], values=np.array(rows))


def kernel(context: Context, name: str) -> GrowthCurve:
    """Samples to 95 % of a kernel."""
    chosen = SIZES[context.size]
    d = chosen["kernels"][name]
    cases = [{"name": name, "d": n, "seed": seed} for n in d for seed in range(chosen["seeds"])]
    found = np.array(context.lab.compute_each(kernel_samples, cases))
    return GrowthCurve(name=name, d=d, values=found.reshape(len(d), -1))


def exponent_row(curve: GrowthCurve, paper: float, size: str) -> Row:
    """The exponent of a curve in the ledger."""
    hidden = "O~(d) hides powers of log d" if paper == 1 else "Ω(d²) is an order of growth"
    seen = "see glasgow2023.million, where the power of log d is measured up to d = 10⁶"
    return cell(
        size,
        ITEM.id,
        f"exponent {curve.name}",
        of_slope(curve, curve.exponent),
        Printed(value=paper, sd=0.0, allowed=ALLOWED, reason=hidden),
        recipe="samples to 95 %",
        reason=seen if paper == 1 else NOT_KNOWN,
        group=f"{ITEM.id}/{curve.name}",
    )


def more_rows(curve: GrowthCurve, size: str) -> list[Row]:
    """The local exponent and the fit d (a + b log d): the paper gives no number for them."""
    why = "the paper gives no number"
    name = f"local exponent {curve.name}"
    local = of_slope(curve, curve.local)
    rows = [measured(size, ITEM.id, name, local, recipe=f"d={curve.d[-2:]}", why=why)]
    for letter, values in zip("ab", curve.linear_log, strict=True):
        name = f"{letter} of {curve.name}"
        rows.append(measured(size, ITEM.id, name, values, recipe="fit", why=why))
    return rows


def of_slope(curve: GrowthCurve, found: tuple[float, float]) -> Ours:
    """A slope with its error; missing where a seed never reached 95 %."""
    slope, stderr = found
    return Ours(
        mean=slope if math.isfinite(slope) else None,
        stderr=stderr if math.isfinite(stderr) else None,
        seeds=curve.values.shape[1],
        missing=int(np.isnan(curve.values).any(axis=0).sum()),
    )


def figure(curves: list[GrowthCurve], kernels: list[GrowthCurve]) -> Figure:
    """All of them on one panel, with the floor."""
    series = [
        _series(c, c.name.replace("sgd", "SGD,"), SGD_ROLE.get(c.name, "network")) for c in curves
    ]
    series += [_series(c, TITLES[c.name], ROLE[c.name]) for c in kernels]
    ends = [d for c in (*curves, *kernels) for d in c.d]
    d = np.geomspace(min(ends), max(ends), 40)
    floor = Series(name="floor d/log² d (F.1)", x=d, y=d / np.log(d) ** 2, role="floor")
    panel = Panel(
        x=Axis(label="input dimension d", scale="log"),
        y=Axis(label=f"samples to {LEVEL:.0%} accuracy", scale="log"),
        series=(*series, floor),
    )
    return Figure(
        id="sample-complexity",
        title="Features cost d samples, kernels d²",
        caption="Samples to 95 % held-out accuracy on XOR against the dimension: geometric mean "
        "over seeds, band from the least to the most. Dotted: the floor of proposition F.1, below "
        "which every rotation-invariant learner errs on 3 % of the points.",
        panels=(panel,),
    )


def _series(curve: GrowthCurve, name: str, role: str) -> Series:
    n = curve.values
    return over_seeds(name, np.array(curve.d, float), n.T, role=role, geometric=True)


def reproduce(context: Context) -> Reproduction:
    """Measure every learner, fit the exponents, draw all of them together."""
    chosen = SIZES[context.size]
    total = len(chosen["ratios"]) + len(chosen["kernels"])
    curves, kernels, rows = [], [], []
    for ratio in chosen["ratios"]:
        curves.append(sgd(context, ratio))
        rows += [
            exponent_row(curves[-1], 1.0, context.size),
            *more_rows(curves[-1], context.size),
        ]
        _tell(context, len(curves) / total)
    for name in chosen["kernels"]:
        kernels.append(kernel(context, name))
        rows.append(exponent_row(kernels[-1], 2.0, context.size))
        _tell(context, (len(curves) + len(kernels)) / total)
    return Reproduction(
        rows=tuple(rows),
        figures=(figure(curves, kernels),),
        notes=NOTES,
        config={k: v for k, v in chosen.items() if k != "kernels"} | chosen["kernels"],
    )


def _tell(context: Context, share: float) -> None:
    if context.watch:
        context.watch(share)


ITEM = Item(
    id="glasgow2023.sample-complexity",
    title="Samples to 95 %: SGD against kernels, and the floor",
    reproduce=reproduce,
    references=("glasgow2023",),
)

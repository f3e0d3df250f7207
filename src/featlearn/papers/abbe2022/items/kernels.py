"""Samples of the tangent kernel against d: a term of degree D costs d^D, whatever the leap.

Ridge regression on the exact tangent kernel of the ReLU network, on the first n points of one draw;
n is searched to 5 % so that the held-out squared error is a quarter of the variance.
"""

import math
from typing import Any

import numpy as np

from featlearn._streams import stream
from featlearn.baselines import exact_ntk, fit
from featlearn.baselines.bisection import bisected
from featlearn.distributions import Batch, Boolean
from featlearn.figures.record import Axis, Figure, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.networks import Gaussian, TwoLayer
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell
from featlearn.results.ledger import Ours, Printed
from featlearn.theory import log_log_slope

LEVEL = 0.25
RIDGE = 1e-4
TEST = 1000
SIZES: dict[str, dict[str, Any]] = {
    "quick": {"seeds": 2, "d": {"x1 + x1*x2": (12, 20, 32), "x1*x2*x3*x4": (8, 10, 12)}},
    "full": {
        "seeds": 3,
        "d": {
            "x1 + x1*x2": (16, 32, 64, 96),
            "x1*x2": (16, 32, 64, 96),
            "x1*x2*x3*x4": (8, 10, 12, 14, 16),
        },
    },
}
LOOK = ("network", "ntk", "random-features", "linear")


def kernel_samples(target: str, d: int, seed: int) -> float:
    """The least n, to 5 %, with a held-out error of a quarter of the variance; NaN above 12 000."""
    law = Boolean(d=d, target=target)
    network = TwoLayer(
        d=d,
        width=2,
        w=Gaussian(sd=1 / math.sqrt(d)),
        a=Gaussian(sd=1.0),
        b=Gaussian(sd=1.0),
        scaling="sqrt",
    )
    most = 12_000
    points = law.sample(most, key=stream(seed, "sample"))
    test = law.sample(TEST, key=stream(seed, "test"))
    kernel = exact_ntk(network)

    def enough(n: int) -> bool:
        batch = Batch(x=points.x[:n], y=points.y[:n])
        chosen = fit(kernel, batch, validation=test, grid=(RIDGE / n,), form="kernel").chosen
        assert chosen.validation is not None
        return 2 * chosen.validation.loss <= LEVEL * law.target.variance

    return bisected(enough, low=4, start=8 * d, high=most, near=0.05)


def reproduce(context: Context) -> Reproduction:
    """The exponent of every target."""
    chosen, rows, series = SIZES[context.size], [], []
    for i, (target, dimensions) in enumerate(chosen["d"].items()):
        law = Boolean(d=64, target=target)
        n = np.array(
            [
                [kernel_samples(target, d, seed) for seed in range(chosen["seeds"])]
                for d in dimensions
            ]
        )
        x = np.array(dimensions, float)
        slope, stderr = log_log_slope(x, n)
        rows.append(
            cell(
                context,
                ITEM.id,
                f"exponent of n(d): {target}",
                Ours(
                    mean=slope if math.isfinite(slope) else None,
                    stderr=stderr if math.isfinite(stderr) else None,
                    seeds=chosen["seeds"],
                ),
                Printed(value=float(law.degree), sd=0.0, allowed=0.1, reason="an order of growth"),
                recipe="NTK, error a quarter of the variance",
                group=f"{ITEM.id}/{target}",
                why=f"degree {law.degree}, leap {law.leap}",
            )
        )
        series.append(over_seeds(target, x, n.T, role=LOOK[i], geometric=True))
        if context.watch:
            context.watch((i + 1) / len(chosen["d"]))
    panel = Panel(
        x=Axis(label="d", scale="log"),
        y=Axis(label="samples of the tangent kernel", scale="log"),
        series=tuple(series),
    )
    drawn = Figure(
        id="abbe2022-kernels",
        title="The kernel pays by degree",
        caption="Samples at which ridge regression on the exact tangent kernel has a quarter of "
        "the variance left: geometric mean over seeds, band from the least to the most.",
        panels=(panel,),
    )
    return Reproduction(rows=tuple(rows), figures=(drawn,), config={"seeds": chosen["seeds"]})


ITEM = Item(
    id="abbe2022.kernels",
    title="Samples of the tangent kernel against d on the same targets",
    reproduce=reproduce,
    references=("abbe2022",),
)

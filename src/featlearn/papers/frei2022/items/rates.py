r"""Theorem 1 as a law of scaling: test error against n and d, and clause 1 in windows of C.

    excess = (accuracy of appendix D's rule) - (accuracy of the network), on the same test points
    theorem 1, clause 2        excess <= C sqrt(log(1/delta)/n), whatever d

Within A1 to A7 the excess is 0 in nearly every run, so that a rate cannot be seen there. It is
measured with 16 and with 64 times the noise that A2 allows at C = 16 (sigma sqrt d = 1 and 4), and
with small samples: what clause 2 would need in the place of C is excess sqrt(n/log(1/delta)), which
may grow neither with n nor with d. What is found there is beyond the theorem, either way.

The windows: A7 allows C in [1/(4 alpha^2), 1/alpha^2], so each step size has its own least C, and
a smaller step asks for a larger sample, a larger dimension and less noise.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn._config import fields
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.papers.frei2022.assumptions import in_scope, least_constant
from featlearn.papers.frei2022.setting import CLUSTERS, REFERENCES, XorClusters
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, measured
from featlearn.results.ledger import Ours, Row, ours
from featlearn.theory.estimates import slope_of_means

Sizes = dict[str, Any]
SIZES: dict[str, Any] = {
    "quick": {
        1.0: {"n": (16, 32), "d": (512, 2048), "middle": (32, 1024)},
        4.0: {"n": (64, 256), "d": (512, 2048), "middle": (128, 1024)},
        "seeds": 4,
        "runs": 4,
    },
    "full": {
        1.0: {
            "n": (12, 16, 24, 32, 48, 64),
            "d": (256, 512, 1024, 2048, 4096, 8192),
            "middle": (32, 2048),
        },
        4.0: {
            "n": (64, 128, 256, 512, 1024, 2048),
            "d": (256, 512, 1024, 2048, 4096, 8192),
            "middle": (256, 2048),
        },
        "seeds": 40,
        "runs": 20,
    },
}
"""For each sigma sqrt d (A2 allows 1/16 at C = 16) the sizes that are tried, the other at its
middle; seeds of each, and runs in each window."""
WINDOWS = (
    XorClusters(eta=0.25, samples=2500, d=1200, noise_norm=0.1, flips=0.1),
    XorClusters(),
    XorClusters(
        eta=0.0625,
        samples=3000,
        d=8000,
        width=200,
        noise_norm=1 / 64,
        flips=1 / 64,
        start_norm=0.003,
    ),
)
"""Settings that meet A1 to A7 at the least C of their step size: 4, 16 and 64."""


def needed(context: Context, noise: float, n: int, d: int) -> Float[np.ndarray, " seeds"]:
    """excess sqrt(n/log(1/delta)) of every seed: what would have to stand in the place of C."""
    config = replace(CLUSTERS.config, samples=n, d=d, noise_norm=noise, test=2000, records=2)
    seeds = SIZES[context.size]["seeds"]
    summary = context.lab.run(replace(CLUSTERS, config=config), seeds=seeds).summary
    ceiling, network = (
        np.array(summary[name].values, float) for name in ("ceiling_accuracy", "test_accuracy")
    )
    return (ceiling - network) * math.sqrt(n / math.log(1 / config.delta))


def reproduce(context: Context) -> Reproduction:
    """Both rates, then the windows."""
    rows, figures = [], []
    for noise in (1.0, 4.0):
        sizes = SIZES[context.size][noise]
        n_middle, d_middle = sizes["middle"]
        found = {
            "n": np.array([needed(context, noise, n, d_middle) for n in sizes["n"]]),
            "d": np.array([needed(context, noise, n_middle, d) for d in sizes["d"]]),
        }
        rows += [_rate_row(context, noise, sizes, name, each) for name, each in found.items()]
        figures.append(_drawing(noise, sizes, found))
    for config in WINDOWS:
        rows += _window_rows(context, config)
    return Reproduction(
        rows=tuple(rows),
        figures=tuple(figures),
        config=fields(CLUSTERS.config),
    )


def _rate_row(
    context: Context,
    noise: float,
    sizes: Sizes,
    name: str,
    values: Float[np.ndarray, "sizes seeds"],
) -> Row:
    """The power of n or d with which the needed C grows."""
    x = np.array(sizes[name], float)
    slope, error = slope_of_means(x, values)
    other, fixed = ("d", sizes["middle"][1]) if name == "n" else ("n", sizes["middle"][0])
    seen = math.isfinite(slope)  # at some size no seed may have any excess
    known = Ours(mean=slope, stderr=error, seeds=values.shape[1]) if seen else ours(())
    return measured(
        context,
        ITEM.id,
        f"power of {name} in excess sqrt(n/log(1/delta))",
        known,
        why=f"{name} from {x[0]:g} to {x[-1]:g}, {other} = {fixed}; within its assumptions theorem "
        f"1 allows no power above 0, and sigma sqrt d = {noise:g} is {16 * noise:g} times what A2 "
        "allows",
        recipe=f"sigma sqrt d = {noise:g}",
    )


def _window_rows(context: Context, config: XorClusters) -> list[Row]:
    """Clause 1 and the excess in one window of C."""
    assert in_scope(config)
    C = least_constant(config)
    runs = SIZES[context.size]["runs"]
    summary = context.lab.run(replace(CLUSTERS, config=config), seeds=runs).summary
    clean = 100 * np.array(summary["clean_accuracy"].values, float)
    noisy = 100 * (1 - np.array(summary["noisy_accuracy"].values, float))
    ceiling, network = (
        np.array(summary[name].values, float) for name in ("ceiling_accuracy", "test_accuracy")
    )
    common: dict[str, Any] = {"recipe": f"C = {C:g}"}
    both = (clean == 100) & (noisy == 100)
    return [
        conclusion(
            context,
            ITEM.id,
            "clause 1 at T: every clean point right and every noisy one wrong, share of runs",
            100.0 * both,
            "with probability at least 1 - 4 delta",
            bool(both.all()),
            unit="%",
            why=f"A1 to A7 met with C = {C:g}: alpha = {config.eta:g}, n = {config.samples}, d = "
            f"{config.d}, m = {config.width}",
            **common,
        ),
        measured(
            context,
            ITEM.id,
            "excess of the test error at T",
            ceiling - network,
            why="below what 2000 test points can show",
            **common,
        ),
    ]


def _drawing(
    noise: float, sizes: Sizes, found: dict[str, Float[np.ndarray, "sizes seeds"]]
) -> Figure:
    """What would have to stand in the place of C, against n and against d."""
    panels = []
    for name, values in found.items():
        x = np.array(sizes[name], float)
        level = np.full(len(x), values.mean())
        curve = over_seeds("mean, and 80 % of runs", x, values.T, role="network", share=0.8)
        flat = Series(name="no growth", x=x, y=level, role="paper")
        panels.append(
            Panel(
                x=Axis(label=name, scale="log"),
                y=Axis(label="excess × √(n / log(1/δ))"),
                series=(curve, flat),
                title=f"against {name}",
            )
        )
    return Figure(
        id=f"frei2022-rates-{noise:g}",
        title=f"The test error against n and d, σ√d = {noise:g}",
        caption="What would have to stand in the place of C in theorem 1's bound on the test "
        f"error, with {16 * noise:g} times the noise that A2 allows at C = 16.",
        panels=tuple(panels),
    )


ITEM = Item(
    id="frei2022.rates",
    title="Theorem 1 as a law of scaling: test error against n and d, and three windows of C",
    reproduce=reproduce,
    references=REFERENCES,
)

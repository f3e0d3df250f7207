r"""What the paper leaves open: start, signal, width, long training, both layers.

Section 5 asks for t to infinity and for dimensions that are not large; reviewers asked for larger
starts, other ||mu||, and what happens for 1 < t < C n^.01 (no whole t lies there below n = 2^100 at
C = 1). Each is figure 1 (left) with one thing changed, at width 200 where nothing else is said.

For long training alpha is 1e-5, 80 times A4's 1/(n p): with the figure's 1e-12 the network is still
at |f| < 1e-4 after 10^5 steps, every g_i is 1/2, and more steps do nothing but scale f.
"""

from typing import Any

import numpy as np

from featlearn._config import fields
from featlearn.experiments.run import Result
from featlearn.figures.record import Axis, Figure, Mark, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.papers.xu2023.setting import CLUSTERS, REFERENCES
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import Found, measured
from featlearn.results.ledger import Row

RATIOS = (1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0)
"""omega/alpha; figure 1 has 1e-3 (left) and 10 (right)."""
SIGNALS = (0.5, 1.0, 1.5, 2.5, 5.0, 10.0, 20.0)
"""||mu||/sqrt(p/n); the figures have 2.5."""
WIDTHS = (20, 100, 500, 2500)
LONG = 1e-5
"""The step for long training: with it |f| passes 1 after some thousand steps."""
Runs = dict[float, Result]


def reproduce(context: Context) -> Reproduction:
    """Train every variant, and tell."""
    few, several = (2, 3) if context.quick else (4, 20)

    def trained(seeds: int, **changes: Any) -> Result:
        chosen = {"width": 200, "test": 500, **changes}
        return context.lab.run(CLUSTERS, seeds=seeds, watch=context.watch, **chosen)

    ratios = RATIOS[::3] if context.quick else RATIOS
    signals = SIGNALS[1::2] if context.quick else SIGNALS
    widths = WIDTHS[:2] if context.quick else WIDTHS
    last = 2000 if context.quick else 100_000
    starts = {
        r: trained(few, omega=r * 1e-12, steps=1000 if context.quick else 4000, records=60)
        for r in ratios
    }
    norms = {s: trained(several, signal=s) for s in signals}
    wide = {float(m): trained(several, width=m, steps=14, records=6) for m in widths}
    long = trained(few, eta=LONG, steps=last, records=60)
    both = trained(few, eta=LONG, steps=2000, records=40, trained="both")
    rows = [
        *of_starts(context, starts),
        *of_norms(context, norms),
        *of_widths(context, wide),
        *of_time(context, long),
        *of_layers(context, long, both),
    ]
    figure = Figure(
        id="xu2023-open-questions",
        title="What the paper leaves open",
        caption="Figure 1 (left) with one thing changed. When all labels are fitted and 99 % of "
        "the test points are right, against the size of the start; test accuracy against the "
        "signal; accuracies and the inequality of pulls r(t) in long training with α = 1e−5.",
        panels=(when(starts), by_signal(norms), in_time(long), pulls(long)),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,), config=fields(long.config))


def end(result: Result, quantity: str = "test_accuracy") -> np.ndarray:
    """The last value of every run."""
    values: np.ndarray = result.dataset[quantity].isel(step=-1).values
    return values


def told(
    context: Context, quantity: str, values: Found, why: str, recipe: str, unit: str = "%"
) -> Row:
    """A row of which the paper says nothing."""
    return measured(context, ITEM.id, quantity, values, why=why, unit=unit, recipe=recipe)


def of_starts(context: Context, found: Runs) -> list[Row]:
    """A larger start delays both, and the gap between them stays."""
    rows = []
    for r, result in found.items():
        fits = np.array(result.summary["fits_at"].values, float)
        learns = np.array(result.summary["generalises_at"].values, float)
        rows.append(
            told(
                context,
                "step at which all labels are fitted",
                fits,
                f"99 % of the test points right at {np.nanmedian(learns):.4g} (median of the "
                f"{int(np.isfinite(learns).sum())} runs that get there)"
                if np.isfinite(learns).any()
                else "99 % of the test points right in no run",
                f"omega/alpha = {r:g}",
                "steps",
            )
        )
    return rows


def of_norms(context: Context, found: Runs) -> list[Row]:
    """A weak signal is never learned; a strong one is, and the flips are not fitted."""
    rows = []
    for s, result in found.items():
        fitted = result.dataset["train_accuracy"].sel(step=1).values
        held = end(result, "train_accuracy")
        rows.append(
            told(
                context,
                f"test accuracy at t = {int(result.dataset['step'][-1])}",
                100 * end(result),
                f"labels fitted: {100 * fitted.mean():.1f} % at t = 1, {100 * held.mean():.1f} % "
                f"at the end; test accuracy at t = 1 "
                f"{100 * float(result.dataset['test_accuracy'].sel(step=1).mean()):.0f} %",
                f"|mu| = {s:g} sqrt(p/n)",
            )
        )
    return rows


def of_widths(context: Context, found: Runs) -> list[Row]:
    """Width makes f linear at t = 1; beyond some hundreds it changes nothing else."""
    return [
        told(
            context,
            "test accuracy at t = 14",
            100 * end(result),
            "share of f that is not linear at t = 1: "
            f"{float(result.dataset['even_share'].sel(step=1).median()):.3f} (median)",
            f"m = {m:g}",
        )
        for m, result in found.items()
    ]


def of_time(context: Context, long: Result) -> list[Row]:
    """Does benign stay benign?"""
    steps = long.dataset["step"].values
    rows = []
    for wanted in (14, 100, 1000, 10_000, 100_000):
        if wanted > steps[-1]:
            continue
        at = long.dataset.isel(step=int(abs(steps - wanted).argmin()))
        ratio = np.exp(at["log_pull_ratio"].values)
        rows.append(
            told(
                context,
                "test accuracy in long training",
                100 * at["test_accuracy"].values,
                f"all labels fitted in {int((at['train_accuracy'] == 1).sum())} of "
                f"{len(long.seeds)} runs; r(t) = {np.median(ratio):.3g} (median); least margin of "
                f"a flipped point {float(at['flipped_margin'].median()):.3g}",
                f"alpha = {LONG:g}, t = {int(at['step'])}",
            )
        )
    return rows


def of_layers(context: Context, first: Result, both: Result) -> list[Row]:
    """The second layer trained as well."""
    steps = first.dataset["step"].values
    last = int(both.dataset["step"][-1])
    same = first.dataset.isel(step=int(abs(steps - last).argmin()))
    moved = abs(both.dataset["a"].isel(step=-1) / both.dataset["a"].isel(step=0) - 1)
    return [
        told(
            context,
            f"test accuracy at t = {last}, both layers trained",
            100 * end(both),
            f"{100 * float(same['test_accuracy'].mean()):.1f} % with the first alone; all labels "
            f"fitted in {int((end(both, 'train_accuracy') == 1).sum())} of {len(both.seeds)} runs; "
            f"second-layer weights moved by {100 * float(moved.median()):.2g} % (median)",
            f"alpha = {LONG:g}",
        )
    ]


def when(found: Runs) -> Panel:
    """Fitting and generalising against the size of the start."""
    x = np.array(list(found), float)

    def medians(name: str) -> np.ndarray:
        each = [np.array(result.summary[name].values, float) for result in found.values()]
        return np.array([np.nanmedian(v) if np.isfinite(v).any() else np.nan for v in each])

    return Panel(
        x=Axis(label="ω/α", scale="log"),
        y=Axis(label="step", scale="log"),
        series=(
            Series(
                name="all labels fitted", x=x, y=np.maximum(medians("fits_at"), 1), role="train"
            ),
            Series(name="99 % of test points right", x=x, y=medians("generalises_at"), role="test"),
        ),
        title="larger starts",
    )


def by_signal(found: Runs) -> Panel:
    """Accuracy against the signal."""
    x = np.array(list(found), float)

    def means(name: str, step: int | None) -> np.ndarray:
        each = [result.dataset[name] for result in found.values()]
        chosen = [v.isel(step=-1) if step is None else v.sel(step=step) for v in each]
        return np.array([float(v.mean()) for v in chosen])

    return Panel(
        x=Axis(label="‖μ‖/√(p/n)", scale="log"),
        y=Axis(label="accuracy", limits=(0.4, 1.02)),
        series=(
            Series(name="test, t = 1", x=x, y=means("test_accuracy", 1), role="opposite"),
            Series(name="test, t = 100", x=x, y=means("test_accuracy", None), role="test"),
            Series(name="train, t = 1", x=x, y=means("train_accuracy", 1), role="train"),
        ),
        title="weaker and stronger signals",
    )


def in_time(long: Result) -> Panel:
    """Accuracies in long training."""
    times = long.dataset["step"].values + 1
    return Panel(
        x=Axis(label="t + 1", scale="log"),
        y=Axis(label="accuracy", limits=(0.4, 1.02)),
        series=(
            over_seeds(
                "train", times, long.dataset["train_accuracy"].values, role="train", share=0.9
            ),
            over_seeds("test", times, long.dataset["test_accuracy"].values, role="test", share=0.9),
        ),
        marks=(Mark(label="√n", at=float(np.sqrt(long.config.samples)) + 1),),
        title="long training",
    )


def pulls(long: Result) -> Panel:
    """r(t) - 1 in long training."""
    times = long.dataset["step"].values + 1
    ratio = np.expm1(long.dataset["log_pull_ratio"].values.astype(float))
    return Panel(
        x=Axis(label="t + 1", scale="log"),
        y=Axis(label="r(t) − 1", scale="log"),
        series=(over_seeds("", times, np.maximum(ratio, 1e-12), role="plain", share=0.9),),
        marks=(Mark(label="√n", at=float(np.sqrt(long.config.samples)) + 1),),
        title="how unequally points pull",
    )


ITEM = Item(
    id="xu2023.open-questions",
    title="What the paper leaves open: start, signal, width, long training, both layers",
    reproduce=reproduce,
    references=REFERENCES,
)

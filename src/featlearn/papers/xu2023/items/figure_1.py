r"""Figure 1: train and test accuracy against t + 1, for a large and a small step.

p 40 000, n 200, ||mu|| = 2.5 sqrt(p/n), m 1000, eta .05, omega 1e-15; alpha 1e-12 (left) and 1e-16
(right); 100 runs (appendix A.7, which prints mu for ||mu||). Test points have clean labels.
"""

import numpy as np
import xarray as xr

from featlearn._config import fields
from featlearn.experiments.run import Result
from featlearn.figures.record import Axis, Figure, Mark, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.papers.xu2023.ledger import scope_note
from featlearn.papers.xu2023.setting import CLUSTERS, REFERENCES, SMALL_STEPS
from featlearn.reproduction.item import Context, Item, Reproduction, Setting
from featlearn.reproduction.rows import cell, conclusion
from featlearn.results.ledger import Printed, Row, Status, ours, side_of

CHANCE = Printed(value=50.0, sd=0.0, allowed=10.0, reason="“close to 50%”")
OPTIMAL = Printed(value=100.0, sd=0.0, allowed=3.0, reason="“near 100%”")
"""Test accuracies, with what the paper's own words allow."""


def trained(context: Context) -> tuple[Result, Result]:
    """Both step sizes; the small one trains a hundred times as long, with 20 runs for 100."""
    lab, watch = context.lab, context.watch
    left = lab.run(CLUSTERS, seeds=5 if context.quick else 100, watch=watch)
    right = lab.run(SMALL_STEPS, seeds=2 if context.quick else 20, watch=watch)
    return left, right


def reproduce(context: Context) -> Reproduction:
    """Train, count, draw."""
    left, right = trained(context)
    return Reproduction(
        rows=(*rows(context, left, right),),
        figures=(drawing(left, right),),
        notes=(
            scope_note("The left panel's setting", CLUSTERS.config),
            scope_note("The right panel's setting", SMALL_STEPS.config),
        ),
        config=fields(left.config),
    )


def rows(context: Context, left: Result, right: Result) -> list[Row]:
    """What the text says of the figure."""
    one, late = left.dataset.sel(step=1), left.dataset.isel(step=-1)
    fits, learns = (
        [np.array(result.summary[name].values, float) for result in (left, right)]
        for name in ("fits_at", "generalises_at")
    )
    held = left.dataset["train_accuracy"].sel(step=slice(1, None)).min("step").values
    last = right.dataset.isel(step=-1)
    first, below = 100 * one["test_accuracy"].values, (late["test_accuracy"] < 0.9).mean()
    reached = np.isfinite(learns[1])
    later = (
        np.nanmin(fits[1]) > np.nanmax(fits[0])
        if all(np.isfinite(each).all() for each in fits)
        else None
    )
    here: tuple[Context, str] = (context, ITEM.id)
    always = [
        conclusion(
            *here,
            quantity,
            100 * values,
            "every label",
            bool((values == 1).all()),
            why=why,
            unit="%",
            group="left",
        )
        for quantity, values, why in (
            (
                "labels fitted at t = 1, left",
                one["train_accuracy"].values,
                "“perfectly fits every single training datapoint” after one step",
            ),
            (
                "least share of labels fitted from t = 1 on, left",
                held,
                "“maintaining 100% training accuracy the whole time”",
            ),
        )
    ]
    return [
        *always,
        cell(
            *here,
            "test accuracy at t = 1, left",
            first,
            CHANCE,
            why=f"single runs from {first.min():.0f} to {first.max():.0f} %",
            unit="%",
            group="left",
        ),
        cell(
            *here,
            f"test accuracy at t = {int(late['step'])}, left",
            100 * late["test_accuracy"].values,
            OPTIMAL,
            why=f"{100 * float(below):.0f} % of the runs are below 90 %",
            reason="see xu2023.missed-clusters: some runs miss a whole cluster",
            unit="%",
            group="left",
        ),
        cell(
            *here,
            f"test accuracy at t = {int(last['step'])}, right",
            100 * last["test_accuracy"].values,
            OPTIMAL,
            why="“with a smaller step size the same grokking phenomenon occurs”",
            reason="see xu2023.missed-clusters: some runs miss a whole cluster",
            unit="%",
            group="right",
        ),
        conclusion(
            *here,
            "step at which all labels are fitted, right over left",
            fits[1] / np.nanmean(fits[0]),
            "delayed",
            Status.CANNOT_TELL if later is None else bool(later),
            why="“a delayed time for both overfitting and generalization”",
        ),
        conclusion(
            *here,
            "step at which 99 % of test points are right, right over left (runs that get there)",
            learns[1][reached] / np.nanmedian(learns[0]),
            "delayed",
            side_of(ours(learns[1][reached] / np.nanmedian(learns[0])), 1.0),
            why=f"in {int(reached.sum())} of {len(learns[1])} runs on the right and "
            f"{int(np.isfinite(learns[0]).sum())} of {len(learns[0])} on the left; “a delayed time "
            "for both”",
        ),
    ]


def drawing(left: Result, right: Result) -> Figure:
    """Both panels."""
    return Figure(
        id="xu2023-figure-1",
        title="Every label is fitted long before anything is understood",
        caption=f"Mean accuracy over {len(left.seeds)} runs (left) and {len(right.seeds)} (right); "
        "the bands hold nine of ten. Training labels as seen, a twentieth of them flipped; test "
        "labels clean.",
        panels=(
            panel(left.dataset, f"step {left.config.eta:g}"),
            panel(right.dataset, f"step {right.config.eta:g}"),
        ),
    )


def panel(dataset: xr.Dataset, title: str) -> Panel:
    """Train and test accuracy against t + 1."""
    times = dataset["step"].values + 1
    return Panel(
        x=Axis(label="t + 1", scale="log"),
        y=Axis(label="accuracy", limits=(0.4, 1.02)),
        series=(
            over_seeds("train", times, dataset["train_accuracy"].values, role="train", share=0.9),
            over_seeds("test", times, dataset["test_accuracy"].values, role="test", share=0.9),
        ),
        marks=(Mark(label="chance", at=0.5, axis="y"),),
        title=title,
    )


ITEM = Item(
    id="xu2023.figure-1",
    title="Train and test accuracy over time, for two step sizes",
    reproduce=reproduce,
    references=REFERENCES,
    settings=(
        Setting("left", "theorem-3.1", lambda: CLUSTERS.config),
        Setting("right", "theorem-3.1", lambda: SMALL_STEPS.config),
    ),
)

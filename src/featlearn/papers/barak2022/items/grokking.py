"""A small fixed sample with weight decay: the test accuracy follows long after that of training."""

import math
from typing import Any

import numpy as np
import xarray as xr

from featlearn.figures.record import Axis, Figure, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.papers.barak2022.parity import PARITY
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import RowFields, conclusion, measured
from featlearn.results.ledger import ours, side_of

SIZES: dict[str, dict[str, Any]] = {
    "quick": {"seeds": 2, "steps": 20_000},
    "full": {"seeds": 5, "steps": 60_000},
}
BASE = {"d": 20, "k": 3, "width": 100, "batch": 32, "eta": 0.1, "samples": 300}
DECAYS = (0.0, 0.005)
LEVEL = 0.95
LATE = math.log(3.0)
"""Three times as late is read as far."""


def reproduce(context: Context) -> Reproduction:
    """With weight decay and without."""
    chosen, rows, found = SIZES[context.size], [], {}
    for i, lam in enumerate(DECAYS):
        data = context.lab.run(
            PARITY,
            seeds=chosen["seeds"],
            **{**BASE, "lam": lam, "steps": chosen["steps"], "records": 150},
        ).dataset
        found[lam] = data
        steps = data["step"].values.astype(float)
        train, test = (
            data[name].transpose("seed", "step").values >= LEVEL
            for name in ("train_accuracy", "test_accuracy")
        )
        late = np.array(
            [
                steps[np.argmax(b)] / max(steps[np.argmax(a)], 1.0)
                if a.any() and b.any()
                else np.nan
                for a, b in zip(train, test, strict=True)
            ]
        )
        name = f"steps to {LEVEL:.0%} on test over those on training, λ = {lam:g}"
        told: RowFields = {"recipe": f"{BASE['samples']} samples"}
        why = f"{np.isfinite(late).sum()} of {len(late)} seeds reach it on test points"
        far = "far above 1 with weight decay"
        rows.append(
            conclusion(
                context,
                ITEM.id,
                name,
                late,
                far,
                side_of(ours(np.log(late)), LATE),
                why=why,
                **told,
            )
            if lam
            else measured(context, ITEM.id, name, late, why=why, **told)
        )
        if context.watch:
            context.watch((i + 1) / len(DECAYS))
    return Reproduction(
        rows=tuple(rows), figures=(figure(found),), config={**BASE, **chosen, "lam": DECAYS}
    )


def figure(found: dict[float, xr.Dataset]) -> Figure:
    """Accuracy on training and test points over time."""
    panels = []
    for lam, data in found.items():
        steps = np.maximum(data["step"].values.astype(float), 1.0)
        series = []
        for name, role in (("train_accuracy", "train"), ("test_accuracy", "test")):
            values = data[name].transpose("seed", "step").values
            series.append(over_seeds(role, steps, values, role=role))
        panels.append(
            Panel(
                x=Axis(label="step", scale="log"),
                y=Axis(label="accuracy", limits=(0.4, 1.02)),
                series=tuple(series),
                title=f"λ = {lam:g}",
            )
        )
    return Figure(
        id="barak2022-grokking",
        title="Understanding comes later",
        caption=f"Parity of {BASE['k']} of {BASE['d']} bits on {BASE['samples']} points, without "
        "weight decay and with it: accuracy on the training points and on fresh ones, mean and "
        "range over seeds.",
        panels=tuple(panels),
    )


ITEM = Item(
    id="barak2022.grokking",
    title="A small sample with weight decay: test accuracy long after training's",
    reproduce=reproduce,
    references=("barak2022",),
)

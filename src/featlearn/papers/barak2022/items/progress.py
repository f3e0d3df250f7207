"""What moves while loss and accuracy are flat: weights on the bits, and the largest move of any."""

from typing import Any

import numpy as np
import xarray as xr

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.papers.barak2022.parity import PARITY
from featlearn.papers.barak2022.statements.hidden_progress import progress
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import ours, side_of

SIZES: dict[str, dict[str, Any]] = {
    "quick": {"seeds": 2, "d": 30, "k": 3, "steps": 6000},
    "full": {"seeds": 10, "d": 30, "k": 3, "steps": 6000},
}
FLAT = 0.55


def reproduce(context: Context) -> Reproduction:
    """One parity, its loss, its accuracy, and two measures of progress."""
    chosen = SIZES[context.size]
    data = context.lab.run(
        PARITY,
        seeds=chosen["seeds"],
        d=chosen["d"],
        k=chosen["k"],
        steps=chosen["steps"],
        records=200,
        keep_weights=True,
    ).dataset
    ratio, last, accuracy = progress(data, FLAT)
    w = data["weights_w"].transpose("seed", "step", ...).values
    moved = np.abs(w - w[:, :1]).max(axis=(2, 3))
    seeds = np.arange(len(last))
    grown, far = ratio[seeds, last] / ratio[:, 0], moved[seeds, last]
    solved = moved[seeds, np.argmax(accuracy >= 0.98, axis=1)]
    rows = tuple(
        conclusion(
            context,
            ITEM.id,
            name,
            values,
            "moves while nothing shows",
            side_of(ours(values), least),
            recipe=f"last look with an accuracy below {FLAT:.0%}",
            why=f"from {values.min():.3g} to {values.max():.3g} over seeds",
        )
        for name, values, least in (
            ("relevant over other weights, against the start", grown, 1.0),
            ("largest move of a weight, over that at the solution", far / solved, 0.0),
        )
    )
    return Reproduction(
        rows=rows, figures=(figure(data, ratio, moved, accuracy),), config=dict(chosen)
    )


def figure(data: xr.Dataset, ratio: np.ndarray, moved: np.ndarray, accuracy: np.ndarray) -> Figure:
    """Accuracy above, progress below, one seed's time for all."""
    steps = np.maximum(data["step"].values.astype(float), 1.0)

    def series(name: str, values: np.ndarray, role: str) -> Series:
        return over_seeds(name, steps, values, role=role)

    panels = (
        Panel(
            x=Axis(label="step", scale="log"),
            y=Axis(label="accuracy", limits=(0.4, 1.02)),
            series=(series("accuracy", accuracy, "accuracy"),),
        ),
        Panel(
            x=Axis(label="step", scale="log"),
            y=Axis(label="relevant / other weights"),
            series=(series("relevant over others", ratio, "signal"),),
        ),
        Panel(
            x=Axis(label="step", scale="log"),
            y=Axis(label="largest move of a weight"),
            series=(series("|w_{t} - w_{0}|", moved, "opposite"),),
        ),
    )
    return Figure(
        id="barak2022-progress",
        title="Progress that the loss does not show",
        caption="Parity of 3 of 30 bits: accuracy on held-out points, weight on relevant bits over "
        "that on the others (root mean square over neurons), and the largest move of any weight. "
        "Mean and range over seeds.",
        panels=panels,
    )


ITEM = Item(
    id="barak2022.progress",
    title="What moves while loss and accuracy are flat",
    reproduce=reproduce,
    references=("barak2022",),
)

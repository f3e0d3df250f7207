"""Neurons after 0, 1 and 2 steps, drawn by their cosines (figures 2, 6, 8, 10, 12 and 14).

The claim of each figure is that the weights gather around ±sum_A M_j in the first two steps. Put as
a number: the median over neurons of |cosine| with sum_A M_j.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from featlearn.experiments.named import NamedExperiment
from featlearn.figures.neuron_map import map_panel
from featlearn.figures.record import Figure
from featlearn.measurements import cosines
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.patterns import INTERVAL, PARITY
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, measured
from featlearn.results.ledger import Row, ours, side_of

ID = "shi2022.maps"
SETTINGS: dict[str, tuple[str, NamedExperiment, dict[str, Any]]] = {
    "figure-6": ("parity", PARITY, {}),
    "figure-8": ("interval", INTERVAL, {}),
    "figure-10a": ("d = 100", PARITY, {"d": 100}),
    "figure-10b": ("d = 2000", PARITY, {"d": 2000}),
    "figure-12a": ("negative share .8", PARITY, {"negative": 0.8}),
    "figure-12b": ("negative share .9", PARITY, {"negative": 0.9}),
    "figure-14a": ("n = 25 000", PARITY, {"samples": 25_000}),
    "figure-14b": ("n = 10 000, m = 50", PARITY, {"samples": 10_000, "width": 100}),
}
"""Figure 2 of the main text is figure 6 again."""
STEPS = ("at the start", "after one step", "after two steps")


def reproduce(context: Context) -> Reproduction:
    """A map and three numbers a setting."""
    chosen = list(SETTINGS)[:1] if context.quick else list(SETTINGS)
    rows, figures = [], []
    for name in chosen:
        label, named, changes = SETTINGS[name]
        config = replace(named.config, **changes)
        direction = config.experiment().law.direction
        seeds = 2 if context.quick else 3
        medians = []
        for seed in range(seeds):
            weights = [params.w for params in early_weights(config, seed)]
            medians.append([float(np.median(np.abs(cosines(w, direction)))) for w in weights])
            if seed == 0:
                drawn = [np.asarray(w, np.float64) for w in weights]
                star = np.asarray(direction, np.float64)
                panel = map_panel(dict(zip(STEPS, drawn, strict=True)), star, label)
        rows += _rows(label, np.array(medians), context)
        figures.append(
            Figure(
                id=f"shi2022.{name}",
                title="Weights gather around the feature in the first two steps",
                caption="Neurons by multidimensional scaling of 1 - cosine, with ±sum_A M_j; those "
                "that the second step leaves at 0 have no direction and are left out.",
                panels=(panel,),
            )
        )
    return Reproduction(rows=tuple(rows), figures=tuple(figures))


def _rows(label: str, medians: np.ndarray, context: Context) -> list[Row]:
    names = [f"{label}, median |cosine| {step}" for step in STEPS]
    picture = "the paper shows a picture only"
    return [
        *(
            measured(context, ID, name, values, recipe="practical", why=picture)
            for name, values in zip(names[:2], medians.T[:2], strict=True)
        ),
        conclusion(
            context,
            ID,
            names[2],
            medians[:, 2],
            "gathered around ±sum_A M_j",
            side_of(ours(medians[:, 2]), 0.9),
            recipe="practical",
            why="more than .9 is read as gathered",
        ),
    ]


ITEM = Item(
    id=ID,
    title="Maps of the neurons after no, one and two steps",
    reproduce=reproduce,
    references=("shi2022",),
)

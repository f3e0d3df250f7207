"""The exponential wall: accuracy of fixed features against their number, for k = 3, 5, 7."""

from dataclasses import replace
from typing import Any

import numpy as np

from featlearn._config import fields
from featlearn.papers.daniely2020 import figures
from featlearn.papers.daniely2020.fixed import ROLES, compare
from featlearn.papers.daniely2020.parity import PARITY
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import measured

SIZES: dict[str, dict[str, Any]] = {
    "quick": {"d": 21, "k": (3, 5), "N": (64, 256, 1024), "samples": 2000, "seeds": 2},
    "full": {
        "d": 21,
        "k": (3, 5, 7),
        "N": (64, 256, 1024, 4096),
        "samples": 6000,
        "seeds": 2,
    },
}
MODELS = ("relu6 features", "cosines", "finite NTK")
NOTES = (
    "A small d favours the fixed features: all parities of k bits are C(d, k) directions, and "
    "those of three bits among 21 (1330) are within reach, those of five (20 349) are not. "
    "The sample is larger than the largest N, so that it is N that a model lacks.",
)


def reproduce(context: Context) -> Reproduction:
    """Fit every model at every N and k."""
    chosen = SIZES[context.size]
    command = f"featlearn reproduce daniely2020.wall --size {context.size}"
    curves: dict[int, dict[str, np.ndarray]] = {}
    plateaus, rows = {}, []
    total = len(chosen["k"]) * len(chosen["N"]) * chosen["seeds"]
    done = 0
    for k in chosen["k"]:
        config = replace(PARITY.config, d=chosen["d"], k=k, test=4000)
        plateaus[k] = 2 * config.distribution().monotone_accuracy - 1
        table = np.zeros((len(MODELS), len(chosen["N"]), chosen["seeds"]))
        for place, N in enumerate(chosen["N"]):
            fixed = {"config": config, "N": N, "samples": chosen["samples"], "only": MODELS}
            cases = [{**fixed, "seed": seed} for seed in range(chosen["seeds"])]
            for seed, found in enumerate(context.lab.compute_each(compare, cases)):
                table[:, place, seed] = [found[name].uniform for name in MODELS]
            done += chosen["seeds"]
            if context.watch:
                context.watch(done / total)
        curves[k] = dict(zip(MODELS, table, strict=True))
        best = table[:, -1].mean(axis=1).argmax()
        rows.append(
            measured(
                context,
                ITEM.id,
                f"best accuracy on the uniform half, k = {k}",
                table[best, -1],
                recipe="largest N",
                why=f"{MODELS[best]}, N = {chosen['N'][-1]}; the best threshold has "
                f"{plateaus[k]:.4g}",
            )
        )
    figure = figures.wall(curves, np.array(chosen["N"], float), plateaus, ROLES, command)
    told = {**fields(replace(PARITY.config, d=chosen["d"])), "seeds": chosen["seeds"]}
    return Reproduction(rows=tuple(rows), figures=(figure,), notes=NOTES, config=told)


ITEM = Item(
    id="daniely2020.wall",
    title="Accuracy of fixed features against their number",
    reproduce=reproduce,
    references=("daniely2020", "forster2002"),
)

"""What one exact population step makes of the neurons: on A alone, with spread kinks."""

from dataclasses import replace
from typing import Any

import jax
import numpy as np

from featlearn._config import fields
from featlearn._streams import stream
from featlearn.measurements import relevant_parts
from featlearn.papers.daniely2020 import figures
from featlearn.papers.daniely2020.neurons import central_trinomial
from featlearn.papers.daniely2020.parity import PARITY, Parities
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion, measured
from featlearn.results.ledger import Ours, Printed

SIZES: dict[str, dict[str, Any]] = {
    "quick": {"d": 301, "k": 5, "width": 4000},
    "full": {"d": 10_001, "k": 7, "width": 4000},
}
COMMAND = "featlearn reproduce daniely2020.first-step"


def after_first_step(config: Parities, seed: int) -> dict[str, np.ndarray]:
    """Weights at the start and after the exact step, kinks, and which neurons are balanced."""
    network, law = config.network(), config.distribution()
    params = network.init(key=stream(seed, "init"))
    first = config.experiment().phases[0]
    end = jax.jit(lambda p: first.step(p, 0, None, key=jax.random.key(0)))(params)
    parts = relevant_parts(end.w, law.A)
    return {
        "before": np.asarray(params.w),
        "after": np.asarray(end.w),
        "a": np.asarray(params.a),
        "kink": np.asarray(-end.b / (law.size * parts.mean)),
        "cos": np.asarray(parts.cos),
        "outside": np.asarray(parts.outside),
        "balanced": np.asarray(params.w[:, np.array(law.A)].sum(axis=1) == 0),
    }


def reproduce(context: Context) -> Reproduction:
    """One step of one network; every number of it is exact but the draw of the start."""
    config = replace(PARITY.config, **SIZES[context.size])
    seen = after_first_step(config, seed=0)
    balanced, k = seen["balanced"], config.k
    share, exact = float(balanced.mean()), central_trinomial(k) / 3**k
    d, A = config.d, np.arange(k)
    on_A = seen["after"][balanced][:, A].mean(axis=1)
    alpha = float(np.mean(on_A * np.sqrt(d) / seen["a"][balanced]))
    outside = float(seen["outside"][balanced].max())
    # Neurons come in twins, so that half of them are independent trials.
    found = Ours(mean=share, stderr=0.0, seeds=1, trials=config.width // 2)
    rows = (
        cell(context, ITEM.id, "balanced share", found,
             Printed(value=exact, sd=0.0, resolve=0.05), recipe="exact law",
             why="central trinomial over 3^k"),
        conclusion(context, ITEM.id, "weight outside A", outside, "at most 1512/(d-1)",
                   outside <= 1512 / (d - 1), recipe="balanced neurons",
                   why="exactly 0: an odd k and sum_A w = 0 leave a zero on A"),
        conclusion(context, ITEM.id, "alpha", alpha, "in [1/4, 1]", 0.25 <= alpha <= 1,
                   recipe="measured coefficient",
                   why="the text's alpha = phi(w, b) is larger: it takes h = 1 on D1 too"),
        measured(context, ITEM.id, "median cosine with sum_A e_j",
                 float(np.median(seen["cos"])), recipe="all neurons",
                 why="the paper gives no number; 1 is a neuron on A alone"),
    )  # fmt: skip
    bad = np.flatnonzero(~balanced)[np.argmax(seen["outside"][~balanced])]
    good = np.flatnonzero(balanced)[0]
    command = f"{COMMAND} --size {context.size}"
    drawn = (
        figures.weights(seen["after"][good], seen["after"][bad], seen["before"][good], k, command),
        figures.kinks(seen["kink"], balanced, k, command),
    )
    return Reproduction(rows=rows, figures=drawn, config={**fields(config), "seeds": 1})


ITEM = Item(
    id="daniely2020.first-step",
    title="One exact population step finds the relevant bits",
    reproduce=reproduce,
    references=("daniely2020",),
)

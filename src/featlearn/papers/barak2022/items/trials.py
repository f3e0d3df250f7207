"""Very many runs of one parity: when do they solve it, and could a random search do the same?

Claimed from 10^6 runs: no early successes. A search has a memoryless time, of which a share
1 - 2^-q lies before q times the median.
"""

from typing import Any

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.barak2022.trials import geometric_share, solve_times
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, measured
from featlearn.results.ledger import Ours, side_of

RUN = {"d": 10, "k": 3, "width": 16, "eta": 0.2, "batch": 16, "steps": 600, "every": 10}
SIZES: dict[str, dict[str, Any]] = {"quick": {"trials": 1000}, "full": {"trials": 100_000}}
EARLY = (0.25, 0.5)
CHUNK = 5000
"""Trials between two looks at the progress bar."""
NOTES = (
    "Parity of 3 of 10 bits, 16 ReLU neurons, hinge loss, η = .2, 16 fresh points a step; solved "
    "is 98 % of all 1024 points, looked at every 10 steps. The dashed line has the same median and "
    "no memory.",
)


def all_times(context: Context, trials: int) -> np.ndarray:
    """The times of all trials, NaN where 600 steps were not enough."""
    cases = [
        {**RUN, "trials": min(CHUNK, trials - begin), "seed": 1000 + begin}
        for begin in range(0, trials, CHUNK)
    ]
    return np.concatenate(context.lab.compute_each(solve_times, cases, watch=context.watch))


def reproduce(context: Context) -> Reproduction:
    """The histogram, and the share of early successes against that of a search."""
    trials = SIZES[context.size]["trials"]
    times = all_times(context, trials)
    done = np.where(np.isfinite(times), times, np.inf)
    median, solved = float(np.median(done)), float(np.isfinite(times).mean())
    rows = []
    for q in EARLY:
        count = int((done <= q * median).sum())
        search = geometric_share(q)
        share = Ours(mean=count / trials, stderr=0.0, seeds=trials, trials=trials)
        rows.append(
            conclusion(
                context,
                ITEM.id,
                f"share solved by {q:g} of the median",
                share,
                "0: no early successes",
                side_of(share, search / 10, above=False),
                recipe="n = 10, k = 3",
                why=f"{count} of {trials}; a memoryless search would have {search:.3g}, and a "
                "tenth of that is read as none",
            )
        )
    rows.append(
        measured(
            context,
            ITEM.id,
            "earliest success over the median",
            float(done.min() / median),
            recipe="n = 10, k = 3",
            why=f"median {median:g} steps, {solved:.2%} of {trials} solved in {RUN['steps']}",
        )
    )
    return Reproduction(
        rows=tuple(rows), figures=(figure(done, median),), notes=NOTES, config={**RUN}
    )


def figure(done: np.ndarray, median: float) -> Figure:
    """Share of runs solved by a step, and that of a search with the same median."""
    t = np.arange(0, RUN["steps"] + 1, 10).astype(float)
    solved = np.array([(done <= s).mean() for s in t])
    search = 1 - 2 ** (-t / median)
    width = 20.0  # two looks
    edges = np.arange(5.0, RUN["steps"] + width, width)
    count = np.histogram(done[np.isfinite(done)], edges)[0] / len(done)
    return Figure(
        id="barak2022-trials",
        title="No run is early",
        caption=f"{len(done)} runs of one parity. Left: share of runs by the step at which they "
        "solve it. Right: share solved so far, and a memoryless search with the same median.",
        panels=(
            Panel(
                x=Axis(label="step"),
                y=Axis(label="share of runs"),
                series=(
                    Series(
                        name="", x=edges[:-1] + width / 2, y=count, role="network", kind="steps"
                    ),
                ),
            ),
            Panel(
                x=Axis(label="step"),
                y=Axis(label="solved so far"),
                series=(
                    Series(name="SGD", x=t, y=solved, role="network"),
                    Series(name="search, same median", x=t, y=search, role="paper"),
                ),
            ),
        ),
    )


ITEM = Item(
    id="barak2022.trials",
    title="Very many runs of one parity: the histogram of times",
    reproduce=reproduce,
    references=("barak2022",),
)

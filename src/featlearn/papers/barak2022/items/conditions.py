"""Widths, batches and noisy labels: what sets the time to solve a parity, and what does not.

Claimed: r times the neurons give no r-fold speed-up, but less spread; the start, not the batches,
sets the time of a run; labels of which 49 % are flipped are still learned.
"""

from typing import Any

import numpy as np
from scipy.stats import f as f_distribution

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.barak2022.parity import PARITY
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import LEVEL, RowJudgement, Status, log_ratio, side_of

SIZES: dict[str, dict[str, Any]] = {
    "quick": {
        "seeds": 4,
        "widths": (10, 100, 1000),
        "batches": (16, 64, 256),
        "flips": {0.0: (32, 0.1, 4000), 0.3: (128, 0.1, 4000)},
        "steps": 5000,
    },
    "full": {
        "seeds": 10,
        "widths": (10, 100, 1000, 10_000, 100_000),
        "batches": (4, 16, 64, 256, 1024),
        "flips": {0.0: (32, 0.1, 4000), 0.3: (128, 0.1, 4000), 0.49: (4096, 1.0, 9000)},
        "steps": 5000,
    },
}
BASE = {"d": 20, "k": 3, "eta": 0.1}
NOTES = (
    "Parity of 3 of 20 bits, η = .1, 32 fresh points a step and 100 neurons unless varied; η is "
    "the same at every width. Noisy labels take larger batches, and 49 % of them a larger step, as "
    "the rows say.",
)


def times(context: Context, seeds: int, **fields: Any) -> np.ndarray:
    """The steps to 98 % of each seed; NaN where it was never reached."""
    found = context.lab.run(PARITY, seeds=seeds, **{**BASE, "test": 1000, **fields})
    return np.array(found.summary["solved_at"].values, float)


def reproduce(context: Context) -> Reproduction:
    """Three sweeps."""
    chosen = SIZES[context.size]
    seeds, steps = chosen["seeds"], chosen["steps"]
    by_width = {
        width: times(context, min(seeds, 3) if width > 10_000 else seeds, width=width, steps=steps)
        for width in chosen["widths"]
    }
    _tell(context, 0.4)
    by_batch = {b: times(context, seeds, batch=b, steps=steps) for b in chosen["batches"]}
    _tell(context, 0.7)
    by_flips = {
        flips: times(context, seeds, flips=flips, batch=batch, eta=eta, steps=most)
        for flips, (batch, eta, most) in chosen["flips"].items()
    }
    first, last = chosen["widths"][1], chosen["widths"][-1]
    narrow, wide = by_width[chosen["widths"][0]], by_width[last]
    wider = last / first
    spreads = ", ".join(f"{w}: {_spread(t):.2g}" for w, t in by_width.items())
    rows = [
        conclusion(
            context,
            ITEM.id,
            f"speed-up of {last} over {first} neurons",
            median(by_width[first]) / median(wide),
            f"far below {wider:g}",
            side_of(log_ratio(by_width[first], wide), np.log(wider / 3), above=False),
            recipe="medians",
            why="judged by the logarithms, a third read as far below; "
            + ", ".join(f"{w}: {median(t):.0f}" for w, t in by_width.items()),
        ),
        conclusion(
            context,
            ITEM.id,
            "spread of times over their median, widest over narrowest",
            _spread(wide) / _spread(narrow),
            "below 1",
            narrower(wide, narrow),
            recipe="standard deviation over median",
            why=spreads,
        ),
    ]
    for flips, found in by_flips.items():
        solved = np.isfinite(found)
        rows.append(
            conclusion(
                context,
                ITEM.id,
                f"runs that solve it with {flips:.0%} flipped labels",
                solved.astype(float),
                "every run",
                bool(solved.all()),
                recipe="batch {}, η = {}".format(*chosen["flips"][flips][:2]),
                why=f"median {median(found):.0f} steps" if solved.any() else "none",
            )
        )
    return Reproduction(
        rows=tuple(rows),
        figures=(figure(by_width, by_batch),),
        notes=NOTES,
        config={k: v for k, v in chosen.items() if k != "flips"} | BASE,
    )


def narrower(a: np.ndarray, b: np.ndarray) -> RowJudgement:
    """Whether log a is less spread than log b: the 99 % interval of the ratio, by Fisher's F."""
    if min(len(a), len(b)) < 2 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return RowJudgement(status=Status.CANNOT_TELL, detail="a run did not solve it")
    ratio = np.log(a).var(ddof=1) / np.log(b).var(ddof=1)
    freedom, tail = (len(a) - 1, len(b) - 1), (1 - LEVEL) / 2
    low, high = (float(np.sqrt(ratio / f_distribution.ppf(q, *freedom))) for q in (1 - tail, tail))
    detail = f"spread of the logarithms {low:.2g} to {high:.2g} times that of the narrowest"
    status = Status.AGREES if high < 1 else Status.DIFFERS if low > 1 else Status.CANNOT_TELL
    return RowJudgement(status=status, detail=detail)


def median(times: np.ndarray) -> float:
    """The median of the runs that solved it; NaN if none did."""
    known = times[np.isfinite(times)]
    return float(np.median(known)) if len(known) else float("nan")


def _spread(times: np.ndarray) -> float:
    known = times[np.isfinite(times)]
    return float(known.std(ddof=1) / np.median(known)) if len(known) > 1 else float("nan")


def _tell(context: Context, share: float) -> None:
    if context.watch:
        context.watch(share)


def figure(by_width: dict[int, np.ndarray], by_batch: dict[int, np.ndarray]) -> Figure:
    """Steps to 98 % against width and batch, a point a run."""
    panels = []
    for label, table, role in (
        ("neurons", by_width, "network"),
        ("points a step", by_batch, "large-batch"),
    ):
        sizes = np.array(list(table), float)
        x = np.concatenate(
            [np.full(len(t), size) for size, t in zip(sizes, table.values(), strict=True)]
        )
        y = np.concatenate(list(table.values()))
        middle = np.array([median(t) for t in table.values()])
        panels.append(
            Panel(
                x=Axis(label=label, scale="log"),
                y=Axis(label="steps to 98 %", scale="log"),
                series=(
                    Series(name="a run", x=x, y=y, role=role, kind="points"),
                    Series(name="median", x=sizes, y=middle, role="paper"),
                ),
            )
        )
    return Figure(
        id="barak2022-conditions",
        title="Neither width nor batch buys the factor it costs",
        caption="Steps until 98 % of held-out points are right, parity of 3 of 20 bits, against "
        "the number of neurons and against the points of a step.",
        panels=tuple(panels),
    )


ITEM = Item(
    id="barak2022.conditions",
    title="Widths, batches and noisy labels: what sets the time",
    reproduce=reproduce,
    references=("barak2022",),
)

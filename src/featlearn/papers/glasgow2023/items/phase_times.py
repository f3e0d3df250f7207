r"""When phase 1 ends: T1 against log d, against 1/eta, and against width, theta and batch.

    T1 = Theta(log(d)/eta)  (lemma 4.1);   to leading order log(d)/(2 eta tau1) = 1.253 log(d)/eta

Phase 1 is over when for every centre 0.1 of the neurons have w_sig.mu > 0 and ||w_sig|| >= theta
(c = 0), and E||w_perp + w_opp||^2 <= 4 theta^2. Each sweep changes one field and keeps the others.
The slope against log d is what the paper predicts; the rest shows what its hypotheses are needed
for.
"""

import math
from typing import Any

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.glasgow2023.figures import TAU1
from featlearn.papers.glasgow2023.watched import every_step
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion, measured
from featlearn.results.ledger import Printed, Row, Status

SIZES: dict[str, dict[str, Any]] = {
    "quick": {
        "seeds": 3,
        "base": {"d": 64, "width": 256, "test": 100},
        "d": (32, 64, 128, 256),
        "eta": (0.1, 0.2, 0.4),
        "width": (16, 64, 256),
        "theta": (0.1, 0.3, 0.6),
        "batch": (1, 16, 256, 1024),
    },
    "full": {
        "seeds": 5,
        "base": {"d": 128, "width": 256, "test": 500},
        "d": (32, 64, 128, 256, 512, 1024, 2048),
        "eta": (0.025, 0.05, 0.1, 0.2, 0.4),
        "width": (16, 64, 256, 1024),
        "theta": (0.05, 0.1, 0.3, 0.6),
        "batch": (1, 8, 32, 128, 512, 2048),
    },
}
LEADING = 1 / (2 * TAU1)
"""1.2533, the predicted slope of eta T1 against log d."""
NOTES = (
    "θ = 0.3, η = 0.2, m = 4d and the width of the base unless the sweep says otherwise; T1 with "
    "c = 0. A run in which phase 1 does not end within its steps is drawn as missing and counted.",
    "With few points a step (m ≪ d) the noise of the minibatch moves every neuron as much as the "
    "signal does; the sweep over batches shows where phase 1 stops ending.",
)
LETTER = {"d": "log d", "eta": "1/η", "width": "p", "theta": "θ", "batch": "m"}


def steps_of(eta: float, d: int) -> int:
    """Enough for phase 1 with room to spare."""
    return round(3.5 * (math.log(d) + 1) / eta)


def times(context: Context, field: str) -> np.ndarray:
    """T1 over one field; a row a value, a column a seed, NaN where phase 1 did not end."""
    chosen, found = SIZES[context.size], []
    for value in chosen[field]:
        fields = {**chosen["base"], field: value}
        eta = fields.get("eta", 0.2)
        steps = steps_of(eta, fields["d"])
        result = context.lab.run(
            XOR,
            seeds=chosen["seeds"],
            steps=steps,
            records=every_step(steps) if steps < 300 else 200,
            **fields,
        )
        ends = result.summary["phase_1_end"].values
        found.append([math.nan if end is None else end for end in ends])
    return np.array(found)


def line(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Slope and intercept of y against x, one a seed that has all points, and R^2 of the means.

    Example:
        >>> slope, at, r2 = line(np.arange(1.0, 4.0), np.array([[3.0], [5.0], [7.0]]))
        >>> round(float(slope[0]), 6), round(float(at[0]), 6), round(r2, 6)
        (2.0, 1.0, 1.0)
    """
    whole = np.isfinite(y).all(axis=0)
    if not whole.any():
        return np.full(1, math.nan), np.full(1, math.nan), math.nan
    slope, at = np.polyfit(x, y[:, whole], 1)
    mean = y[:, whole].mean(axis=1)
    fitted = np.polyval(np.polyfit(x, mean, 1), x)
    spread = float(np.sum((mean - mean.mean()) ** 2))
    return slope, at, 1 - float(np.sum((mean - fitted) ** 2)) / spread if spread else math.nan


def rows(context: Context, found: dict[str, np.ndarray]) -> list[Row]:
    """The ledger."""
    chosen, of_d, of_eta = SIZES[context.size], found["d"], found["eta"]
    slope, _, r2 = line(np.log(chosen["d"]), 0.2 * of_d)
    eta = np.array(chosen["eta"])
    power, _, _ = line(np.log(1 / eta), np.log(of_eta))
    base = np.log(chosen["base"]["d"])
    leading = Printed(
        value=LEADING, sd=0.0, allowed=0.3 * LEADING, reason="to leading order in log d"
    )
    inverse = Printed(value=1.0, sd=0.0, allowed=0.1, reason="Θ(1/η)")
    straight = r2 >= 0.95 if math.isfinite(r2) else Status.CANNOT_TELL
    listed = [
        cell(
            context,
            ITEM.id,
            "slope of η T1 against log d",
            all_seeds(slope, of_d),
            leading,
            recipe="c = 0",
            why="a tenth of the neurons lag behind the mean square",
        ),
        conclusion(
            context,
            ITEM.id,
            "R² of a log d + b",
            r2,
            "linear in log d",
            straight,
            recipe="c = 0",
            why="0.95 is asked",
        ),
        cell(
            context,
            ITEM.id,
            "exponent of T1 in 1/η",
            all_seeds(power, of_eta),
            inverse,
            recipe="c = 0",
            group=f"{ITEM.id}/eta",
        ),
    ]
    for field in ("width", "theta", "batch"):
        for value, ends in zip(chosen[field], found[field], strict=True):
            name = f"η T1/log d at {LETTER[field]} = {value:g}"
            why = f"phase 1 ended in {np.isfinite(ends).sum()} of {len(ends)} runs"
            listed.append(
                measured(context, ITEM.id, name, ends * 0.2 / base, recipe="c = 0", why=why)
            )
    return listed


def all_seeds(values: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """One number a seed, NaN for those in which phase 1 did not end everywhere."""
    known = values[np.isfinite(values)]
    return np.append(known, np.full(ends.shape[1] - len(known), math.nan))


def figure(context: Context, found: dict[str, np.ndarray]) -> Figure:
    """T1 against each field, a panel each."""
    chosen, panels = SIZES[context.size], []
    for field, ends in found.items():
        value = np.array(chosen[field], float)
        x = {"d": np.log(value), "eta": 1 / value}.get(field, value)
        series = [_series(x, ends)]
        if field == "d":
            start = float(np.nanmean(ends[0]))
            predicted = start + LEADING / 0.2 * (x - x[0])
            series.append(Series(name="slope 1.253/η", x=x, y=predicted, role="paper"))
        scale = "linear" if field in ("d", "eta", "theta") else "log"
        axis = Axis(label=LETTER[field], scale=scale)
        panels.append(Panel(x=axis, y=Axis(label="T_{1} (steps)"), series=tuple(series)))
    return Figure(
        id="phase-times",
        title="The first phase takes log(d)/η steps",
        caption="End of phase 1 against log d, 1/η, width, scale of the initialisation and batch: "
        "mean over seeds, band from the least to the most; missing where a run never got there. "
        "Dashed: the slope that the paper predicts to leading order.",
        panels=tuple(panels),
    )


def _series(x: np.ndarray, ends: np.ndarray) -> Series:
    some = np.isfinite(ends).any(axis=1)
    low, mean, high = np.full((3, len(ends)), np.nan)
    for i in np.flatnonzero(some):
        low[i], mean[i], high[i] = (f(ends[i]) for f in (np.nanmin, np.nanmean, np.nanmax))
    return Series(name="SGD", x=x, y=mean, low=low, high=high, role="network")


def reproduce(context: Context) -> Reproduction:
    """Time phase 1 over every sweep."""
    found: dict[str, np.ndarray] = {}
    fields = ("d", "eta", "width", "theta", "batch")
    for place, field in enumerate(fields):
        found[field] = times(context, field)
        if context.watch:
            context.watch((place + 1) / len(fields))
    chosen = SIZES[context.size]
    return Reproduction(
        rows=tuple(rows(context, found)),
        figures=(figure(context, found),),
        notes=NOTES,
        config={k: v for k, v in chosen.items() if k != "base"} | {"base d": chosen["base"]["d"]},
    )


ITEM = Item(
    id="glasgow2023.phase-times",
    title="T1 against log d and 1/η, and what else moves it",
    reproduce=reproduce,
    references=("glasgow2023",),
)

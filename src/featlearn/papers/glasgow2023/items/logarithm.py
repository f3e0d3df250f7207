r"""Theorem 3.1 over four decades of d: do the steps grow like log d, or like a small power of d?

    t*   first step with a held-out loss of at most 1/log d      log t* = c + q log log d + s log d

The theorem has t* <= C log(d)/eta: q = 1 and s = 0. A logarithm and a small power look alike over a
few decades, so every row says which power s of d nine of ten samples of this size would have told
from none (D90). Gaussian noise, exactly in law at a cost free of d (`featlearn.training.wishart`):

    letter      theta = 1/log d, m = d log d, eta <= theta at every d: every listed hypothesis met
    variations  theta = 0.3, eta = 0.2, p = 50, m = d; then eta, theta, p or m alone another
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.seeds import over_sizes
from featlearn.measurements import first_step
from featlearn.papers.glasgow2023.items.million import ETA, fields
from featlearn.papers.glasgow2023.watched import every_step
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion, measured
from featlearn.results.ledger import Ours, Printed, Row, log_ratio, side_of
from featlearn.theory.growth import PowerBesideLog, power_beside_log

LETTER = "letter"
BASE = "m = d"
LETTER_ETA = 0.08
"""At most 1/log d up to d = 10^5."""
LITTLE = 0.1
"""The largest power of d that is read as none, as where hidden constants are judged."""
SIZES: dict[str, dict[str, Any]] = {
    "quick": {
        LETTER: {10: 3, 100: 3, 1000: 3},
        BASE: {100: 3, 1000: 3, 10_000: 2},
        "η = 0.1": {100: 3, 1000: 3, 10_000: 2},
    },
    "full": {
        LETTER: {10: 20, 100: 20, 1000: 20, 10_000: 5, 100_000: 3},
        BASE: {100: 5, 1000: 5, 10_000: 5, 100_000: 5, 1_000_000: 3},
        "η = 0.1": {100: 5, 1000: 5, 10_000: 5, 100_000: 3},
        "θ = 0.15": {100: 5, 1000: 5, 10_000: 5, 100_000: 3},
        "p = 100": {100: 5, 1000: 5, 10_000: 5, 100_000: 3},
        "m = d/4": {100: 5, 1000: 5, 10_000: 5, 100_000: 5, 1_000_000: 4},
        "m = 4 d": {100: 5, 1000: 5, 10_000: 5, 100_000: 3},
    },
}
CHANGES: dict[str, dict[str, Any]] = {
    BASE: {},
    "η = 0.1": {"eta": 0.1},
    "θ = 0.15": {"theta": 0.15},
    "p = 100": {"width": 100},
    "m = d/4": {"batch_ratio": 0.25},
    "m = 4 d": {"batch_ratio": 4.0},
}
ROLES = {
    LETTER: "network",
    BASE: "large-batch",
    "η = 0.1": "opposite",
    "θ = 0.15": "random-features",
    "p = 100": "kernel",
    "m = d/4": "small-batch",
    "m = 4 d": "orthogonal",
}
"""Roles with seven looks that can be told apart."""
NOTES = (
    "Letter: θ = 1/log d, m = d log d, η = 0.08 ≤ θ, 50 neurons; the variations keep θ = 0.3, "
    "η = 0.2, 50 neurons and m = d but for what they are named after. Gaussian noise; plain where "
    "d is small, in the coordinates of the neurons elsewhere (docs/million-dimensions.md).",
    "t* is the first step at which the loss of 2000 held-out points is at most 1/log d. A power of "
    "d is fitted beside one power of log d (q = 1, the theorem's), and beside a free power q.",
)


@dataclass(frozen=True, kw_only=True)
class Times:
    """Steps to the loss 1/log d, times eta, at one setting: one row of seeds per dimension."""

    name: str
    d: tuple[int, ...]
    values: tuple[Float[np.ndarray, " _"], ...]

    def power(self, log_power: float | None = 1.0) -> PowerBesideLog:
        """The power of d beside log d, or beside the power of log d that fits best."""
        return power_beside_log(self.d, self.values, log_power=log_power)


def setting(name: str, d: int) -> dict[str, Any]:
    """The fields of one run."""
    if name == LETTER:
        steps = 100 + round(35 * math.log(d))
        return {
            "noise": "gaussian",
            "width": 50,
            "theta": 1 / math.log(d),
            "eta": LETTER_ETA,
            "batch": math.ceil(d * math.log(d)),
            "steps": steps,
            "records": every_step(steps),
            "test": 2000,
        }
    changes = CHANGES[name]
    base = fields(d, min(changes.get("batch_ratio", 1.0), 1.0)) | changes
    steps = round(base["steps"] * ETA / base["eta"])
    return base | {"steps": steps, "records": every_step(steps)}


def times(context: Context, name: str) -> Times:
    """Train at every d, and find t* eta."""
    wanted, found = SIZES[context.size][name], []
    for d, seeds in wanted.items():
        chosen = setting(name, d)
        data = context.lab.run(XOR, seeds=seeds, d=d, **chosen).dataset
        low = (data["test_loss"] <= 1 / math.log(d)).values
        found.append(chosen["eta"] * first_step(low, data["step"].values))
    return Times(name=name, d=tuple(wanted), values=tuple(found))


def row(context: Context, found: Times) -> Row:
    """The power of d beside log d."""
    fit, free = found.power(), found.power(None)
    interval = free.interval or (math.nan, math.nan)
    decades = math.log10(found.d[-1] / found.d[0])
    mine = Ours(
        mean=fit.power if math.isfinite(fit.power) else None,
        stderr=fit.stderr if math.isfinite(fit.stderr) else None,
        seeds=int(min(fit.freedom, 1e6)) + 1 if math.isfinite(fit.freedom) else 1,
        missing=sum(int(np.isnan(each).sum()) for each in found.values),
    )
    ends = f"η t*/log d from {constant(found, 0):.3g} to {constant(found, -1):.3g}"
    return conclusion(
        context,
        ITEM.id,
        f"power of d in t* beside log d, {found.name}",
        mine,
        "none: t* ≤ C log(d)/η",
        side_of(mine, LITTLE, above=False),
        recipe=found.name,
        why=f"{decades:.0f} decades, D90 {fit.detectable:.2g}; {ends}; beside a free power "
        f"(log d)^{free.log_power:.2f} the power of d is {interval[0]:.2f} to {interval[1]:.2f}",
    )


def constant(found: Times, place: int) -> float:
    """eta t*/log d at one of the dimensions."""
    return float(np.nanmean(found.values[place])) / math.log(found.d[place])


def ratio(found: Times, base: Times) -> tuple[int, Ours]:
    """log of eta t* over that of the base, with Welch's error, at the largest d with most seeds."""
    shared = [d for d in found.d if d in base.d]
    seeds = {d: min(len(each.values[each.d.index(d)]) for each in (found, base)) for d in shared}
    d = max(shared, key=lambda d: (seeds[d], d))
    pair = [each.values[each.d.index(d)] for each in (found, base)]
    return d, log_ratio(*pair)


def exponent_in_eta(context: Context, found: Times, base: Times) -> Row:
    """The power of 1/eta in t*: 1 + log(eta t* over eta' t'*)/log(eta'/eta)."""
    d, gap = ratio(found, base)
    unit = math.log(ETA / CHANGES[found.name]["eta"])
    known = gap.mean is not None and gap.stderr is not None
    mine = replace(
        gap,
        mean=1 + (gap.mean or 0.0) / unit if known else None,
        stderr=(gap.stderr or 0.0) / unit if known else None,
    )
    return cell(
        context,
        ITEM.id,
        f"exponent of t* in 1/η, d = {d:.0e}",
        mine,
        Printed(value=1.0, sd=0.0, allowed=0.1, reason="an order of growth"),
        recipe=found.name,
        group=f"{ITEM.id}/{found.name}",
    )


def rows(context: Context, found: dict[str, Times]) -> list[Row]:
    """One row per setting, and what each variation changes."""
    listed = [row(context, each) for each in found.values()]
    for name, each in found.items():
        if "eta" in CHANGES.get(name, {}):
            listed.append(exponent_in_eta(context, each, found[BASE]))
        elif name not in (LETTER, BASE):
            d, gap = ratio(each, found[BASE])
            quantity = f"log of t* over that of {BASE}, d = {d:.0e}"
            why = "the theorem's C is hidden"
            listed.append(measured(context, ITEM.id, quantity, gap, why=why, recipe=name))
    return listed


def figure(found: dict[str, Times]) -> Figure:
    """eta t* against d, and over log d."""
    d = np.array(found[LETTER].d + found[BASE].d[-1:], float)
    start = float(np.nanmean(found[LETTER].values[0]))
    level = start / np.log(d[0])
    claimed = Series(name="log d", x=d, y=level * np.log(d), role="paper")
    flat = Series(name="log d", x=d, y=np.full(len(d), level), role="paper")
    axis = Axis(label="input dimension d", scale="log")
    return Figure(
        id="logarithm",
        title="The steps of theorem 3.1 against the dimension",
        caption="Steps to a held-out loss of 1/log d, times η: mean over seeds, band from the "
        "least to the most; dashed log d through the first point. Right: over log d, which a power "
        "of d would raise by the same factor every decade.",
        panels=(
            Panel(
                x=axis,
                y=Axis(label="η t*"),
                series=(*(curve(each) for each in found.values()), claimed),
            ),
            Panel(
                x=axis,
                y=Axis(label="η t* / log d"),
                series=(*(curve(each, over_log=True) for each in found.values()), flat),
            ),
        ),
    )


def curve(found: Times, *, over_log: bool = False) -> Series:
    """A setting against d."""
    d = np.array(found.d, float)
    scale = np.log(d) if over_log else np.ones(len(d))
    values = [row / unit for row, unit in zip(found.values, scale, strict=True)]
    return over_sizes(found.name, d, values, role=ROLES[found.name])


def reproduce(context: Context) -> Reproduction:
    """Train every setting at every d."""
    chosen = SIZES[context.size]
    found = {}
    for name in chosen:
        found[name] = times(context, name)
        if context.watch:
            context.watch(len(found) / len(chosen))
    return Reproduction(
        rows=tuple(rows(context, found)),
        figures=(figure(found),),
        notes=NOTES,
        config={name: tuple(d) for name, d in chosen.items()},
    )


ITEM = Item(
    id="glasgow2023.logarithm",
    title="Steps of theorem 3.1 over four decades of d: a logarithm or a small power",
    reproduce=reproduce,
    references=("glasgow2023",),
)

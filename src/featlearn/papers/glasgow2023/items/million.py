r"""XOR in a million dimensions: samples to 95 % and T1 from d = 10^2 to 10^6, Gaussian noise.

    s   samples to 95 %      m/d   points a step over d
    T1  first step at which every centre has a neuron with w_sig.mu > 0 and ||w_sig|| >= theta

Exact in law at a cost free of d (`featlearn.training.wishart`), plain below d = 4 (2 + p). The
paper proves s <= d polylog d and T1 = Theta(log(d)/eta), and that nothing rotation-invariant does
with s <= d/log^2 d (proposition F.1, `floor`). A power of the log is read off between neighbouring
decades (`decades`): it need not be one power. Boolean noise is compared with Gaussian noise up to d
= 4096 (`boolean_gap`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.seeds import over_sizes
from featlearn.measurements import first_step, reaching
from featlearn.papers.glasgow2023 import boolean_gap, floor
from featlearn.papers.glasgow2023.kernel_samples import LEVEL
from featlearn.papers.glasgow2023.watched import every_step
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import Found, measured
from featlearn.results.ledger import Ours, Row
from featlearn.results.statistics import mean_interval
from featlearn.theory.growth import power_of_log

WIDTH, ETA = 50, 0.2
STEPS = {0.25: 7.0, 0.5: 6.0, 1.0: 5.0}
"""Steps of training over log(d)/eta at each m/d, with room to spare."""
LEAST = 120
"""Steps at least."""
SIZES: dict[str, dict[str, Any]] = {
    "quick": {
        "seeds": {100: 3, 1000: 3, 10_000: 2},
        "ratios": (0.25,),
        "floor": {10_000: 2},
        "gap": {"d": (128, 256), "seeds": 3},
    },
    "full": {
        "seeds": {100: 5, 1000: 5, 10_000: 5, 100_000: 5, 1_000_000: 2},
        "ratios": (0.25, 0.5, 1.0),
        "floor": {100: 5, 1000: 5, 10_000: 5, 100_000: 5, 1_000_000: 2},
        "gap": {"d": (128, 256, 512, 1024, 2048, 4096), "seeds": 10},
    },
}
ROLES = {0.25: "small-batch", 0.5: "network", 1.0: "large-batch"}
LETTER = {"samples": "samples/d", "T1": "T1"}
NOTES = (
    "Gaussian noise, Boolean signal, θ = 0.3, η = 0.2, 50 neurons; d = 100 by plain simulation, "
    "from d = 1000 on in the coordinates of the neurons (docs/million-dimensions.md).",
    "T1 is when every centre has a neuron of its own, ‖w_sig‖ ≥ θ. Lemma 4.1 asks for a tenth of "
    "the neurons and a small rest, which batches far below d/θ do not leave: at m = d/4, d = 10⁶ "
    "their noise keeps E‖w⊥‖² above 4θ². A run that does not get there within its steps is counted "
    "and drawn as missing; the steps are 5 to 7 log(d)/η, more where the batch is smaller.",
    "The floor is the error of the network on a fixed sample of d/log² d points, 80 full-batch "
    "steps; proposition F.1 says that no rotation-invariant learner gets below 3 %.",
)


@dataclass(frozen=True, kw_only=True)
class Decades:
    """What was found at one m/d: a tuple of seeds for every d, NaN where it was never reached."""

    ratio: float
    d: tuple[int, ...]
    samples: tuple[Float[np.ndarray, " _"], ...]
    """Over d."""
    T1: tuple[Float[np.ndarray, " _"], ...]
    ended: tuple[Float[np.ndarray, " _"], ...]
    """The end of phase 1 by the letter of lemma 4.1."""


def decades(context: Context, ratio: float) -> Decades:
    """Train at every d."""
    samples, found, ended = [], [], []
    wanted = SIZES[context.size]["seeds"]
    for d, seeds in wanted.items():
        result = context.lab.run(XOR, seeds=seeds, d=d, **fields(d, ratio))
        at = result.dataset["step"].values * float(result.config.batch_size) / d
        seen = result.dataset["test_accuracy"].values.astype(float)
        samples.append(reaching(at, seen, LEVEL))
        covered = (result.dataset["found"] > 0).all("cluster").values
        found.append(first_step(covered, result.dataset["step"].values))
        last = result.summary["phase_1_end"].values
        ended.append(np.array([math.nan if end is None else end for end in last]))
    return Decades(
        ratio=ratio,
        d=tuple(wanted),
        samples=tuple(samples),
        T1=tuple(found),
        ended=tuple(ended),
    )


def _band(each: Decades, values: Sequence[Float[np.ndarray, " _"]]) -> Series:
    """A quantity against d."""
    d = np.array(each.d, float)
    return over_sizes(f"m/d = {each.ratio:g}", d, values, role=ROLES[each.ratio])


def fields(d: int, ratio: float) -> dict[str, Any]:
    """The experiment at one d and m/d."""
    steps = max(LEAST, round(STEPS[ratio] * math.log(d) / ETA))
    return {
        "noise": "gaussian",
        "width": WIDTH,
        "eta": ETA,
        "batch_ratio": ratio,
        "steps": steps,
        "records": every_step(steps),
        "test": 2000,
    }


def rows(context: Context, found: list[Decades]) -> list[Row]:
    """The powers of the log between neighbouring decades, and what it took at the largest d."""
    listed = []
    for each in found:

        def told(name: str, value: Found, why: str, of: Decades = each) -> Row:
            why = f"{why}; the constant and the power are hidden"
            return measured(context, ITEM.id, name, value, why=why, recipe=f"m/d = {of.ratio:g}")

        for quantity in ("samples", "T1"):
            values = getattr(each, quantity)
            for i, d in enumerate(zip(each.d, each.d[1:], strict=False)):
                q, error, _ = power_of_log(d, values[i : i + 2])
                last = values[i + 1]
                mine = Ours(
                    mean=q if math.isfinite(q) else None,
                    stderr=error if math.isfinite(error) else None,
                    seeds=len(last),
                    missing=int(np.isnan(last).sum()),
                )
                name = f"power of log d in {LETTER[quantity]}, {d[0]:.0e} to {d[1]:.0e}"
                why = "T1 = Θ(log(d)/η)" if quantity == "T1" else "s = d polylog d"
                listed.append(told(name, mine, why))
            name = f"{LETTER[quantity]} at d = {each.d[-1]:.0e}"
            listed.append(told(name, values[-1], "no number is printed"))
        name = f"share of runs whose phase 1 ends by the letter, d = {each.d[-1]:.0e}"
        why = "lemma 4.1 asks for m >= d/θ, a tenth of the neurons and E‖w⊥+w_opp‖² <= 4θ²"
        listed.append(told(name, np.isfinite(each.ended[-1]).astype(float), why))
    return listed


def figure(found: list[Decades], errors: dict[int, np.ndarray], gap: boolean_gap.Gap) -> Figure:
    """Samples, T1, the floor, and the gap to Boolean noise."""
    d = np.array(found[0].d, float)
    first = mean_interval(found[0].samples[0])[0]
    above = first * (np.log(d) / math.log(d[0])) ** 3
    curves = [_band(each, each.samples) for each in found]
    bounds = (
        Series(name="log³ d (theorem 3.1, θ = 1/log d)", x=d, y=above, role="paper"),
        Series(name="1/log² d (proposition F.1)", x=d, y=1 / np.log(d) ** 2, role="floor"),
    )
    axis = Axis(label="input dimension d", scale="log")
    steps = [_band(each, each.T1) for each in found]
    start = mean_interval(found[0].T1[0])[0]
    line = Series(name="log d", x=d, y=start * np.log(d) / math.log(d[0]), role="paper")
    return Figure(
        id="million",
        title="Finding features takes d polylog d samples, up to a million dimensions",
        caption=f"Samples to {LEVEL:.0%} over d, and end of phase 1, against the dimension: mean "
        "over seeds, band from the least to the most; dashed the proved orders of growth through "
        "the first point, dotted the proved floor. Then the error on d/log² d points beside its "
        "floor, and how far Boolean noise is from the Gaussian noise of all the others.",
        panels=(
            Panel(
                x=axis,
                y=Axis(label=f"samples to {LEVEL:.0%}, over d", scale="log"),
                series=(*curves, *bounds),
            ),
            Panel(x=axis, y=Axis(label="T_{1} (steps)"), series=(*steps, line)),
            floor.panel(errors),
            boolean_gap.panel(gap),
        ),
    )


def reproduce(context: Context) -> Reproduction:
    """Train at every d and m/d, try the floor, compare the noises."""
    chosen = SIZES[context.size]
    parts = len(chosen["ratios"]) + 2
    found: list[Decades] = []

    def tell(done: int) -> None:
        if context.watch:
            context.watch(done / parts)

    for ratio in chosen["ratios"]:
        found.append(decades(context, ratio))
        tell(len(found))
    errors = floor.measure(context, chosen["floor"], WIDTH)
    tell(parts - 1)
    sizes = chosen["gap"]
    gap = boolean_gap.measure(context, sizes, {**fields(max(sizes["d"]), 1.0), "noise": "boolean"})
    tell(parts)
    return Reproduction(
        rows=(
            *rows(context, found),
            *floor.rows(context, errors, ITEM.id),
            *boolean_gap.rows(context, gap, ITEM.id),
        ),
        figures=(figure(found, errors, gap),),
        notes=NOTES,
        config={
            "d": tuple(chosen["seeds"]),
            "m/d": chosen["ratios"],
            "width": WIDTH,
            "η": ETA,
            "θ": 0.3,
        },
    )


ITEM = Item(
    id="glasgow2023.million",
    title="Samples and T1 against d from 10² to 10⁶, Gaussian noise",
    reproduce=reproduce,
    references=("glasgow2023",),
)

"""Twelve targets side by side: what the calculator says, what the flow does, what SGD does.

calculator   leap, ties, floor -> the time to learn is bounded, logarithmic in d, or a power of d
flow         T(d) of neurons that start where those of a network in R^d do, d to 10^6 or 10^8
SGD          T = eta t of one-pass SGD in R^d against that of the flow in the same d
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from featlearn.distributions import Boolean
from featlearn.figures.record import Axis, Figure, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.papers.abbe2022.flows import time_to_learn
from featlearn.papers.abbe2022.staircase import STAIRCASE
from featlearn.papers.abbe2022.targets import CLASSES, TARGETS, predicted
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, conclusion
from featlearn.results.ledger import Printed, Row

SIZES: dict[str, dict[str, Any]] = {
    "quick": {"seeds": 1, "d": (1e2, 1e4, 1e6), "sgd": 32, "sgd_seeds": 2},
    "full": {"seeds": 4, "d": (1e2, 1e4, 1e6, 1e8), "sgd": 128, "sgd_seeds": 12},
}
LARGEST_POWER = 1e6
"""A power of d is followed up to here: its horizon grows with it."""
NOTES = (
    "T is the time (η times steps) at which the error is a tenth of the variance of the target. "
    "Of the flow it is told as a power where its exponent over the two largest d is above .25, "
    "as logarithmic where it still grows by more than 3 % from the middle d to the largest, "
    "else as bounded.",
    "SGD has η = .5, batches of 4 d fresh points and 256 neurons; its T is compared with that of "
    "the flow of 64 neurons from a start in the same d, so the flow's share of chance is in it.",
)


def measured_class(d: tuple[float, ...], T: np.ndarray) -> tuple[str, float]:
    """The class of a column of times, and the exponent between the two largest dimensions."""
    slope = math.log(T[-1] / T[-2]) / math.log(d[-1] / d[-2])
    if slope > 0.25:
        return "power", slope
    return ("logarithmic" if T[-1] > 1.03 * T[1] else "bounded"), slope


def flow_times(context: Context, target: str, d: Sequence[float], seeds: int) -> np.ndarray:
    """T, a row a dimension and a column a seed."""
    cases = [{"target": target, "d": float(n), "seed": s} for n in d for s in range(seeds)]
    return np.array(context.lab.compute_each(time_to_learn, cases)).reshape(len(d), -1)


def sgd_times(context: Context, target: str, d: int, seeds: int, horizon: float) -> np.ndarray:
    """eta t at which a tenth of the variance is left, of one-pass SGD."""
    eta = 0.5
    found = context.lab.run(
        STAIRCASE,
        seeds=seeds,
        formula=target,
        d=d,
        width=256,
        eta=eta,
        batch_ratio=4.0,
        steps=max(200, round(3 * horizon / eta)),
        records=150,
    )
    return eta * np.asarray(found.summary["learned_at"].values, float)


def reproduce(context: Context) -> Reproduction:
    """Every target three times."""
    chosen, rows, curves = SIZES[context.size], [], []
    for number, (name, target) in enumerate(TARGETS.items(), start=1):
        law, told = Boolean(d=64, target=target), predicted(target)
        d = tuple(n for n in chosen["d"] if told != "power" or n <= LARGEST_POWER)
        T = flow_times(context, target, d, chosen["seeds"])
        kind, slope = measured_class(d, T.mean(axis=1))
        tie = ", tied" if law.ties.tied else ""
        rows.append(
            conclusion(
                context,
                ITEM.id,
                f"{name}: growth of T(d)",
                slope,
                told,
                kind == told,
                recipe="flow",
                why=f"leap {law.leap}{tie}, floor {law.flow_floor:.3g}; the flow is {kind}: T = "
                + ", ".join(f"{t:.4g}" for t in T.mean(axis=1)),
            )
        )
        near = float(flow_times(context, target, [chosen["sgd"]], 3).mean())
        sgd = sgd_times(context, target, chosen["sgd"], chosen["sgd_seeds"], near)
        rows.append(_sgd_row(context, name, sgd / near, chosen["sgd"], near))
        curves.append((name, told, np.array(d), T))
        if context.watch:
            context.watch(number / len(TARGETS))
    return Reproduction(
        rows=tuple(rows),
        figures=(figure(curves),),
        notes=NOTES,
        config=dict(chosen) | TARGETS,
    )


def _sgd_row(context: Context, name: str, ratio: np.ndarray, d: int, near: float) -> Row:
    return cell(
        context,
        ITEM.id,
        f"{name}: T of SGD over T of the flow",
        ratio,
        Printed(value=1.0, sd=0.0, allowed=0.35, reason="a limit, o(1) at this d"),
        recipe="SGD",
        group=f"{ITEM.id}/{name}",
        why=f"flow {near:.4g} at d = {d}; a run may take three times that",
    )


def figure(curves: list[tuple[str, str, np.ndarray, np.ndarray]]) -> Figure:
    """T against d, a panel a class."""
    looks = ("network", "ntk", "random-features", "linear", "kernel", "first-layer")
    panels = []
    for kind in CLASSES:
        mine = [each for each in curves if each[1] == kind]
        series = tuple(
            over_seeds(name, d, T.T, role=looks[i % len(looks)] if i < len(looks) else "reference")
            for i, (name, _, d, T) in enumerate(mine)
        )
        scale = "log" if kind == "power" else "linear"
        top = max(float(np.nanmax(each[3])) for each in mine)
        room = None if kind == "power" else (0.0, 3.5 * top)  # for the legend
        panels.append(
            Panel(
                x=Axis(label="d", scale="log"),
                y=Axis(label="time to learn", scale=scale, limits=room),
                series=series,
                title=kind,
            )
        )
    return Figure(
        id="abbe2022-targets",
        title="Twelve targets, three ways for time to grow",
        caption="Time of the flow until a tenth of the variance is left, against the dimension "
        "that sets the size of the start; bands from the least to the largest seed. The panel is "
        "the class that the calculator gives from leap and ties.",
        panels=tuple(panels),
    )


ITEM = Item(
    id="abbe2022.targets",
    title="Twelve targets, by the calculator, by the flow and by SGD",
    reproduce=reproduce,
    references=("abbe2022", "abbe2023"),
)

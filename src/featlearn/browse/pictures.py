"""Draw stored runs: a recorded quantity over steps, or a summary over a field, in groups.

Runs whose fields `by` agree form a group, in which their seeds are pooled. A line is the mean over
the seeds of a group, its band the 95 % interval of that mean. A quantity with one number per neuron
(or along any other axis) is represented by its median over that axis.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from featlearn._check import require, suggestion
from featlearn.browse.shelf import Listed, Shelf, number_of, varying
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.results.compare import Difference, welch
from featlearn.results.seeds import Numbers, finished, read_seeds, read_summary
from featlearn.results.store import Entry

if TYPE_CHECKING:
    import xarray as xr

MOST = 60
"""So many runs are drawn at once."""
STEP = "step"
CYCLE = ("network", "ntk", "random-features", "linear", "kernel", "first-layer", "plain", "own")
"""Looks of the groups, in turn."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Runs that have the same values of the fields they are grouped by."""

    label: str
    runs: tuple[Listed, ...]
    role: str


def picture(
    out: Path | Shelf,
    addresses: Sequence[str],
    *,
    quantity: str,
    over: str = STEP,
    by: Sequence[str] = (),
    log_x: bool = False,
    log_y: bool = False,
) -> Figure:
    """Return the figure of some stored runs.

    Args:
        out: the store.
        addresses: places in it, ``id/key/program``.
        quantity: what was recorded; over a field, what the summary names.
        over: "step", or a field.
        by: the fields whose values make the groups; none: each run by itself.
        log_x: a logarithmic axis across.
        log_y: a logarithmic axis up.
    """
    shelf = out if isinstance(out, Shelf) else Shelf(Path(out))
    runs = chosen(shelf, addresses)
    grouped = groups(runs, [field for field in by if field != over])
    draw = _series_over_steps if over == STEP else _series_over_field
    series = [draw(group, quantity, over) for group in grouped]
    names = ", ".join(dict.fromkeys(run.stored.id for run in runs))
    pooled = over == STEP and len(grouped) < len(runs)
    between = " Runs that were recorded at different steps are interpolated." if pooled else ""
    return Figure(
        id=f"{quantity}-over-{over}".replace(" ", "-"),
        title=f"{names}: {quantity.replace('_', ' ')}",
        caption=f"Mean over the seeds of {_count(len(runs), 'run')} in "
        f"{_count(len(grouped), 'group')}, with the 95 % interval of that mean.{between}",
        panels=(
            Panel(
                x=_axis(series, over, log=log_x),
                y=Axis(label=quantity.replace("_", " "), scale="log" if log_y else "linear"),
                series=tuple(series),
            ),
        ),
        command=f"featlearn browse --out {shelf.root.name}",
    )


def chosen(shelf: Shelf, addresses: Sequence[str]) -> list[Listed]:
    """Return the runs at these addresses, including the runs of sweeps; each must have finished
    seeds.
    """
    found = {run.address: run for address in addresses for run in shelf.runs(address)}
    require(0 < len(found) <= MOST, "runs", f"1 to {MOST} of them", len(found))
    runs = list(found.values())
    for run in runs:
        there = run.kind == "run" and run.stored.seeds > 0
        require(there, run.address, "a run with finished seeds", run.kind)
    return runs


def groups(runs: Sequence[Listed], by: Sequence[str]) -> list[Group]:
    """Return the groups, in the order of their values; without fields, every run is its own
    group.
    """
    for field in by:
        known = {name for run in runs for name in run.config}
        require(
            field in known, "group", "a field of the runs", repr(field), suggestion(field, known)
        )
    found: dict[tuple[str, ...], list[Listed]] = {}
    for run in runs:
        own = tuple(run.config.get(field, "none") for field in by) if by else (run.address,)
        found.setdefault(own, []).append(run)
    order = sorted(found, key=lambda values: [(number_of(v) or 0.0, v) for v in values])
    label = _labels(runs) if not by else {}
    return [
        Group(
            label=", ".join(f"{f} = {v}" for f, v in zip(by, values, strict=True))
            if by
            else label[values[0]],
            runs=tuple(found[values]),
            role=CYCLE[place % len(CYCLE)],
        )
        for place, values in enumerate(order)
    ]


def quantities(runs: Sequence[Listed]) -> dict[str, Any]:
    """Return what can be drawn of the runs: recorded quantities with meanings, summaries, and
    fields.
    """
    first = _dataset(runs[0])
    recorded = {
        str(name): str(each.attrs.get("meaning", ""))
        for name, each in first.data_vars.items()
        if STEP in each.dims
    }
    fields = list(dict.fromkeys(name for run in runs for name in run.config))
    return {"recorded": recorded, "summaries": list(_summary(runs[:1])), "fields": fields}


def differences(grouped: Sequence[Group]) -> list[dict[str, Any]]:
    """Compare each summary of every group with that of the first group, with a 95 % interval."""
    numbers = [_summary(group.runs) for group in grouped]
    found = []
    for group, mine in zip(grouped[1:], numbers[1:], strict=True):
        for name in numbers[0]:
            if name in mine and name != "diverged_at":
                told = welch(name, numbers[0][name], mine[name])
                found.append({"group": group.label, "first": grouped[0].label, **_document(told)})
    return found


def _document(found: Difference) -> dict[str, Any]:
    return {**vars(found), "ci": list(found.ci) if found.ci else None}


def _series_over_steps(group: Group, quantity: str, over: str) -> Series:
    steps: list[np.ndarray] = []
    curves: list[np.ndarray] = []
    for run in group.runs:
        data = _dataset(run, quantity)
        require(quantity in data, run.address, f"a recorded {quantity}", "none")
        array = data[quantity]
        rest = [dim for dim in array.dims if dim not in ("seed", STEP)]
        values = array.median(dim=rest) if rest else array
        steps.append(data[STEP].values.astype(float))
        curves.append(values.transpose("seed", STEP).values)
    at = _common(steps)
    told = [
        row if np.array_equal(own, at) else np.interp(at, own, row)
        for own, seeds in zip(steps, curves, strict=True)
        for row in seeds
    ]
    return _series(group, {s: [float(row[i]) for row in told] for i, s in enumerate(at.tolist())})


def _common(steps: Sequence[np.ndarray]) -> np.ndarray:
    """Return the steps at which runs are averaged: the union of their steps within the range of
    all.

    Runs that were recorded at different steps are interpolated: a mean over whichever run happens
    to have a step would jump from one to the other.

    Example:
        >>> _common([np.array([0.0, 2.0, 4.0]), np.array([0.0, 3.0, 9.0])])
        array([0., 2., 3., 4.])
    """
    if all(np.array_equal(each, steps[0]) for each in steps):
        return steps[0]
    every = np.unique(np.concatenate(steps))
    return every[(every >= max(s[0] for s in steps)) & (every <= min(s[-1] for s in steps))]


def _series_over_field(group: Group, quantity: str, over: str) -> Series:
    pooled: dict[float, list[float]] = {}
    for run in group.runs:
        at = number_of(run.config.get(over, ""))
        require(at is not None, "over", "a field that is a number in every run", repr(over))
        numbers = _summary([run])
        require(quantity in numbers, run.address, f"a summary with {quantity}", ", ".join(numbers))
        assert at is not None
        values = [math.nan if v is None else float(v) for v in numbers[quantity]]
        pooled.setdefault(at, []).extend(values)
    return _series(group, pooled)


def _series(group: Group, pooled: Mapping[Any, list[float]]) -> Series:
    x = sorted(pooled)
    mean, half = np.array([_mean(pooled[at]) for at in x]).T
    alone = len(x) == 1
    banded = np.isfinite(half).any()
    return Series(
        name=group.label,
        x=np.array(x, float),
        y=mean,
        low=np.where(np.isfinite(half), mean - half, mean) if banded else None,
        high=np.where(np.isfinite(half), mean + half, mean) if banded else None,
        role=group.role,
        kind="points" if alone else "line",
    )


def _mean(values: list[float]) -> tuple[float, float]:
    """Return the mean of the finite values and half the length of its 95 % interval; NaN if there
    is none.
    """
    import scipy.stats

    known = [value for value in values if math.isfinite(value)]
    n = len(known)
    if n == 0:
        return math.nan, math.nan
    if n == 1:
        return known[0], math.nan
    error = float(np.std(known, ddof=1)) / math.sqrt(n)
    return float(np.mean(known)), float(scipy.stats.t.ppf(0.975, n - 1)) * error


def _axis(series: Sequence[Series], over: str, *, log: bool) -> Axis:
    positive = all((each.x > 0).all() for each in series)
    require(not log or over == STEP or positive, "log", "positive values across", over)
    return Axis(label=over.replace("_", " "), scale="log" if log else "linear")


def _labels(runs: Sequence[Listed]) -> dict[str, str]:
    """Return a label for every run that distinguishes it from the other runs."""
    fields = varying(runs)
    several = len({run.stored.id for run in runs}) > 1
    told = {}
    for run in runs:
        words = [run.stored.id] if several or not fields else []
        words += [f"{name} = {run.config[name]}" for name in fields if name in run.config]
        told[run.address] = ", ".join(words[:4])
    twice = len(set(told.values())) < len(told)
    return {a: f"{text} ({a.split('/')[1][:6]})" if twice else text for a, text in told.items()}


def _entry(run: Listed) -> Entry:
    return Entry(path=run.stored.path, identity=run.stored.id)


def _dataset(run: Listed, *only: str) -> "xr.Dataset":
    entry = _entry(run)
    return read_seeds(entry, sorted(finished(entry)), only=only or None)


def _summary(runs: Sequence[Listed]) -> Numbers:
    """Return the summaries of some runs, with the numbers of all their seeds pooled."""
    pooled: Numbers = {}
    for run in runs:
        entry = _entry(run)
        for name, values in read_summary(entry, sorted(finished(entry))).items():
            pooled.setdefault(name, []).extend(values)
    return pooled


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"

"""Search, for each seed, for the smallest value of a field at which a quantity reaches a target.

For each seed the value is bisected in the logarithm between a value that fails and one that
succeeds, until their ratio is below 1 + tolerance (or they are neighbouring whole numbers). All
seeds are tried at once, every trial is stored, and an interrupted search continues from the stored
trials. The search assumes that the quantity is monotone in the field; near the threshold the result
is random.
"""

import contextlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from featlearn._check import InputError, is_number, is_whole, require, suggestion
from featlearn._config import field_types, replace
from featlearn.experiments.job import ExperimentJob
from featlearn.experiments.named import named, seed_range
from featlearn.experiments.run import as_store
from featlearn.experiments.scheduler import Watch
from featlearn.experiments.sweep import Point, Pool, sweep
from featlearn.results.statistics import mean_interval
from featlearn.results.store import Store

FINEST = 1e-12
"""The smallest tolerance of a search: below it the numbers themselves have no digits left."""
_TARGET = re.compile(r"\s*(\w+)\s*(>=|<=)\s*([-+.\deE]+)\s*")


@dataclass(frozen=True, kw_only=True)
class Target:
    """A quantity of the summary, and the bound that it has to reach."""

    quantity: str
    relation: str
    value: float

    def reached(self, number: float | None) -> bool:
        """Return whether a number reaches the target; None, which says that an event never
        happened, does not.
        """
        if number is None:
            return False
        return number >= self.value if self.relation == ">=" else number <= self.value


def parse_target(text: str) -> Target:
    """Read a text such as ``test_accuracy>=0.95`` as a target.

    Example:
        >>> parse_target("test_loss <= 0.1").value
        0.1
    """
    match = _TARGET.fullmatch(text) if isinstance(text, str) else None
    with contextlib.suppress(ValueError):
        if match is not None:
            return Target(quantity=match[1], relation=match[2], value=float(match[3]))
    raise InputError("--reach", "quantity>=number or quantity<=number", repr(text))


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """The result of a search: one value per seed, which is None if even the upper end did not reach
    the target.
    """

    field: str
    seeds: tuple[int, ...]
    values: tuple[float | int | None, ...]
    trials: int
    """How many trainings the search took."""

    @property
    def reached(self) -> int:
        """The number of seeds for which the search found a value."""
        return sum(value is not None for value in self.values)

    @property
    def centre(self) -> float | None:
        """The geometric mean over the seeds that have a value."""
        logs = self._logs
        return math.exp(float(np.mean(logs))) if logs else None

    @property
    def ci(self) -> tuple[float, float] | None:
        """The 95 % Student-t interval of the geometric mean; None with fewer than two values."""
        _, _, interval = mean_interval(self._logs)
        return None if interval is None else (math.exp(interval[0]), math.exp(interval[1]))

    @property
    def _logs(self) -> list[float]:
        return [math.log(value) for value in self.values if value is not None]


def search(
    target: object,
    *,
    field: str,
    reach: Target,
    between: tuple[float | int, float | int],
    tolerance: float = 0.05,
    seeds: int = 5,
    first_seed: int = 0,
    out: Store | Path | str | None = None,
    pool: Pool | None = None,
    watch: Watch | None = None,
    **changes: object,
) -> Threshold:
    """Return the smallest value of `field` in `between` at which the target is reached, for each
    seed.
    """
    chosen = named(target)
    config = replace(chosen.config, changes, where=chosen.id)
    cls: type = type(config)
    kinds = field_types(cls)
    require(field in kinds, "search(field)", "a field", repr(field), suggestion(field, kinds))
    low, high, whole = _ends(between, kinds[field])
    known = is_number(tolerance) and FINEST <= tolerance < math.inf
    require(known, "search(tolerance)", f"a number from {FINEST} on", repr(tolerance))
    store = as_store(out)
    wanted = seed_range(seeds, first_seed)
    trials = 0

    def succeeds(values: Mapping[int, float | int]) -> dict[int, bool]:
        nonlocal trials
        jobs = [
            ExperimentJob(
                identity=chosen.id,
                config=replace(config, {field: value}, where=chosen.id),
                seeds=(seed,),
            )
            for seed, value in values.items()
        ]
        trials += len(jobs)
        outcome = {}
        for seed, point in zip(values, sweep(jobs, store=store, pool=pool), strict=True):
            if point.status == "failed":
                error = (point.error or "a failure").rstrip(".")
                raise InputError(f"{chosen.id} at {field}={values[seed]}", "a run", error)
            _require_converged(point, f"{chosen.id} at {field}={values[seed]}", seed)
            summary = point.values["summary"]
            require(
                reach.quantity in summary,
                "search(reach)",
                "one of the quantities " + ", ".join(summary),
                repr(reach.quantity),
                suggestion(reach.quantity, summary),
            )
            outcome[seed] = reach.reached(summary[reach.quantity][0])
        return outcome

    rounds = (
        math.ceil(math.log2(max(2.0, (math.log(high) - math.log(low)) / math.log1p(tolerance)))) + 2
    )
    top = succeeds(dict.fromkeys(wanted, high))
    open_ends = {seed: (low, high) for seed in wanted if top[seed]}
    found: dict[int, float | int | None] = {seed: None for seed in wanted if not top[seed]}
    for seed, enough in succeeds(dict.fromkeys(open_ends, low)).items():
        if enough:
            found[seed] = low
            del open_ends[seed]
    done = 2
    while open_ends:
        if watch:
            watch(min(0.99, done / rounds))
        middles = {
            seed: _middle(*ends, whole=whole, tolerance=tolerance)
            for seed, ends in open_ends.items()
        }
        for seed, enough in succeeds(middles).items():
            ends_before = a, b = open_ends[seed]
            a, b = (a, middles[seed]) if enough else (middles[seed], b)
            open_ends[seed] = (a, b)
            if b / a <= 1 + tolerance or (whole and b - a <= 1) or middles[seed] in ends_before:
                found[seed] = b
                del open_ends[seed]
        done += 1
    values = tuple(found[seed] for seed in wanted)
    return Threshold(field=field, seeds=tuple(wanted), values=values, trials=trials)


def _ends(between: Any, kind: object) -> tuple[float | int, float | int, bool]:
    """Check the two ends of a search, and return them as numbers of the field's type, with whether
    these are whole; the ends decide that for a keyword of a function whose type is not said.
    """
    pair = isinstance(between, Sequence) and len(between) == 2 and all(map(is_number, between))
    require(pair, "search(between)", "two numbers (low, high)", repr(between))
    finite = all(math.isfinite(end) for end in between)
    require(finite, "search(between)", "two finite numbers", f"{between[0]}..{between[1]}")
    whole = kind in (int, int | None) or (kind is Any and all(map(is_whole, between)))
    low, high = (round(end) if whole else float(end) for end in between)
    require(0 < low < high, "search(between)", "0 < low < high", f"{low}..{high}")
    return low, high, whole


def _require_converged(point: Point, where: str, seed: int) -> None:
    """Raise `InputError` if the training of a point diverged, because a threshold beyond divergence
    means nothing.
    """
    at = [step for step in point.values.get("diverged", ()) if step is not None]
    if at:
        got = f"seed {seed} diverged at step {int(at[0])}"
        raise InputError(where, "a training that does not diverge", got, "Search below it.")


def _middle(low: float | int, high: float | int, *, whole: bool, tolerance: float) -> float | int:
    """Return the geometric mean of the two ends, rounded to the digits that the tolerance can
    distinguish.
    """
    middle = math.sqrt(low) * math.sqrt(high)
    if whole:
        return min(max(round(middle), int(low) + 1), int(high) - 1)
    digits = max(6, math.ceil(-math.log10(tolerance)) + 2)
    return float(f"{middle:.{digits}g}")

"""Search: the smallest value of a field at which a quantity reaches a target, seed by seed.

For each seed the value is bisected in the logarithm between a value that fails and one that
succeeds, until their ratio is below 1 + tolerance (or they are neighbouring whole numbers). All
seeds are tried at once, every trial is kept in the store, and an interrupted search goes on from
there. The quantity is taken to be monotone in the field; near the threshold chance decides.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from featlearn._check import InputError, require, suggestion
from featlearn._config import field_types, replace
from featlearn.experiments.job import ExperimentJob
from featlearn.experiments.named import named, seed_range
from featlearn.experiments.run import as_store
from featlearn.experiments.scheduler import Watch
from featlearn.experiments.sweep import Pool, sweep
from featlearn.results.statistics import mean_interval
from featlearn.results.store import Store

_TARGET = re.compile(r"\s*(\w+)\s*(>=|<=)\s*([-+.\deE]+)\s*")


@dataclass(frozen=True, kw_only=True)
class Target:
    """A quantity of the summary and the value it has to reach."""

    quantity: str
    relation: str
    value: float

    def reached(self, number: float | None) -> bool:
        """Whether a number is there; an event that never happened is not."""
        if number is None:
            return False
        return number >= self.value if self.relation == ">=" else number <= self.value


def parse_target(text: str) -> Target:
    """``test_accuracy>=0.95`` as a target.

    Example:
        >>> parse_target("test_loss <= 0.1").value
        0.1
    """
    match = _TARGET.fullmatch(text)
    if match is None:
        raise InputError("--reach", "quantity>=number or quantity<=number", repr(text))
    return Target(quantity=match[1], relation=match[2], value=float(match[3]))


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """What a search found: one value a seed, None where the upper end did not suffice."""

    field: str
    seeds: tuple[int, ...]
    values: tuple[float | int | None, ...]
    trials: int
    """How many trainings it took."""

    @property
    def reached(self) -> int:
        """How many seeds have a value."""
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
    """The smallest value of `field` in `between` at which the target is reached, for each seed."""
    chosen = named(target)
    config = replace(chosen.config, changes, where=chosen.id)
    cls: type = type(config)
    kinds = field_types(cls)
    require(field in kinds, "search(field)", "a field", repr(field), suggestion(field, kinds))
    whole = kinds[field] in (int, int | None)
    low, high = (round(end) if whole else float(end) for end in between)
    require(0 < low < high, "search(between)", "0 < low < high", f"{low}..{high}")
    require(tolerance > 0, "search(tolerance)", "a positive number", tolerance)
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
                raise InputError(f"{chosen.id} at {field}={values[seed]}", "a run", point.error)
            summary = point.told["summary"]
            require(
                reach.quantity in summary,
                "search(reach)",
                "one of the quantities " + ", ".join(summary),
                repr(reach.quantity),
            )
            outcome[seed] = reach.reached(summary[reach.quantity][0])
        return outcome

    rounds = math.ceil(math.log2(max(2.0, math.log(high / low) / math.log1p(tolerance)))) + 2
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
        middles = {seed: _middle(*ends, whole=whole) for seed, ends in open_ends.items()}
        for seed, enough in succeeds(middles).items():
            a, b = open_ends[seed]
            a, b = (a, middles[seed]) if enough else (middles[seed], b)
            open_ends[seed] = (a, b)
            if b / a <= 1 + tolerance or (whole and b - a <= 1):
                found[seed] = b
                del open_ends[seed]
        done += 1
    values = tuple(found[seed] for seed in wanted)
    return Threshold(field=field, seeds=tuple(wanted), values=values, trials=trials)


def _middle(low: float | int, high: float | int, *, whole: bool) -> float | int:
    middle = math.sqrt(low * high)
    return min(max(round(middle), low + 1), high - 1) if whole else float(f"{middle:.6g}")

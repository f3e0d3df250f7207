"""The seeds of a run in its entry: labelled arrays in parts `seeds-0-4`, found by seed."""

import contextlib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from featlearn._check import InputError, require
from featlearn.results.store import Entry

if TYPE_CHECKING:
    import xarray as xr

Numbers = dict[str, list[float | None]]
"""Quantity -> one number a seed; None where an event was never reached."""
_RANGE = re.compile(r"seeds-(0|[1-9]\d{0,9})-(0|[1-9]\d{0,9})")
MOST = 10**6
"""Seeds that a part may claim to hold."""


def part_name(first: int, last: int) -> str:
    """The name of the part with these seeds and all between."""
    return f"seeds-{first}-{last}"


def finished(entry: Entry, *, same_engine: bool = False) -> dict[int, str]:
    """Which seeds are finished, and in which part; or those alone which this engine computed."""
    parts = held_by(entry.parts(same_engine=same_engine))
    return {seed: part for part, held in parts.items() for seed in held}


def read_seeds(
    entry: Entry, seeds: Iterable[int], only: Iterable[str] | None = None
) -> "xr.Dataset":
    """The arrays of these seeds, or some of them."""
    import xarray as xr

    wanted, places = list(seeds), finished(entry)
    names = None if only is None else list(only)
    parts = []
    for part in sorted({places[seed] for seed in wanted}):
        data, mine = entry.read(part, only=names), [s for s in wanted if places[s] == part]
        there = {int(seed) for seed in data["seed"].values} if "seed" in data.coords else set()
        require(
            there >= set(mine),
            str(entry.path / part),
            f"the seeds that its name tells, {mine[0]} among them",
            "others",
            "Remove that folder.",
        )
        parts.append(data.sel(seed=mine))
    return xr.concat(parts, dim="seed", combine_attrs="override").sel(seed=wanted)


def read_summary(entry: Entry, seeds: Iterable[int]) -> Numbers:
    """The summary of these seeds as it was stored, for comparison with others."""
    wanted, places = list(seeds), finished(entry)
    stored = {part: entry.about(part)["summary"] for part in {places[seed] for seed in wanted}}
    values: Numbers = {}
    for seed in wanted:
        told = stored[places[seed]]
        for name, numbers in told["values"].items():
            values.setdefault(name, []).append(numbers[told["seeds"].index(seed)])
    return values


def write_seeds(entry: Entry, dataset: "xr.Dataset", summary: Numbers) -> None:
    """Store the arrays and the summary of some seeds in the place of any older ones.

    The older ones go when the new ones stand, so that a full disk costs nothing that was there.
    """
    new = _save(entry, dataset, summary)
    written = {int(seed) for seed in dataset["seed"].values}
    for part, held in held_by(entry.parts()).items():
        if part in new or not set(held) & written:
            continue
        if kept := sorted(set(held) - written):
            with contextlib.suppress(InputError):  # what is damaged is dropped whole
                data = entry.read(part).sel(seed=kept)
                about = entry.about(part)["summary"]
                places = [about["seeds"].index(seed) for seed in kept]
                told = {
                    name: [values[place] for place in places]
                    for name, values in about["values"].items()
                }
                _save(entry, data, told)
        entry.remove(part)


def _save(entry: Entry, dataset: "xr.Dataset", summary: Numbers) -> set[str]:
    """A part for each run of seeds."""
    seeds = [int(seed) for seed in dataset["seed"].values]
    parts = set()
    for first, last in runs(seeds):
        these = list(range(first, last + 1))
        values = {
            name: [numbers[seeds.index(seed)] for seed in these]
            for name, numbers in summary.items()
        }
        part = part_name(first, last)
        about: dict[str, object] = {"seeds": these, "values": values}
        entry.write(dataset.sel(seed=these), part, summary=about)
        parts.add(part)
    return parts


def held_by(parts: Iterable[str]) -> dict[str, range]:
    """The seeds that a part holds by its name; names that cannot be are no parts."""
    found = {}
    for part in parts:
        match = _RANGE.fullmatch(part)
        if match and int(match[1]) <= int(match[2]) < int(match[1]) + MOST:
            found[part] = range(int(match[1]), int(match[2]) + 1)
    return found


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Consecutive numbers as (first, last) pairs.

    Example:
        >>> runs([0, 1, 2, 5])
        [(0, 2), (5, 5)]
    """
    found: list[tuple[int, int]] = []
    for n in sorted(numbers):
        if found and found[-1][1] == n - 1:
            found[-1] = (found[-1][0], n)
        else:
            found.append((n, n))
    return found

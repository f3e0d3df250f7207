"""Read and write the seeds of a run: labelled arrays in parts of an entry, such as `seeds-0-4`."""

import contextlib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from featlearn._check import InputError, require
from featlearn.results.store import Entry

if TYPE_CHECKING:
    import xarray as xr

Numbers = dict[str, list[float | None]]
"""Quantity -> one number per seed; None if an event was never reached."""
_RANGE = re.compile(r"seeds-(0|[1-9]\d{0,9})-(0|[1-9]\d{0,9})")
MAX_SEEDS = 10**6
"""The largest number of seeds that the name of a part may claim."""


def part_name(first: int, last: int) -> str:
    """Return the name of the part that has all seeds from `first` to `last`."""
    return f"seeds-{first}-{last}"


def finished(entry: Entry, *, same_engine: bool = False) -> dict[int, str]:
    """Return seed -> part for all finished seeds, or only for those that this engine computed."""
    parts = seed_ranges(entry.parts(same_engine=same_engine))
    return {seed: part for part, seeds in parts.items() for seed in seeds}


def read_seeds(
    entry: Entry, seeds: Iterable[int], only: Iterable[str] | None = None
) -> "xr.Dataset":
    """Read the arrays of these seeds; if `only` is given, only the arrays with these names."""
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
            f"the seeds that its name gives, {mine[0]} among them",
            "others",
            "Remove that folder.",
        )
        parts.append(data.sel(seed=mine))
    return xr.concat(parts, dim="seed", combine_attrs="override").sel(seed=wanted)


def read_summary(entry: Entry, seeds: Iterable[int]) -> Numbers:
    """Read the stored summary of these seeds."""
    wanted, places = list(seeds), finished(entry)
    stored = {part: entry.about(part)["summary"] for part in {places[seed] for seed in wanted}}
    values: Numbers = {}
    for seed in wanted:
        part = stored[places[seed]]
        for name, numbers in part["values"].items():
            values.setdefault(name, []).append(numbers[part["seeds"].index(seed)])
    return values


def write_seeds(entry: Entry, dataset: "xr.Dataset", summary: Numbers) -> None:
    """Store the arrays and the summary of some seeds, replacing older ones.

    The older ones are removed after the new ones have been written, so nothing is lost if the
    disk is full.
    """
    new = _save(entry, dataset, summary)
    written = {int(seed) for seed in dataset["seed"].values}
    for part, seeds in seed_ranges(entry.parts()).items():
        if part in new or not set(seeds) & written:
            continue
        if kept := sorted(set(seeds) - written):
            with contextlib.suppress(InputError):  # a damaged part is removed completely
                data = entry.read(part).sel(seed=kept)
                about = entry.about(part)["summary"]
                places = [about["seeds"].index(seed) for seed in kept]
                summary_of_kept = {
                    name: [values[place] for place in places]
                    for name, values in about["values"].items()
                }
                _save(entry, data, summary_of_kept)
        entry.remove(part)


def _save(entry: Entry, dataset: "xr.Dataset", summary: Numbers) -> set[str]:
    """Write one part for each range of consecutive seeds, and return the names of the parts."""
    seeds = [int(seed) for seed in dataset["seed"].values]
    parts = set()
    for first, last in consecutive_ranges(seeds):
        these = list(range(first, last + 1))
        values = {
            name: [numbers[seeds.index(seed)] for seed in these]
            for name, numbers in summary.items()
        }
        part = part_name(first, last)
        about: dict[str, object] = {"seeds": these, "values": values}
        these_seeds = dataset if these == seeds else dataset.sel(seed=these)
        entry.write(these_seeds, part, summary=about)
        parts.add(part)
    return parts


def seed_ranges(parts: Iterable[str]) -> dict[str, range]:
    """Return the seeds of each part, read from the name of the part; ignore all other names."""
    found = {}
    for part in parts:
        match = _RANGE.fullmatch(part)
        if match and int(match[1]) <= int(match[2]) < int(match[1]) + MAX_SEEDS:
            found[part] = range(int(match[1]), int(match[2]) + 1)
    return found


def consecutive_ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Group numbers into ranges of consecutive ones, as (first, last) pairs.

    Example:
        >>> consecutive_ranges([0, 1, 2, 5])
        [(0, 2), (5, 5)]
    """
    found: list[tuple[int, int]] = []
    for n in sorted(numbers):
        if found and found[-1][1] == n - 1:
            found[-1] = (found[-1][0], n)
        else:
            found.append((n, n))
    return found

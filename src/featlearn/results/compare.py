"""Compare two results: which fields differ, and by how much their summaries differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypedDict, runtime_checkable

import numpy as np

from featlearn._check import require
from featlearn._config import Dataclass, fields
from featlearn.results.files import read_json
from featlearn.results.seeds import Numbers, finished, read_summary
from featlearn.results.statistics import standard_error, student
from featlearn.results.statistics import welch as welch_error
from featlearn.results.store import ENTRY, Entry


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The difference b - a of one quantity between two results, with its 95 % Welch interval."""

    quantity: str
    a: float | None
    b: float | None
    difference: float | None
    ci: tuple[float, float] | None
    """None with fewer than two seeds on a side."""


@runtime_checkable
class HasValues(Protocol):
    """The interface of a quantity that has one value for each seed."""

    @property
    def values(self) -> tuple[float | None, ...]:
        """One number per seed; None for a seed without a number."""
        ...


@runtime_checkable
class Summarised(Protocol):
    """The interface of a result in memory: what was run, and a summary."""

    @property
    def id(self) -> str:
        """The id of the experiment that was run."""
        ...

    @property
    def hash(self) -> str:
        """The hash that names what was run."""
        ...

    @property
    def config(self) -> Dataclass:
        """The configuration of the result."""
        ...

    @property
    def summary(self) -> Mapping[str, HasValues]:
        """The quantities of the summary, by name."""
        ...


class ResultDocument(TypedDict):
    """The contents of a result that a comparison uses."""

    id: str
    hash: str
    config: dict[str, object]
    summary: Numbers


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The result of a comparison: differing fields, and differences of quantities."""

    a: str
    b: str
    fields: dict[str, tuple[object, object]]
    """Field -> its two values, for all fields that differ; None if a side has no such field."""
    differences: tuple[Difference, ...]


def compare(a: Path, b: Path) -> Comparison:
    """Compare two results by their folders, `<out>/<id>/<hash>`."""
    return _compared(_load(a), _load(b))


def compare_summaries(a: Summarised, b: Summarised) -> Comparison:
    """Compare two results in memory: any objects with id, hash, config and summary."""

    def document(result: Summarised) -> ResultDocument:
        summary = {name: list(estimate.values) for name, estimate in result.summary.items()}
        config = fields(result.config)
        return {"id": result.id, "hash": result.hash, "config": config, "summary": summary}

    return _compared(document(a), document(b))


def _compared(first: ResultDocument, second: ResultDocument) -> Comparison:
    configs = first["config"], second["config"]
    names = list(dict.fromkeys([*configs[0], *configs[1]]))
    pairs = {name: (configs[0].get(name), configs[1].get(name)) for name in names}
    shared = [name for name in first["summary"] if name in second["summary"]]
    return Comparison(
        a=f"{first['id']} {first['hash']}",
        b=f"{second['id']} {second['hash']}",
        fields={name: pair for name, pair in pairs.items() if pair[0] != pair[1]},
        differences=tuple(
            welch(name, first["summary"][name], second["summary"][name])
            for name in shared
            if name != "diverged_at"
        ),
    )


def welch(quantity: str, a: list[float | None], b: list[float | None]) -> Difference:
    """Return the difference b - a of the means, with Welch's interval for unequal variances.

    Example:
        >>> welch("x", [1.0, 2.0, 3.0], [11.0, 12.0, 13.0]).difference
        10.0
    """
    known = [np.array([value for value in side if value is not None]) for side in (a, b)]
    means = [float(side.mean()) if len(side) else None for side in known]
    if means[0] is None or means[1] is None:
        return Difference(quantity=quantity, a=means[0], b=means[1], difference=None, ci=None)
    gap, ci = means[1] - means[0], None
    if min(len(side) for side in known) >= 2:
        error, freedom = welch_error([(standard_error(side), len(side) - 1) for side in known])
        half = student(0.975, freedom) * error
        ci = (gap - half, gap + half)
    return Difference(quantity=quantity, a=means[0], b=means[1], difference=gap, ci=ci)


def find_result(name: str, out: Path) -> Path:
    """Return the folder of a result, given as a path or as the beginning of its hash."""
    if (Path(name) / ENTRY).is_file():
        return Path(name)
    folders = sorted(out.glob(f"*/{name}*/")) if name else []
    found = [latest for folder in folders if (latest := _latest(folder))]
    require(
        len(found) == 1,
        f"compare {name}",
        "the folder of a result, or the beginning of one hash in the store",
        "none" if not found else f"{len(found)} of them",
        f"`featlearn store list` shows what is in {out}.",
    )
    return found[0]


def _latest(folder: Path) -> Path | None:
    """Return the entry in the folder that was written last; None if there is none."""
    files = list(folder.glob(f"*/{ENTRY}"))
    return max(files, key=lambda file: file.stat().st_mtime_ns).parent if files else None


def _load(path: Path) -> ResultDocument:
    about = read_json(path / ENTRY)
    known = isinstance(about, dict) and {"id", "hash"} <= about.keys()
    known = known and isinstance(about.get("config"), dict)
    hint = "`featlearn run` of the same configuration with --fresh writes it again."
    require(known, str(path / ENTRY), "the configuration of a result", "another", hint)
    entry = Entry(path=path, identity=about["id"])
    seeds = sorted(finished(entry))
    require(len(seeds) > 0, str(path), "a result with finished seeds", "none")
    config, summary = about["config"], read_summary(entry, seeds)
    return {"id": about["id"], "hash": about["hash"], "config": config, "summary": summary}

"""Sweeps over the fields of an experiment or a statement: one row a configuration."""

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError, require, suggestion
from featlearn._config import fields, replace
from featlearn.experiments.executor import Watch
from featlearn.experiments.grid import configurations
from featlearn.experiments.job import ExperimentJob, Job
from featlearn.experiments.named import NamedExperiment, seed_range
from featlearn.experiments.sweep import Here, Point, Pool, refused
from featlearn.experiments.sweep import sweep as complete
from featlearn.papers.catalogue import (
    experiments,
    find_experiment,
    find_statements,
    from_file,
    is_file,
    statement_titles,
)
from featlearn.results.files import write_json
from featlearn.results.store import Store
from featlearn.theory import Statement
from featlearn.theory.job import StatementJob

if TYPE_CHECKING:
    from featlearn.figures.record import Figure

Target = NamedExperiment | Statement


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """All rows of a sweep, and the grid they stand on."""

    identity: str
    grid: dict[str, tuple[Any, ...]]
    seeds: tuple[int, ...]
    points: tuple[Point, ...]
    of_statement: bool
    """Whether a row has a verdict, and no quantities."""
    path: Path
    """The JSON file that lists them in the store."""

    @property
    def counts(self) -> dict[str, int]:
        """How many rows were read, computed, failed."""
        states = [point.status for point in self.points]
        return {state: states.count(state) for state in ("computed", "read", "failed")}

    @property
    def quantities(self) -> list[str]:
        """The names that the rows' summaries have."""
        return list(dict.fromkeys(q for p in self.points for q in p.told.get("summary", {})))

    def figure(self, quantity: str | None = None) -> "Figure":
        """A quantity along the first field, a curve for all values of the others; or verdicts."""
        from featlearn.figures.sweep import curves, verdict_map

        x, *by = self.grid
        if self.of_statement:
            require(len(by) <= 1, "figure", "one or two swept fields", 1 + len(by))
            return verdict_map(self.points, x=x, y=by[0] if by else None)
        require(bool(self.quantities), "figure", "a point that did not fail", "none")
        chosen = quantity or self.quantities[0]
        require(
            chosen in self.quantities,
            "quantity",
            "one of " + ", ".join(self.quantities),
            repr(chosen),
            suggestion(chosen, self.quantities),
        )
        return curves(self.points, x=x, quantity=chosen, by=by)

    def documents(self) -> list[dict[str, Any]]:
        """The rows as the command line prints them."""
        return [self._document(point) for point in self.points]

    def csv(self) -> str:
        """A table: the swept fields, then mean, standard error and reach of every quantity."""
        text = io.StringIO()
        rows = [self._flat(point) for point in self.points]
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(text, names)
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def _document(self, point: Point) -> dict[str, Any]:
        row: dict[str, Any] = {"hash": point.hash, "status": point.status, "config": point.config}
        row.update({k: v for k, v in point.told.items() if k != "summary"})
        row["summary"] = {
            name: estimate.document()
            for name in point.told.get("summary", {})
            if (estimate := point.estimate(name))
        }
        return {**row, "error": point.error} if point.error else row

    def _flat(self, point: Point) -> dict[str, Any]:
        row = {name: point.config.get(name) for name in self.grid}
        row.update(status=point.status, hash=point.hash)
        row.update({k: v for k, v in point.told.items() if k not in ("summary", "constants")})
        for name in point.told.get("summary", {}):
            estimate = point.estimate(name)
            assert estimate is not None
            row[name], row[f"{name}_stderr"] = estimate.mean, estimate.stderr
            row[f"{name}_reached"] = estimate.reached
        return row


def find_target(identity: str) -> Target:
    """The experiment or the statement of that id."""
    if identity in experiments():
        return find_experiment(identity)
    if is_file(identity):
        found: Target = from_file(identity, NamedExperiment, Statement)
        return found
    known = [*experiments(), *statement_titles()]
    require(
        identity in known,
        "sweep",
        "an experiment or a statement",
        repr(identity),
        suggestion(identity, known, "See `featlearn papers`."),
    )
    return find_statements(identity)[0]


def sweep(
    target: str | Target,
    *,
    over: Mapping[str, Sequence[Any]],
    seeds: int | None = None,
    first_seed: int = 0,
    out: Path | str = "results",
    fresh: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    watch: Watch | None = None,
    **changes: Any,
) -> Sweep:
    """Run an experiment, or decide a statement, at every point of a grid.

    Args:
        target: an id, an experiment or a statement.
        over: field -> values; all combinations are taken.
        seeds: how many at each point (5, or the statement's own number).
        first_seed: the first of them.
        out: the store; what it has is read, and an interrupted sweep goes on from it.
        fresh: compute again what the store has.
        workers: compute in so many worker processes instead of in this one.
        cluster: compute on the Dask scheduler at this address.
        watch: told the share that is done.
        changes: fields that are the same at every point.
    """
    chosen = find_target(target) if isinstance(target, str) else target
    config = replace(chosen.config, changes, where=chosen.id)
    require(len(over) > 0, "sweep(over)", "at least one field", "none")
    for name in over:
        known = fields(config)
        require(name in known, "sweep(over)", "a field", repr(name), suggestion(name, known))
    number = seeds if seeds is not None else getattr(chosen, "seeds", 5)
    wanted = tuple(seed_range(number, first_seed))
    points = configurations(config, over, chosen.id)
    jobs = [_job(chosen, point, made, wanted) for point, made in points]
    store = Store(Path(out)).open()
    done = complete(jobs, store=store, pool=_pool(workers, cluster), fresh=fresh, watch=watch)
    grid = {name: tuple(values) for name, values in over.items()}
    path = _record(store, chosen.id, grid, wanted, done)
    return Sweep(
        identity=chosen.id,
        grid=grid,
        seeds=wanted,
        points=tuple(done),
        of_statement=isinstance(chosen, Statement),
        path=path,
    )


def _job(target: Target, point: dict[str, Any], config: Any, seeds: tuple[int, ...]) -> Job | Point:
    if isinstance(config, InputError):
        return refused(target.id, point, config)
    if isinstance(target, Statement):
        return StatementJob(statement=target, config=config, seeds=seeds)
    return ExperimentJob(identity=target.id, config=config, seeds=seeds)


def _pool(workers: int | None, cluster: str | None) -> Pool:
    from featlearn.experiments.pools import Cluster, Processes

    require(
        workers is None or cluster is None, "sweep", "either workers or a cluster", "both of them"
    )
    if cluster is not None:
        return Cluster(address=cluster)
    return Here() if workers is None else Processes(workers=workers)


def _record(
    store: Store,
    identity: str,
    grid: Mapping[str, Sequence[Any]],
    seeds: tuple[int, ...],
    points: Sequence[Point],
) -> Path:
    """List the rows in the store, so that the sweep can be drawn again."""
    about = {"id": identity, "grid": grid, "seeds": seeds}
    name = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:12]
    folder = store.root / "sweeps"
    folder.mkdir(exist_ok=True)
    path = folder / f"{identity}-{name}.json"
    write_json(path, {**about, "points": [asdict(point) for point in points]})
    return path

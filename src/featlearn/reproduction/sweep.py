"""Sweeps over the fields of an experiment or a statement: one row per configuration."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from featlearn._check import InputError, require, suggestion
from featlearn._config import Dataclass, fields, plain, replace
from featlearn._describe import describe
from featlearn._source import sources
from featlearn.experiments.dry_call import dry_call
from featlearn.experiments.grid import configurations
from featlearn.experiments.job import DIVERGED, ExperimentJob, Job
from featlearn.experiments.named import Config, NamedExperiment, named, seed_range
from featlearn.experiments.result import Estimate
from featlearn.experiments.run import as_store, locked
from featlearn.experiments.scheduler import Watch
from featlearn.experiments.sweep import InProcessPool, Point, Pool, refused
from featlearn.experiments.sweep import sweep as complete
from featlearn.reproduction.catalogue import (
    experiments,
    find_experiment,
    find_statements,
    instead,
    is_file,
    statement_titles,
    target_from_file,
)
from featlearn.results.files import spreadsheet_cell
from featlearn.results.key import ResultKey
from featlearn.results.store import Store
from featlearn.theory import Statement
from featlearn.theory.job import StatementJob

if TYPE_CHECKING:
    import pandas
    import xarray

    from featlearn.figures.record import Figure

Target = NamedExperiment | Statement


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """The result of a sweep: its grid and one row per point."""

    identity: str
    grid: dict[str, tuple[object, ...]]
    seeds: tuple[int, ...]
    points: tuple[Point, ...]
    of_statement: bool
    """Whether the rows have verdicts instead of quantities."""
    path: Path | None
    """The folder of the sweep in the store, if there is a store."""

    @property
    def counts(self) -> dict[str, int]:
        """How many rows of the sweep were computed, read, adopted or failed."""
        states = [point.status for point in self.points]
        return {state: states.count(state) for state in ("computed", "read", "adopted", "failed")}

    @property
    def quantities(self) -> list[str]:
        """The names of all quantities in the rows."""
        return list(dict.fromkeys(q for p in self.points for q in p.values.get("summary", {})))

    def figure(self, quantity: str | None = None) -> "Figure":
        """Draw a quantity against the first field, with one curve per value of the others."""
        from featlearn.figures.sweep import curves, verdict_map

        x, *by = self.grid
        if self.of_statement:
            require(len(by) <= 1, "figure", "one or two swept fields", 1 + len(by))
            return verdict_map(self.points, x=x, y=by[0] if by else None)
        require(bool(self.quantities), "figure", "a point that did not fail", "none")
        chosen = quantity or self.quantities[0]
        _require_quantity(chosen, self.quantities)
        return curves(self.points, x=x, quantity=chosen, by=by)

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a table with one row per point and seed: the swept fields, the seed, the
        quantities.

        Points that failed have no rows; `diverged_at` is the step at which a seed diverged.
        """
        import pandas

        require(not self.of_statement, "to_dataframe", "a sweep of an experiment", "of a statement")
        rows = [
            {**{name: point.config[name] for name in self.grid}, "seed": seed, **numbers}
            for point in self.points
            if point.status != "failed"
            for seed, numbers in zip(self.seeds, _by_seed(point, len(self.seeds)), strict=True)
        ]
        told = (*self.quantities, DIVERGED)
        table = pandas.DataFrame(rows, columns=[*self.grid, "seed", *told])
        return table.astype(dict.fromkeys(told, float))  # NaN, where a whole column has no number

    def to_dataset(self) -> "xarray.Dataset":
        """Return the quantities as arrays over (swept fields, seed), with NaN for points that
        failed.
        """
        table = self.to_dataframe().set_index([*self.grid, "seed"]).to_xarray()
        whole: xarray.Dataset = table.reindex({name: list(v) for name, v in self.grid.items()})
        return whole

    def __repr__(self) -> str:
        counted = ", ".join(f"{n} {state}" for state, n in self.counts.items() if n)
        return f"sweep of {self.identity} over {', '.join(self.grid)}: {counted}\n{self._table()}"

    def _repr_html_(self) -> str:
        html: str = self._table().to_html(index=False)
        return html

    def _table(self) -> "pandas.DataFrame":
        """Return a table with one row per point, and mean ± standard error of every quantity."""
        import pandas

        rows = []
        for point in self.points:
            row = {name: point.config.get(name) for name in self.grid}
            found = {name: point.estimate(name) for name in point.values.get("summary", {})}
            row |= {name: _cell(each) for name, each in found.items()}
            row |= {"verdict": point.values["verdict"]} if "verdict" in point.values else {}
            row["status"] = point.outcome
            rows.append(row)
        return pandas.DataFrame(rows)

    def documents(self) -> list[dict[str, object]]:
        """Return the rows as JSON documents, as the command line prints them."""
        return [self._document(point) for point in self.points]

    def csv(self) -> str:
        """Return the rows as CSV: the fields, then mean, standard error and seeds of every
        quantity.
        """
        text = io.StringIO()
        rows = [self._flat(point) for point in self.points]
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(text, names)
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def _document(self, point: Point) -> dict[str, object]:
        row: dict[str, object] = {
            "hash": point.hash,
            "status": point.status,
            "config": point.config,
        }
        row.update({k: v for k, v in point.values.items() if k != "summary"})
        row["summary"] = {
            name: estimate.document()
            for name in point.values.get("summary", {})
            if (estimate := point.estimate(name))
        }
        return {**row, "error": point.error} if point.error else row

    def _flat(self, point: Point) -> dict[str, object]:
        row = {name: point.config.get(name) for name in self.grid}
        row.update(status=point.status, hash=point.hash)
        row.update({k: v for k, v in point.values.items() if k not in ("summary", "constants")})
        for name in point.values.get("summary", {}):
            estimate = point.estimate(name)
            assert estimate is not None
            row[name], row[f"{name}_stderr"] = estimate.mean, estimate.stderr
            row[f"{name}_reached"] = estimate.reached
        return {name: spreadsheet_cell(value) for name, value in row.items()}


def _by_seed(point: Point, seeds: int) -> list[dict[str, float | None]]:
    columns = {**point.values["summary"], DIVERGED: point.values.get("diverged", [None] * seeds)}
    return [{name: values[i] for name, values in columns.items()} for i in range(seeds)]


def _cell(estimate: Estimate | None) -> str:
    if estimate is None or estimate.mean is None:
        return "none" if estimate is None else f"none of {len(estimate.values)}"
    spread = "" if estimate.stderr is None else f" ± {estimate.stderr:.2g}"
    arrived = f"{estimate.reached}/{len(estimate.values)}"
    return f"{estimate.mean:.4g}{spread} ({arrived})"


def find_target(identity: str) -> Target:
    """Return the experiment or the statement with that id."""
    if identity in experiments():
        return find_experiment(identity)
    if is_file(identity):
        found: Target = target_from_file(identity)
        return found
    known = [*experiments(), *statement_titles()]
    require(
        identity in known,
        "sweep",
        "an experiment or a statement",
        repr(identity),
        instead(identity, known),
    )
    return find_statements(identity)[0]


def require_summarised(target: Target, quantity: str, changes: Mapping[str, object]) -> None:
    """Raise `InputError` unless the runs of an experiment will summarise that quantity."""
    where = "quantity"
    require(not isinstance(target, Statement), where, "a sweep of an experiment", "of a statement")
    experiment = replace(target.config, changes, where=target.id).experiment()
    _require_quantity(quantity, [each.name for each in experiment.reductions])


def _require_quantity(quantity: str, known: Sequence[str]) -> None:
    hint = suggestion(quantity, known)
    require(quantity in known, "quantity", "one of " + ", ".join(known), repr(quantity), hint)


def sweep(
    target: object,
    *,
    over: Mapping[str, Sequence[object]],
    seeds: int | None = None,
    first_seed: int = 0,
    out: Store | Path | str | None = None,
    fresh: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    watch: Watch | None = None,
    **changes: object,
) -> Sweep:
    """Run an experiment, or check a statement, at every point of a grid; return the table of all
    points.

    Args:
        target: an id, a statement, an experiment, or a function that returns one.
        over: field -> values; all combinations are taken.
        seeds: the number of seeds at each point; by default 5, or the statement's own number.
        first_seed: the first seed; the others follow.
        out: the store to read from and write to, from which an interrupted sweep continues; None
            computes in memory.
        fresh: compute again what the store has.
        workers: the number of worker processes; None computes in this process.
        cluster: compute on the Dask scheduler at this address.
        watch: called with the fraction of the work that is done.
        changes: fields that are the same at every point.
    """
    chosen = find_target(target) if isinstance(target, str) else target
    if not isinstance(chosen, Statement):
        chosen = named(chosen)
    config = replace(chosen.config, changes, where=chosen.id)
    over = _plain_grid(over)
    for name in over:
        known = fields(config)
        require(name in known, "sweep(over)", "a field", repr(name), suggestion(name, known))
    number = seeds if seeds is not None else getattr(chosen, "seeds", 5)
    wanted = tuple(seed_range(number, first_seed))
    points = configurations(config, over, chosen.id)
    jobs = [_job(chosen, point, made_config, wanted) for point, made_config in points]
    store = as_store(out)
    _try_first(jobs)
    done = complete(jobs, store=store, pool=_pool(workers, cluster), fresh=fresh, watch=watch)
    grid = {name: tuple(values) for name, values in over.items()}
    fixed = {name: value for name, value in fields(config).items() if name not in grid}
    path = _record(store, chosen.id, grid, fixed, wanted, done) if store else None
    return Sweep(
        identity=chosen.id,
        grid=grid,
        seeds=wanted,
        points=tuple(done),
        of_statement=isinstance(chosen, Statement),
        path=path,
    )


def _plain_grid(over: Any) -> dict[str, tuple[object, ...]]:
    """Return the values of every swept field in the form that configurations use; refuse an empty
    list.
    """
    where, expected = "sweep(over)", "a table of fields, each with a list of values"
    require(isinstance(over, Mapping) and len(over) > 0, where, expected, repr(over)[:200])
    grid: dict[str, tuple[object, ...]] = {}
    for name, values in over.items():
        known = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping)
        require(known, f"{where}: {name}", "a list of values", repr(values)[:200])
        grid[name] = tuple(map(plain, values))
        require(len(grid[name]) > 0, f"{where}: {name}", "at least one value", "none")
    return grid


def _job(
    target: Target, point: dict[str, object], config: Dataclass | InputError, seeds: tuple[int, ...]
) -> Job | Point:
    if isinstance(config, InputError):
        return refused(target.id, point, config)
    if isinstance(target, Statement):
        return StatementJob(statement=target, config=config, seeds=seeds)
    return ExperimentJob(identity=target.id, config=cast(Config, config), seeds=seeds)


def _try_first(jobs: Sequence[Job | Point]) -> None:
    """Try the parts that the user wrote at the first point, before anything runs."""
    first = next((job for job in jobs if isinstance(job, ExperimentJob)), None)
    if first is not None:
        dry_call(first.config.experiment())


def _pool(workers: int | None, cluster: str | None) -> Pool:
    from featlearn.experiments.pools import Cluster, Processes

    require(
        workers is None or cluster is None, "sweep", "either workers or a cluster", "both of them"
    )
    if cluster is not None:
        return Cluster(address=cluster)
    return InProcessPool() if workers is None else Processes(workers=workers)


def _record(
    store: Store,
    identity: str,
    grid: Mapping[str, Sequence[object]],
    fixed: Mapping[str, object],
    seeds: tuple[int, ...],
    points: Sequence[Point],
) -> Path:
    """Store the rows and the fixed fields of a sweep, so that it can be drawn again; return the
    folder.
    """
    about = {"id": identity, "grid": grid, "fixed": fixed, "seeds": seeds}
    plain = json.loads(json.dumps(about, default=repr))
    key = ResultKey(description=describe({"sweep": plain}), modules=sources())
    entry = store.entry(identity, key, plain, "sweep")
    addresses = [point.address for point in points if point.address]
    # The status of a point belongs to this sweep and is not stored. Stores call its values "told".
    rows = [{**asdict(point), "told": point.values} for point in points]
    rows = [{k: v for k, v in row.items() if k not in ("status", "values")} for row in rows]
    value = json.loads(json.dumps({**plain, "points": rows}, default=repr))
    with locked(entry):
        if not (entry.has() and entry.read() == value):
            entry.write(value, parents=addresses)
    return entry.path

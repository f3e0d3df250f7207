"""The command `featlearn sweep ID --over field=v1,v2,…`: run or check over a grid."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from featlearn._check import require
from featlearn.cli.fields import COMMON
from featlearn.cli.output import console, explained, number, print_document, progress, require_file
from featlearn.cli.run import OUT, Explain, FirstSeed, Fresh, Json, Out, SameEnvironment, store_at

if TYPE_CHECKING:
    from featlearn.reproduction.sweep import Sweep

DRAWN = (".pdf", ".svg", ".png")
WIDEST = 12
"""Cells up to this width are never wrapped."""
MOST_WITH_ERRORS = 3
"""With more quantities than this the terminal shows only means; JSON and CSV have everything."""

Target = Annotated[str, Parameter(help="An experiment or a statement, or path.py:name.")]
Over = Annotated[
    list[str],
    Parameter(
        group=COMMON,
        negative="",
        help="field=v1,v2,… or field=low..high:count (log-spaced; 5 values if no count is given); "
        "once for each field.",
    ),
]
Number = Annotated[int | None, Parameter(group=COMMON, help="How many seeds at each point.")]
Workers = Annotated[
    int | None, Parameter(group=COMMON, help="Compute in so many worker processes.")
]
Scheduler = Annotated[
    str | None, Parameter(group=COMMON, help="Compute on the Dask scheduler at this address.")
]
Csv = Annotated[Path | None, Parameter(group=COMMON, help="Also write the rows as a CSV file.")]

Drawing = Annotated[
    Path | None,
    Parameter(group=COMMON, help="Also draw it: a file that ends in .pdf, .svg or .png."),
]
Quantity = Annotated[
    str | None, Parameter(group=COMMON, help="The quantity to draw (default: the first).")
]


def sweep(
    identity: Target,
    *,
    over: Over,
    seeds: Number = None,
    first_seed: FirstSeed = 0,
    out: Out = OUT,
    workers: Workers = None,
    cluster: Scheduler = None,
    csv: Csv = None,
    figure: Drawing = None,
    quantity: Quantity = None,
    fresh: Fresh = False,
    explain: Explain = False,
    same_environment: SameEnvironment = False,
    json: Json = False,
    **changes: Any,
) -> int:
    """Run an experiment, or check a statement, at every point of a grid; 1 if one fails."""
    started = time.perf_counter()
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.experiments.grid import parse_over
    from featlearn.reproduction.sweep import find_target, require_summarised
    from featlearn.reproduction.sweep import sweep as run_sweep

    target = find_target(identity)
    grid = parse_over(over, [target.config])
    _require_writable(csv, figure)
    if quantity is not None:
        require(figure is not None, "--quantity", "a --figure to draw it in", "none")
        require_summarised(target, quantity, changes)
    with explained(explain), progress(f"sweep {identity}") as watch:
        result = run_sweep(
            target,
            over=grid,
            seeds=seeds,
            first_seed=first_seed,
            out=store_at(out, same_environment=same_environment),
            fresh=fresh,
            workers=workers,
            cluster=cluster,
            watch=watch,
            **changes,
        )
    if csv is not None:
        csv.parent.mkdir(parents=True, exist_ok=True)
        csv.write_text(result.csv(), encoding="utf-8")
    if figure is not None:
        _draw(result, figure, quantity)
    if json:
        print_document({"rows": result.documents(), "out": str(result.path)}, started)
    else:
        _tell(result, time.perf_counter() - started)
    return 1 if any(point.status == "failed" for point in result.points) else 0


def _require_writable(csv: Path | None, figure: Path | None) -> None:
    """Raise `InputError` if a file cannot be written, before anything is computed."""
    if figure is not None:
        wanted = "a file that ends in .pdf, .svg or .png"
        require(figure.suffix in DRAWN, f"--figure {figure}", wanted, repr(figure.suffix))
    for file in (csv, figure):
        if file is not None:
            require_file(file, str(file))


def _draw(result: "Sweep", file: Path, quantity: str | None) -> None:
    from featlearn.figures.on_paper import save

    file.parent.mkdir(parents=True, exist_ok=True)
    save(result.figure(quantity), file)


def _tell(result: "Sweep", seconds: float) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    many = len(result.seeds)
    title = f"{result.identity}  {many} seed{'' if many == 1 else 's'}"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)  # narrow: many columns
    verdicts = ["verdict", "measured", "predicted"]
    shown = verdicts if result.of_statement else result.quantities
    rows = []
    for point in result.points:
        cells = [_cell(point.config.get(name)) for name in result.grid]
        for quantity in shown:
            estimate = point.estimate(quantity)
            if estimate is not None:
                known = estimate.stderr is not None and len(shown) <= MOST_WITH_ERRORS
                error = f" ± {number(estimate.stderr, 2)}" if known else ""
                fewer = estimate.reached < len(estimate.values)
                arrived = f" ({estimate.reached}/{len(estimate.values)})" if fewer else ""
                cells.append(f"{number(estimate.mean)}{error}{arrived}")
            else:
                cells.append(_cell(point.values.get(quantity)))
        rows.append([*cells, point.error or point.outcome])
    for place, heading in enumerate((*result.grid, *shown)):
        whole = max(len(row[place]) for row in rows)  # headings may wrap, but numbers may not
        table.add_column(heading.replace("_", " "), min_width=min(whole, WIDEST), overflow="fold")
    table.add_column("status", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    terminal = console()
    terminal.print(table)
    counted = ", ".join(f"{n} {state}" for state, n in result.counts.items() if n)
    told = f"{counted} in {seconds:.1f} s: {result.path}"
    terminal.print(told, soft_wrap=True, markup=False)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return number(value)
    return "-" if value is None else str(value)

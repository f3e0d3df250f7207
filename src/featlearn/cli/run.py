"""The command `featlearn run ID`: train one experiment."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from featlearn._config import fields, replace
from featlearn.cli.fields import COMMON
from featlearn.cli.output import console, explained, number, print_document, progress, with_error
from featlearn.experiments.named import NamedExperiment, seed_range

if TYPE_CHECKING:
    from featlearn.results.store import Store

OUT = Path("results")


def run(
    named: NamedExperiment,
    changes: dict[str, Any],
    *,
    seeds: int,
    first_seed: int,
    out: Path,
    fresh: bool,
    explain: bool,
    same_environment: bool,
    json: bool,
) -> int:
    """Train an experiment and print its summary."""
    started = time.perf_counter()
    config = replace(named.config, changes, where=named.id)
    seed_range(seeds, first_seed)
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.experiments.run import Result
    from featlearn.experiments.run import run as run_named

    store = store_at(out, same_environment=same_environment)
    with explained(explain), progress(f"{named.id} {config.experiment().key.name}") as watch:
        result: Result = run_named(
            named,
            seeds=seeds,
            first_seed=first_seed,
            out=store,
            fresh=fresh,
            watch=watch,
            **changes,
        )
    if json:
        print_document(_document(result), started)
    else:
        _tell(result, time.perf_counter() - started)
    return 0


Seeds = Annotated[int, Parameter(group=COMMON, help="How many seeds.")]
FirstSeed = Annotated[int, Parameter(group=COMMON, help="The first of them.")]
Out = Annotated[Path, Parameter(group=COMMON, help="The store of results.")]
Fresh = Annotated[
    bool, Parameter(group=COMMON, negative="", help="Compute again what the store has.")
]
Explain = Annotated[
    bool,
    Parameter(group=COMMON, negative="", help="Say what is read or computed, and why."),
]
SameEnvironment = Annotated[
    bool,
    Parameter(
        group=COMMON,
        negative="",
        help="Compute again what other versions of JAX, or another engine, computed.",
    ),
]
Json = Annotated[
    bool, Parameter(group=COMMON, negative="", help="Print one JSON document and nothing else.")
]


def store_at(out: Path, *, same_environment: bool) -> "Store":
    """The store in that folder, not opened yet."""
    from featlearn.results.store import Store

    return Store(root=out.expanduser(), same_environment=same_environment)


def command(named: NamedExperiment) -> Any:
    """The command of one experiment, before its fields are added as flags."""

    def call(
        *,
        seeds: Seeds = 5,
        first_seed: FirstSeed = 0,
        out: Out = OUT,
        fresh: Fresh = False,
        explain: Explain = False,
        same_environment: SameEnvironment = False,
        json: Json = False,
        **changes: Any,
    ) -> int:
        return run(
            named,
            changes,
            seeds=seeds,
            first_seed=first_seed,
            out=out,
            fresh=fresh,
            explain=explain,
            same_environment=same_environment,
            json=json,
        )

    return call


def _document(result: Any) -> dict[str, Any]:
    summary = {name: estimate.document() for name, estimate in result.summary.items()}
    return {
        "id": result.id,
        "config": fields(result.config),
        "hash": result.hash,
        "status": result.status,
        "seeds": list(result.seeds),
        "summary": summary,
        "diverged": {str(seed): step for seed, step in result.diverged.items()},
        "out": str(result.path),
    }


def _tell(result: Any, seconds: float) -> None:
    from rich.table import Table

    from featlearn.experiments.display import diverged

    table = Table(title=f"{result.id}  {result.hash}", title_justify="left")
    for heading in ("quantity", "mean ± standard error", "reached", "each seed"):
        table.add_column(heading)
    for name, estimate in result.summary.items():
        spread = with_error(estimate.mean, estimate.stderr)
        each = "  ".join(number(value) for value in estimate.values)
        table.add_row(name, spread, f"{estimate.reached} of {len(result.seeds)}", each)
    terminal = console(markup=False)
    terminal.print(table)
    for sentence in diverged(result):
        terminal.print(sentence)
    never = [name for name, estimate in result.summary.items() if not estimate.reached]
    if never and len(result.diverged) < len(result.seeds):
        steps = int(result.dataset["step"].values[-1])
        terminal.print(f"not reached by any seed in {steps} steps: {', '.join(never)}")
    told = {
        "read": "read from the store (--fresh computes it again)",
        "adopted": "adopted from the store: other code, the same program",
        "computed": "computed",
        "completed": "partly read from the store, the rest computed",
    }
    terminal.print(f"{told[result.status]} in {seconds:.1f} s: {result.path}", soft_wrap=True)

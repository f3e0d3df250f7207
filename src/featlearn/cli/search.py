"""featlearn search, featlearn compare: thresholds, and two results beside each other."""

import time
from typing import Annotated, Any

from cyclopts import Parameter

from featlearn.cli.fields import COMMON
from featlearn.cli.output import number, print_document, progress
from featlearn.cli.run import OUT, FirstSeed, Json, Out, Seeds

Experiment = Annotated[str, Parameter(help="An experiment, or path.py:name.")]
Field = Annotated[str, Parameter(group=COMMON, help="The field to search over.")]
Reach = Annotated[str, Parameter(group=COMMON, help="The target, such as 'test_accuracy>=0.95'.")]
Between = Annotated[str, Parameter(group=COMMON, help="The ends of the search, low..high.")]
Tolerance = Annotated[
    float, Parameter(group=COMMON, help="Stop when the ends differ by this share.")
]
Which = Annotated[str, Parameter(help="A result folder, or the beginning of its hash.")]


def search(
    identity: Experiment,
    *,
    field: Field,
    reach: Reach,
    between: Between,
    tolerance: Tolerance = 0.05,
    seeds: Seeds = 5,
    first_seed: FirstSeed = 0,
    out: Out = OUT,
    json: Json = False,
    **changes: Any,
) -> int:
    """The smallest value of a field that reaches a target, by bisection, seed by seed."""
    started = time.perf_counter()
    from featlearn._config import parse
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.papers.api import search as find

    low, _, high = between.partition("..")
    ends = (parse(low, float, "--between"), parse(high, float, "--between"))
    with progress(f"search {identity}") as watch:
        found = find(
            identity,
            field=field.replace("-", "_"),
            reach=reach,
            between=ends,
            tolerance=tolerance,
            seeds=seeds,
            first_seed=first_seed,
            out=out,
            watch=watch,
            **changes,
        )
    interval = None if found.ci is None else list(found.ci)
    if json:
        document = {
            "id": identity,
            "field": found.field,
            "target": reach,
            "seeds": list(found.seeds),
            "values": list(found.values),
            "reached": found.reached,
            "centre": found.centre,
            "ci": interval,
            "trials": found.trials,
        }
        print_document(document, started)
        return 0
    spread = (
        ""
        if interval is None
        else f"  95 % interval {number(interval[0])} to {number(interval[1])}"
    )
    each = "  ".join(number(value) for value in found.values)
    print(f"{identity}: smallest {found.field} with {reach}: {number(found.centre)}{spread}")
    print(f"  each seed: {each}")
    print(f"  reached in {found.reached} of {len(found.seeds)} seeds, {found.trials} trainings")
    return 0


def compare(a: Which, b: Which, *, out: Out = OUT, json: Json = False) -> int:
    """Two results: differing fields, and differences with 95 % intervals."""
    started = time.perf_counter()
    from featlearn.results.compare import compare as beside
    from featlearn.results.compare import find_result

    found = beside(find_result(a, out), find_result(b, out))
    if json:
        rows = [
            {**vars(each), "ci": list(each.ci) if each.ci else None} for each in found.differences
        ]
        differing = {name: list(pair) for name, pair in found.fields.items()}
        print_document(
            {"a": found.a, "b": found.b, "fields": differing, "differences": rows}, started
        )
        return 0
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(f"a  {found.a}\nb  {found.b}")
    for name, pair in found.fields.items():
        console.print(f"  {name}: {pair[0]} -> {pair[1]}")
    table = Table()
    for heading in ("quantity", "a", "b", "b - a", "95 % interval"):
        table.add_column(heading)
    for each in found.differences:
        interval = "-" if each.ci is None else f"{number(each.ci[0])} to {number(each.ci[1])}"
        numbers = (number(value) for value in (each.a, each.b, each.difference))
        table.add_row(each.quantity, *numbers, interval)
    console.print(table)
    return 0

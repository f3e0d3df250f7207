"""The command `featlearn search ID`: find the smallest value of a field that reaches a target."""

import time
from typing import Annotated, Any

from cyclopts import Parameter

from featlearn._check import require
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
    """Find the smallest value of a field that reaches a target, by bisection, for each seed."""
    started = time.perf_counter()
    from featlearn._config import parse
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.reproduction.api import search as find

    low, dots, high = between.partition("..")
    require(bool(dots), "--between", "low..high", repr(between))
    kinds = [int if end.isdigit() else float for end in (low, high)]
    ends = (parse(low, kinds[0], "--between"), parse(high, kinds[1], "--between"))
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

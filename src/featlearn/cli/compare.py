"""The command `featlearn compare A B`: compare two results."""

import time
from typing import Annotated

from cyclopts import Parameter

from featlearn.cli.output import console, number, print_document
from featlearn.cli.run import OUT, Json, Out

Which = Annotated[str, Parameter(help="A result folder, or the beginning of its hash.")]


def compare(a: Which, b: Which, *, out: Out = OUT, json: Json = False) -> int:
    """Compare two results: the fields that differ, and the differences with 95 % intervals."""
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
    from rich.table import Table

    terminal = console(markup=False)
    terminal.print(f"a  {found.a}\nb  {found.b}")
    for name, pair in found.fields.items():
        terminal.print(f"  {name}: {pair[0]} -> {pair[1]}")
    table = Table()
    for heading in ("quantity", "a", "b", "b - a", "95 % interval"):
        table.add_column(heading)
    for each in found.differences:
        interval = "-" if each.ci is None else f"{number(each.ci[0])} to {number(each.ci[1])}"
        numbers = (number(value) for value in (each.a, each.b, each.difference))
        table.add_row(each.quantity, *numbers, interval)
    terminal.print(table)
    return 0

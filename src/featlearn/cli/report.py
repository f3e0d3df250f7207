"""The command `featlearn report DIR`: write the page again from a store, or tables, or figures."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from featlearn._check import require
from featlearn.cli.fields import COMMON
from featlearn.cli.reproduce import PAGE, Report, finish, require_page
from featlearn.cli.run import OUT, Json

if TYPE_CHECKING:
    from featlearn.reproduction.outcome import Outcome


def report(
    store: Annotated[Path, Parameter(name="--out", help="The store, such as results.")] = OUT,
    *,
    report: Report = PAGE,
    latex: Annotated[
        bool, Parameter(group=COMMON, negative="", help="Print the tables as LaTeX; no page.")
    ] = False,
    csv: Annotated[
        bool, Parameter(group=COMMON, negative="", help="Print the ledger as CSV; no page.")
    ] = False,
    figures: Annotated[
        Path | None,
        Parameter(group=COMMON, help="Write every figure here as PDF, SVG and CSV; no page."),
    ] = None,
    json: Json = False,
) -> int:
    """Write the page again from a store, or print its tables, or write its figures."""
    started = time.perf_counter()
    asked = {"--latex": latex, "--csv": csv, "--figures": figures is not None, "--json": json}
    several = [name for name, given in asked.items() if given]
    require(len(several) <= 1, "report", "one of " + ", ".join(asked), " and ".join(several))
    require(store.is_dir(), "report", "the folder of a store", repr(str(store)))
    require_page(report)
    from featlearn.reproduction.reproduce import left_out, stored

    outcomes = stored(store)
    others = left_out(store, outcomes)
    require(
        len(outcomes) > 0,
        f"report {store}",
        "a store with reproduced items or decided statements",
        "only those of other code" if others else "none",
        f"Try `{' '.join(['featlearn reproduce', *others])}` first.",
    )
    if others:
        print(
            f"featlearn: left out, since their code or sizes are others: {', '.join(others)}",
            file=sys.stderr,
        )
    if latex or csv:
        from featlearn.report import tables

        print((tables.latex if latex else tables.csv)(outcomes), end="")
        return 0
    if figures is not None:
        return _write_figures(outcomes, figures)
    return finish(outcomes, report, started, json=json)


def _write_figures(outcomes: "tuple[Outcome, ...]", folder: Path) -> int:
    from featlearn.figures.files import write
    from featlearn.report.sections import stories

    compared = stories(outcomes)
    for file in write(compared, folder) if compared else ():
        print(file)
    for outcome in outcomes:
        for figure in outcome.figures:
            for file in write(figure, folder / outcome.id):
                print(file)
    return 0

"""featlearn graph ID: what rests on what in a paper's proofs, as a list, a figure or JSON."""

import time
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from featlearn.cli.fields import COMMON
from featlearn.cli.run import Json

Asked = Annotated[str, Parameter(help="A paper, or one statement with all that is tied to it.")]
File = Annotated[
    Path | None, Parameter(group=COMMON, help="Draw it into this file: .svg, .pdf or .png.")
]
Reading = Annotated[
    Literal["deciding", "printed", "corrected", "proof", "run"],
    Parameter(group=COMMON, help="Whose verdicts the figure shows."),
]


def graph(
    identity: Asked, /, *, figure: File = None, reading: Reading = "deciding", json: Json = False
) -> int:
    """Which statements of a paper rest on which, by its proofs, and how they stand.

    An arrow leads from a statement to each that its proof uses. A statement is
    firm if it holds and so does everything that its proof rests on; "not
    checked" is a step of a proof without a check.
    """
    started = time.perf_counter()
    from featlearn._check import require_one_of
    from featlearn.cli.output import print_document, require_file
    from featlearn.figures.graph import ENDINGS, save
    from featlearn.report.graph import document, drawing, lines
    from featlearn.reproduction.proofs import find

    if figure is not None:
        require_one_of(figure.suffix, ENDINGS, "--figure")
        require_file(figure, "--figure")
    proofs, _ = find(identity)
    if figure is not None:
        save(drawing(proofs, reading=reading), figure)
    if json:
        print_document(document(proofs), started)
    elif figure is not None:
        print(figure)
    else:
        print("\n".join(lines(proofs)))
    return 0

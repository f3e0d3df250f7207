"""The command `featlearn new-paper ID`: write the skeleton of a paper, which passes all tests."""

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from featlearn.cli.output import print_document
from featlearn.cli.run import Json
from featlearn.reproduction.new_paper import write_skeleton


def new_paper(
    identity: Annotated[str, Parameter(help="A name and a year: author2024.")],
    /,
    *,
    title: Annotated[str, Parameter(help="The title of the paper.")] = "",
    authors: Annotated[str, Parameter(help="Its authors, separated by commas.")] = "",
    into: Annotated[Path, Parameter(help="A checkout of featlearn.")] = Path(),
    json: Json = False,
) -> int:
    """Write the skeleton of a paper: setting, statement, item, texts, tests, page."""
    started = time.perf_counter()
    written = write_skeleton(identity, into.expanduser(), title=title, authors=authors)
    if json:
        print_document({"written": [str(file) for file in written]}, started)
        return 0
    for file in written:
        print(file)
    print(f"Try `featlearn check {identity}`, then docs/how-to/add-a-paper.md.")
    return 0

"""featlearn papers, featlearn cite: what there is, and what to quote."""

import time
from typing import Annotated

from cyclopts import Parameter

from featlearn.cli.output import print_document
from featlearn.cli.run import Json
from featlearn.reproduction.catalogue import cite as entries
from featlearn.reproduction.catalogue import papers as all_papers


def papers(*, json: Json = False) -> int:
    """The papers, their experiments and statements, with ids."""
    started = time.perf_counter()
    if json:
        listed = [
            {
                "id": paper.id,
                "title": paper.title,
                "experiments": [each.id for each in paper.experiments],
                "statements": [f"{paper.id}.{item}" for item in paper.statements],
                "items": [f"{paper.id}.{name}" for name in paper.items],
            }
            for paper in all_papers().values()
        ]
        print_document({"papers": listed}, started)
        return 0
    for paper in all_papers().values():
        print(f"{paper.id}  {paper.authors} ({paper.year}). {paper.title}")
        rows = [(each.id, each.title) for each in paper.experiments]
        told = [(f"{paper.id}.{item}", title) for item, title in paper.statements.items()]
        items = [(f"{paper.id}.{name}", title) for name, title in paper.items.items()]
        for heading, lines in (("experiments", rows), ("statements", told), ("items", items)):
            if lines:
                print(f"  {heading}")
            for identity, title in lines:
                print(f"    {identity:<28} {title}")
    return 0


def cite(
    *ids: Annotated[str, Parameter(help="Papers, experiments or statements.")], json: Json = False
) -> int:
    """BibTeX of what a run used."""
    started = time.perf_counter()
    found = {
        key: entry for identity in ids or all_papers() for key, entry in entries(identity).items()
    }
    if json:
        print_document({"references": found}, started)
    else:
        print("\n\n".join(found.values()))
    return 0

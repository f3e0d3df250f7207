"""The commands `featlearn papers` and `featlearn cite`: list what there is, and how to cite it."""

import time
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from featlearn._check import require, suggestion
from featlearn.cli.output import print_document
from featlearn.cli.run import OUT, Json, Out
from featlearn.reproduction.catalogue import cite as entries
from featlearn.reproduction.catalogue import papers as all_papers
from featlearn.reproduction.catalogue import statement_titles

OWN = "featlearn"
"""The key of featlearn's own reference."""
TITLE = "featlearn: theorems about feature learning, made executable"
YEAR = 2026
HOME = "https://github.com/featlearn/featlearn"


def papers(
    *ids: Annotated[str, Parameter(help="Papers (default: all).")], json: Json = False
) -> int:
    """List the papers with the ids of their experiments, statements and items."""
    started, every = time.perf_counter(), all_papers()
    for identity in ids:
        known = "one of the papers " + ", ".join(every)
        require(identity in every, "papers", known, repr(identity), suggestion(identity, every))
    shown = [paper for paper in every.values() if not ids or paper.id in ids]
    if json:
        listed = [
            {
                "id": paper.id,
                "title": paper.title,
                "experiments": [each.id for each in paper.experiments],
                "statements": [f"{paper.id}.{item}" for item in paper.statements],
                "items": [f"{paper.id}.{name}" for name in paper.items],
            }
            for paper in shown
        ]
        print_document({"papers": listed}, started)
        return 0
    for paper in shown:
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
    *ids: Annotated[str, Parameter(help="Papers, experiments, items or statements.")],
    out: Out = OUT,
    json: Json = False,
) -> int:
    """BibTeX of what a run used and of featlearn; of a statement its text, verdicts, evidence too.

    `featlearn cite featlearn` gives the entry of featlearn alone.
    """
    started = time.perf_counter()
    asked = [identity for identity in ids if identity != OWN] if ids else list(all_papers())
    found = {key: entry for identity in asked for key, entry in entries(identity).items()}
    found[OWN] = own_entry()
    told = [_statement(identity, out) for identity in ids if identity in statement_titles()]
    if json:
        print_document({"references": found, "statements": told}, started)
        return 0
    for each in told:
        from featlearn.reproduction.cited import lines

        # BibTeX skips text outside its entries, except for the sign that begins an entry.
        print("\n".join(f"% {line}".replace("@", "(at)") for line in lines(each)) + "\n")
    print("\n\n".join(found.values()))
    return 0


def own_entry() -> str:
    """BibTeX of featlearn itself, in this version; CITATION.cff says the same."""
    from featlearn.results.provenance import version

    return (
        f"@software{{{OWN},\n"
        "  author = {{The featlearn developers}},\n"
        f"  title = {{{TITLE}}},\n"
        f"  version = {{{version()}}},\n"
        f"  year = {{{YEAR}}},\n"
        f"  url = {{{HOME}}}\n"
        "}"
    )


def _statement(identity: str, out: Path) -> dict[str, Any]:
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.reproduction.catalogue import find_statements
    from featlearn.reproduction.cited import cited

    return cited(find_statements(identity)[0], out)

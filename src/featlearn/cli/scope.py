"""The command `featlearn scope ID …`: how far settings are from the hypotheses of theorems."""

import time
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from featlearn._check import require, suggestion
from featlearn._config import fields, replace
from featlearn.cli.fields import own_fields
from featlearn.cli.output import console, print_document
from featlearn.cli.run import Json

if TYPE_CHECKING:
    from featlearn.theory import Statement

    Held = tuple[str, Statement, Any]

Ids = Annotated[
    str,
    Parameter(help="Statements, papers, or items with settings of the paper; or path.py:name."),
]


def scope(*ids: Ids, json: Json = False, **changes: Any) -> int:
    """Print each hypothesis with its factor, the allowed constants, and the nearest setting."""
    started = time.perf_counter()
    require(bool(ids), "scope", "a statement, a paper or an item", "none")
    held = settings(ids)
    known = {name for _, _, config in held for name in fields(config)}
    for name in changes:
        require(
            name in known, "scope", "a field of the statements named", name, suggestion(name, known)
        )
    held = [
        (label, statement, replace(config, own_fields(config, changes), statement.id))
        for label, statement, config in held
    ]
    if json:
        print_document({"scopes": [_document(*each) for each in held]}, started)
    else:
        for each in held:
            _tell(*each)
    return 0


def settings(ids: tuple[str, ...]) -> "list[Held]":
    """For everything that the ids name: a label, a statement, and a setting to compare with it."""
    return [each for identity in ids for each in _held(identity)]


def _held(identity: str) -> "list[Held]":
    """The settings of an item, or the default sizes of a statement, each with its statement."""
    from featlearn.reproduction.catalogue import find_statements, item_titles, papers

    if identity not in item_titles():
        return [(each.id, each, each.config) for each in find_statements(identity)]
    paper = papers()[identity.partition(".")[0]]
    item = paper.item(identity.partition(".")[2])
    hint = f"Try `featlearn scope {paper.id}`."
    require(bool(item.settings), f"scope {identity}", "an item with settings", "none", hint)
    return [
        (f"{identity}, {each.label}", paper.statement(each.statement), each.config())
        for each in item.settings
    ]


def _document(label: str, statement: "Statement", config: Any) -> dict[str, Any]:
    from featlearn.theory.scope import scopes, windows
    from featlearn.theory.verdict import finite

    return {
        "setting": label,
        "statement": statement.id,
        "config": fields(config),
        "constants": {
            symbol: [finite(low), finite(high)]
            for symbol, (low, high) in windows(statement, config).items()
        },
        "readings": {
            each.reading.name.lower(): {
                "met": each.met,
                "factor": finite(each.factor),
                "hypotheses": [
                    {
                        "name": found.name,
                        "met": found.holds,
                        "factor": finite(found.factor),
                        "detail": found.detail,
                    }
                    for found in each.assumptions
                ],
                "nearest": each.nearest,
            }
            for each in scopes(statement, config)
        },
    }


def _tell(label: str, statement: "Statement", config: Any) -> None:
    from rich.markup import escape

    from featlearn.theory.readings import interval
    from featlearn.theory.scope import listed, scopes, windows

    terminal = console(highlight=False)

    def line(text: str) -> None:
        terminal.print(escape(text), soft_wrap=True)

    against = "" if label == statement.id else f" against {statement.id}"
    terminal.print(f"[bold]{escape(label)}[/bold]{against}", soft_wrap=True)
    found = scopes(statement, config)
    if not found:
        line("  no hypothesis beyond the configuration")
    for symbol, ends in windows(statement, config).items():
        low, high = ends
        allowed = f"no {symbol}" if low > high else f"{symbol} {interval(ends)}"
        line(f"  all hypotheses together allow {allowed}")
    for each in found:
        name = each.reading.name.lower()
        line(f"  {name}: {'in scope' if each.met else 'out of scope'}, with {each.reading.value}")
        for one in each.assumptions:
            line(f"    {'met   ' if one.holds else 'missed'}  {one.name}: {one.detail}")
        if each.nearest:
            line(f"    the nearest setting that would do: {listed(each.nearest)}")
        elif not each.met:
            line("    no setting of these fields would do")

"""Show a statement as a card: its text, its verdict in each reading, its constants, its
strength.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from featlearn.figures.style import for_page
from featlearn.report import formulas, strength
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.outcome import StatementOutcome
from featlearn.theory.text import Text, Unknown
from featlearn.theory.verdict import Assumption, FittedConstant, Judgement, ReadingVerdict

Entry = dict[str, Any]
DECADES = 6.0
"""A hypothesis that is missed by this many decades or more has a full bar."""


@dataclass(frozen=True, kw_only=True)
class Name:
    """A statement that a card names, with a link if the page has it."""

    name: str
    """As its paper calls it: "lemma C.4"."""
    link: str
    """Where it stands on the page; empty where it does not."""


def card(outcome: StatementOutcome, links: Mapping[str, str], used_by: tuple[str, ...]) -> Entry:
    """Return what the page shows of a statement besides its title and its verdict.

    Args:
        outcome: the statement.
        links: the statements on the page, by id.
        used_by: the names of the statements whose proofs rest on it.
    """
    judgement = outcome.judgement
    text = judgement.text if judgement else Text(printed="")
    return {
        **claim(text),
        "hypotheses": [formulas.condition(each) for each in text.hypotheses],
        "readings": [_reading(each, judgement) for each in judgement.readings] if judgement else [],
        "constants": [_constant(each) for each in text.constants],
        "fitted": [_fitted(name, each) for name, each in judgement.constants.items()]
        if judgement
        else [],
        **_strength(judgement),
        "uses": named(text.uses, outcome.paper, links),
        "used_by": named(used_by, outcome.paper, links),
        "files": _files(outcome),
    }


def claim(text: Text) -> Entry:
    """Return the claim as printed and as corrected, line by line, with the differences marked."""
    if not text.corrected:
        return {"printed": formulas.paragraphs(text.printed), "corrected": []}
    printed, corrected = formulas.compared(text.printed, text.corrected)
    return {"printed": printed, "corrected": corrected}


def spoken(name: str) -> str:
    """Return the name of a statement as one says it.

    Example:
        >>> spoken("lemma-C.4"), spoken("linear-baseline")
        ('lemma C.4', 'linear baseline')
    """
    return name.replace("-", " ")


def named(names: tuple[str, ...], paper: str, links: Mapping[str, str]) -> list[Name]:
    """Return the names of statements of a paper, linked if the page has them."""
    return [Name(name=spoken(each), link=links.get(f"{paper}.{each}", "")) for each in names]


def _reading(read: ReadingVerdict, judgement: Judgement) -> Entry:
    return {
        "name": read.reading.name.lower(),
        "meaning": read.reading.value,
        "word": read.verdict.name if read.verdict else "none",
        "reason": read.reason,
        "decides": read.reading is judgement.reading,
        "assumptions": [_assumption(each) for each in read.assumptions],
    }


def _assumption(assumption: Assumption) -> Entry:
    """Return a hypothesis, with the factor by which it is missed as a length on a logarithmic
    scale.
    """
    factor = assumption.factor
    missed = factor is not None and not assumption.holds and factor > 1
    return {
        "name": Markup(for_page(assumption.name)),
        "holds": assumption.holds,
        "detail": Markup(for_page(re.sub(r"^(not )?met(; |$)", "", assumption.detail))),
        "share": min(1.0, max(0.04, math.log10(factor) / DECADES)) if missed and factor else 0.0,
        "factor": formulas.number(factor, 3) if missed and factor else "",
    }


def _constant(unknown: Unknown) -> Entry:
    return {
        "symbol": formulas.formula(unknown.symbol),
        "role": unknown.role.value,
        "weaker": {"up": "larger is weaker", "down": "smaller is weaker"}[unknown.weaker],
        "printed": formulas.value(unknown.printed),
        "proof": formulas.value(unknown.proof),
        "run": formulas.value(unknown.run),
        "line": Markup(for_page(unknown.line)),
        "compared": unknown.compared() if unknown.run is not None else "",
    }


def _fitted(name: str, constant: FittedConstant) -> Entry:
    return {"name": name, "value": constant.value, "ci": constant.ci}


def _strength(judgement: Judgement | None) -> Entry:
    part = judgement.deciding if judgement else None
    if part is None:
        return {"bar": Markup(""), "strength": "", "deciding": ""}
    return {
        "bar": strength.bar(part),
        "strength": Markup(for_page(strength.told(part))),
        "deciding": Markup(for_page(part.name)),
    }


def _files(outcome: StatementOutcome) -> Entry:
    """Return where to read more about a statement: source file, documentation, entries of the
    store.
    """
    paper, _, name = outcome.id.partition(".")
    known = paper in papers() and name in papers()[paper].statements
    package = papers()[paper].package.replace(".", "/") if known else ""
    file = name.lower().replace("-", "_").replace(".", "_")
    ours = package.startswith("featlearn/")
    return {
        "source": f"{'src/' if ours else ''}{package}/statements/{file}.py" if known else "",
        "docs": f"docs/papers/{paper}.md" if known and ours else "",
        "command": f"featlearn check {outcome.id}",
        "rests_on": outcome.rests_on,
    }

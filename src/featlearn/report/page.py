"""Write one self-contained page: papers as cards, a comparison of them, ledger, verdicts, figures.

The page is one file that is opened from disk: it contains plotly.js, style and data, and its
security policy forbids every request. The template escapes all texts.
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from featlearn.figures.style import DARK, LIGHT, for_page, palette
from featlearn.report import strength
from featlearn.report.anchors import Anchors, anchor
from featlearn.report.cards import spoken
from featlearn.report.counts import OUTCOMES, VERDICTS, tally
from featlearn.report.drawn import script_json
from featlearn.report.packed import packed
from featlearn.report.sections import comparison, sections
from featlearn.report.tables import shown
from featlearn.reproduction.counts import rows_of
from featlearn.reproduction.outcome import ItemOutcome, Outcome, surprises
from featlearn.results.files import write_text
from featlearn.results.provenance import version
from featlearn.theory.readings import ORDER

RESERVED_IDS = ("main", "find", "words", "found", "everything", "papers", "verdicts", "quantities")
"""Ids of elements of the page, which outcomes may not use."""


def write(outcomes: Sequence[Outcome], file: Path) -> None:
    """Write the page; create its folder if necessary."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, render(outcomes))


def render(outcomes: Sequence[Outcome]) -> str:
    """Return the page as HTML text."""
    anchors = Anchors(taken=[*RESERVED_IDS, "provenance", "themes-data", "plotly", "print"])
    compared = comparison(outcomes, anchors)
    found = sections(outcomes, anchors)
    every = tally(outcomes)
    rows = {row.status.value for row in rows_of(outcomes)}
    readings = {each.name.lower(): each.value for each in ORDER}
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            version=version(),
            sections=found,
            comparison=compared,
            tally=every,
            filters={
                **{
                    reading: {word: VERDICTS[word] for word in every[reading]}
                    for reading in readings
                },
                "row": {word: OUTCOMES[word] for word in OUTCOMES if word in rows},
            },
            surprises=surprises(outcomes),
            meanings={"verdict": VERDICTS, "row": OUTCOMES},
            readings=readings,
            quantities=_quantities(outcomes),
            provenance=[each for each in outcomes if each.provenance],
            themes_json=script_json({theme.name: palette(theme) for theme in (LIGHT, DARK)}),
            plotly=_plotly() if any(each.figures for each in outcomes) else "",
        )
    )


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("featlearn.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "shown": _number,
        "anchor": anchor,
        "label": lambda text: Markup(for_page(text)),
        "spoken": spoken,
        "strength": strength.told,
        "value": _value,
        "without": lambda text, paper: text.removeprefix(f"{paper}."),
    }
    return environment


def _number(value: float | str | None, digits: int = 4) -> Markup:
    """Return a number of the ledger with a minus sign and its power of ten as a superscript; words
    stay as they are.

    Example:
        >>> _number(-4.7e-05)
        Markup('−4.7 × 10<sup>−5</sup>')
    """
    text = for_page(shown(value, digits))
    return Markup(text if isinstance(value, str) else text.replace("-", "−"))


def _value(value: Any) -> str:
    """Return the value of a field of a configuration as text.

    Example:
        >>> _value((64, 128)), _value(()), _value(None), _value(True), _value(0.30)
        ('64, 128', 'none', 'none', 'yes', '0.3')
    """
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value)) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def _quantities(outcomes: Sequence[Outcome]) -> dict[str, str]:
    every = [each.quantities for each in outcomes if isinstance(each, ItemOutcome)]
    return {name: meaning for part in every for name, meaning in sorted(part.items())}


@functools.cache
def _plotly() -> Markup:
    from plotly.offline import get_plotlyjs

    return packed(str(get_plotlyjs()))

"""One self-contained page: ledger, verdicts, figures, configuration and provenance.

The page is one file that is opened from disk: plotly.js, style and data stand in it, and its
security policy forbids every request. All texts are escaped by the template.
"""

import functools
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from featlearn.figures.on_page import draw
from featlearn.figures.record import Figure
from featlearn.figures.style import DARK, LATER, LIGHT, for_page, palette
from featlearn.papers.catalogue import papers
from featlearn.papers.outcome import Decided, Outcome, Reproduced, surprises
from featlearn.report.tables import ledger, shown
from featlearn.results.provenance import version
from featlearn.theory import Verdict

OUTCOMES = {
    "agrees": "Our number agrees with the paper's, within the error that is stated.",
    "differs": "Our number is not the paper's; the reason stands beside it.",
    "ambiguous": "The paper gives no number or leaves the recipe open, so nothing can be compared.",
}


def write(outcomes: Sequence[Outcome], file: Path) -> None:
    """Write the page; the folder is made if need be."""
    file.parent.mkdir(parents=True, exist_ok=True)
    aside = file.with_name(f".{file.name}.new")
    aside.write_text(render(outcomes), encoding="utf-8")
    aside.replace(file)


def render(outcomes: Sequence[Outcome]) -> str:
    """The page as text."""
    drawn = _drawn(outcomes)
    sections = _sections(outcomes)
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            version=version(),
            sections=sections,
            rows=_rows(outcomes),
            tally=_tally(outcomes),
            failed=[each for each in outcomes if each.error],
            surprises=surprises(outcomes),
            verdict_meanings={verdict.name: verdict.value for verdict in Verdict},
            outcome_meanings=OUTCOMES,
            quantities=_quantities(outcomes),
            provenance=[each for each in outcomes if each.provenance],
            figures_json=_script_json(drawn),
            themes_json=_script_json({theme.name: palette(theme) for theme in (LIGHT, DARK)}),
            plotly=Markup(_plotly()) if drawn else "",
        )
    )


def anchor(text: str) -> str:
    """An id as a deep link.

    Example:
        >>> anchor("glasgow2023.lemma-C.4"), anchor("phase 1: θ")
        ('glasgow2023.lemma-C.4', 'phase-1-')
    """
    return re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII)


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
        "shown": shown,
        "anchor": anchor,
        "label": lambda text: Markup(for_page(text)),
        "value": _value,
    }
    return environment


def _value(value: Any) -> str:
    """A field of a configuration, in words.

    Example:
        >>> _value((64, 128)), _value(None), _value(True), _value(0.30)
        ('64, 128', 'none', 'yes', '0.3')
    """
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value))
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def _sections(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A section for each paper that has outcomes, and one for what belongs to none."""
    ids = list(dict.fromkeys(each.paper if each.paper in papers() else "" for each in outcomes))
    return [
        {
            "id": identity or "own",
            "paper": papers().get(identity),
            "items": [o for o in outcomes if isinstance(o, Reproduced) and _of(o, identity)],
            "statements": [o for o in outcomes if isinstance(o, Decided) and _of(o, identity)],
        }
        for identity in ids
    ]


def _of(outcome: Outcome, paper: str) -> bool:
    return outcome.paper == paper if paper else outcome.paper not in papers()


def _rows(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {"row": row, "expected": each.expected(row)}
        for each in outcomes
        if isinstance(each, Reproduced)
        for row in each.reproduction.rows
    ]


def _tally(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    verdicts = Counter(
        o.verdict or "none" for o in outcomes if isinstance(o, Decided) if not o.error
    )
    agreed = Counter(row.agrees for row in ledger(outcomes))
    order = [*(verdict.name for verdict in Verdict), "none"]
    return {
        "statements": {name: verdicts[name] for name in order if verdicts[name]},
        "ledger": {name: agreed[name] for name in OUTCOMES if agreed[name]},
    }


def _quantities(outcomes: Sequence[Outcome]) -> dict[str, str]:
    every = [each.quantities for each in outcomes if isinstance(each, Reproduced)]
    return {name: meaning for part in every for name, meaning in sorted(part.items())}


def figure_key(item: str, figure: Figure) -> str:
    """The deep link of a figure."""
    return anchor(f"{item}.{figure.id}")


def _drawn(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """What plotly.js needs, by the id of the figure; colours are left to the page."""
    return {
        figure_key(each.id, figure): {
            "panels": draw(figure, LATER),
            "frames": list(figure.frames),
        }
        for each in outcomes
        if isinstance(each, Reproduced)
        for figure in each.reproduction.figures
    }


def _script_json(document: Any) -> Markup:
    """JSON that can stand in a script element: no tag can end or begin in it."""
    text = json.dumps(document, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))


@functools.cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())

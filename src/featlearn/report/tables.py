"""Write the ledger and the verdicts as tables for a paper (LaTeX, booktabs) or a spreadsheet
(CSV).
"""

import csv as comma
import io
from collections.abc import Iterable, Sequence

from featlearn.reproduction.cells import by_cell, judged
from featlearn.reproduction.counts import rows_of
from featlearn.reproduction.outcome import Outcome, StatementOutcome
from featlearn.results.files import spreadsheet_cell
from featlearn.results.ledger import Row

LEDGER = ("item", "quantity", "reading", "paper", "ours", "error", "unit", "seeds", "size")
JUDGED = ("kind", "status", "judged", "half", "cell", "group", "why", "command")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "±": r"\ensuremath{\pm}",
    "≤": r"\ensuremath{\le}",
    "≥": r"\ensuremath{\ge}",
    "·": r"\ensuremath{\cdot}",
    "×": r"\ensuremath{\times}",
    "²": r"\ensuremath{^2}",
    "√": r"\ensuremath{\surd}",
    "‖": r"\ensuremath{\|}",
    "⊥": r"\ensuremath{\perp}",
    "α": r"\ensuremath{\alpha}",
    "γ": r"\ensuremath{\gamma}",
    "η": r"\ensuremath{\eta}",
    "θ": r"\ensuremath{\theta}",
    "λ": r"\ensuremath{\lambda}",
    "μ": r"\ensuremath{\mu}",
    "ξ": r"\ensuremath{\xi}",
    "π": r"\ensuremath{\pi}",
    "ρ": r"\ensuremath{\rho}",
    "σ": r"\ensuremath{\sigma}",
    "τ": r"\ensuremath{\tau}",
    "ω": r"\ensuremath{\omega}",
    "Θ": r"\ensuremath{\Theta}",
    "Ω": r"\ensuremath{\Omega}",
}


def escaped(text: str) -> str:
    r"""Return a text, escaped so that LaTeX prints it unchanged.

    Example:
        >>> print(escaped("5 % of w_sig, θ > 0"))
        5 \% of w\_sig, \ensuremath{\theta} \ensuremath{>} 0
    """
    return "".join(_LATEX.get(letter, letter) for letter in text)


def shown(value: float | str | None, digits: int = 4) -> str:
    """Return the text of a cell of a table; it is empty for None.

    Example:
        >>> shown(33.21), shown("at most 1"), shown(None)
        ('33.21', 'at most 1', '')
    """
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.{digits}g}"


def csv(outcomes: Iterable[Outcome]) -> str:
    """Return the ledger as CSV, one line per row; the column "judged" marks the row that decides
    its cell.
    """
    text = io.StringIO()
    table = comma.writer(text, lineterminator="\n")
    table.writerow([*LEDGER, *JUDGED])
    rows = rows_of(outcomes)
    chosen = {id(row) for row in judged(rows)}
    for row in rows:
        told = [row.kind, row.status, "yes" if id(row) in chosen else "no", shown(row.half, 9)]
        cells = [*_cells(row, 9), *told, row.cell, row.group, row.why, row.command]
        table.writerow(map(spreadsheet_cell, cells))
    return text.getvalue()


def latex(outcomes: Iterable[Outcome]) -> str:
    """Return the ledger and the verdicts as two LaTeX tables, which use the package booktabs."""
    outcomes = list(outcomes)
    rows = [
        [row.quantity, row.recipe, shown(row.paper) or "none given", _ours(row), row.status]
        for of_cell in by_cell(rows_of(outcomes)).values()
        for row in of_cell
    ]
    decided = [o for o in outcomes if isinstance(o, StatementOutcome)]
    verdicts = [
        [each.id, each.title, (each.verdict or "failed" if each.error else each.verdict or "none")]
        for each in decided
    ]
    parts = []
    if rows:
        parts.append(_tabular(["quantity", "reading", "paper", "ours", "outcome"], rows))
    if verdicts:
        parts.append(_tabular(["statement", "claim", "verdict"], verdicts))
    return "% \\usepackage{booktabs}\n" + "\n".join(parts)


def _cells(row: Row, digits: int) -> list[str]:
    numbers = [shown(row.paper, digits), shown(row.measured, digits), shown(row.stderr, digits)]
    return [row.item, row.quantity, row.recipe, *numbers, row.unit, str(row.seeds), row.size]


def _ours(row: Row) -> str:
    error = "" if row.stderr is None else f" ± {shown(row.stderr, 2)}"
    return f"{shown(row.measured)}{error} {row.unit}".strip()


def _tabular(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [" & ".join(map(escaped, cells)) + r" \\" for cells in (headings, *rows)]
    body = "\n".join(lines[1:])
    columns = "l" * len(headings)
    return (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{lines[0]}\n\\midrule\n{body}\n"
        "\\bottomrule\n\\end{tabular}\n"
    )

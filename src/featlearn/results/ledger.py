"""The ledger: the paper's number beside ours, whether they agree, and why."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from featlearn._check import require_one_of

OUTCOMES = ("agrees", "differs", "ambiguous")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One number of a paper, or one that it gives none for, measured."""

    item: str
    """The id, such as ``shi2022.table-1``."""
    quantity: str
    paper: float | str | None
    """The paper's value; None where it gives none."""
    measured: float | None
    stderr: float | None = None
    ci: tuple[float, float] | None = None
    unit: str = ""
    seeds: int = 1
    recipe: str = ""
    """Which reading of the paper: "literal", "practical", …"""
    size: str = "full"
    """The size at which it was run."""
    agrees: str
    why: str
    """One sentence."""
    command: str = ""

    def __post_init__(self) -> None:
        require_one_of(self.agrees, OUTCOMES, "Row(agrees)")


def compare(
    paper: float | None,
    measured: float | None,
    tolerance: float,
    *,
    stderr: float | None = None,
    why: str = "",
) -> dict[str, Any]:
    """The two fields `agrees` and `why` of a row whose paper gives a number and a tolerance.

    Within the tolerance it agrees; further off by more than two standard errors it differs; in
    between the error bar allows both.

    Example:
        >>> compare(86.4, 85.0, 2.5)
        {'agrees': 'agrees', 'why': '1.4 from the paper, 2.5 allowed'}
        >>> compare(100.0, 93.8, 3.0, stderr=3.5)["agrees"]
        'ambiguous'
    """
    if paper is None or measured is None or not math.isfinite(measured):
        return {"agrees": "ambiguous", "why": why or "no number to compare"}
    gap = abs(measured - paper)
    told = f"{gap:.3g} from the paper, {tolerance:.3g} allowed"
    agrees = "agrees" if gap <= tolerance else "differs"
    if agrees == "differs" and gap <= tolerance + 2 * (stderr or 0.0):
        agrees, told = "ambiguous", f"{told}, standard error {stderr:.2g}: more seeds would tell"
    return {"agrees": agrees, "why": f"{why}; {told}" if why else told}


def to_document(row: Row) -> dict[str, Any]:
    """The row as JSON; numbers are finite or null."""
    document = asdict(row)
    for name in ("measured", "stderr"):
        value = document[name]
        document[name] = value if value is not None and math.isfinite(value) else None
    document["ci"] = list(row.ci) if row.ci else None
    return document


def from_document(document: dict[str, Any]) -> Row:
    """The row that `to_document` wrote."""
    ci = document.get("ci")
    return Row(**{**document, "ci": tuple(ci) if ci else None})

"""Rows of the ledger, the one way to make them: a printed cell, a conclusion, a measurement.

Each takes the context (which says the size), the id of the item, what is measured, and our side:
one number a seed, an `Estimate`, or an `Ours` made by hand. The status follows from the rule of
`results.ledger`, never from a row's own threshold. A row that is not as the paper has it names the
run that shows why (``see frei2022.second-look``), or says that it is not known.
"""

import re
from collections.abc import Iterable
from typing import TypedDict, Unpack

import numpy as np

from featlearn._check import require
from featlearn.experiments.result import Estimate
from featlearn.reproduction.item import Context
from featlearn.results.ledger import (
    APART,
    Judged,
    Ours,
    Printed,
    Row,
    RowKind,
    Status,
    computed,
    judge,
    ours,
)

NOT_KNOWN = "not known"
NORMAL = 2.5758293
"""The standard normal stays below it with probability .995."""
CITED = re.compile(r"\bsee [a-z]+\d{4}\.[\w.-]*\w")
Found = Ours | Estimate | Iterable[float | None] | np.ndarray | float | None


class RowFields(TypedDict, total=False):
    """Fields of a row that any row may have."""

    recipe: str
    cell: str
    group: str
    judged: bool
    size: str
    command: str


class MeasuredFields(RowFields, total=False):
    """Those of a row for which the paper has no number."""

    unit: str


class _PaperFields(TypedDict, total=False):
    """What the paper says of its number, and what is handed on."""

    rounding: float
    paper_sd: float | None
    paper_runs: int | None
    allowed: float | None
    resolve: float | None
    unit: str
    judged: bool
    command: str


def side(found: Found, *, trials: int | None = None) -> Ours:
    """Our side of a row; a single number is a computed one, without an error.

    Example:
        >>> side(2.5).stderr, side([1.0, 3.0]).mean
        (0.0, 2.0)
    """
    if isinstance(found, Ours):
        return found
    if isinstance(found, Estimate):
        return ours(found.values, trials=trials)
    if found is None:
        return ours((), trials=trials)
    if isinstance(found, float | int):
        return computed(float(found))
    return ours(
        np.asarray([np.nan if each is None else each for each in found], float), trials=trials
    )


def cell(
    context: Context | str,
    item: str,
    quantity: str,
    found: Found,
    paper: Printed,
    *,
    why: str = "",
    reason: str = NOT_KNOWN,
    unit: str = "",
    trials: int | None = None,
    status: Status | None = None,
    **more: Unpack[RowFields],
) -> Row:
    """A number that the paper prints, or that follows from a formula of its own.

    Args:
        context: says the size; or the size itself.
        item: the id of the item.
        quantity: what was measured.
        found: one number a seed, an estimate, or a computed number.
        paper: the printed number with its rounding and error.
        why: what a reader should know of this row.
        reason: why it is not the paper's number, if it is not: ``see ID``, or "not known".
        unit: of both numbers; "%" makes a share one of 100.
        trials: of a share, of how many trials, all seeds together.
        status: in the place of the rule's: fitted, predicted, unreachable, not run.
        more: further fields of the row: recipe, cell, group, judged, size, command.
    """
    mine = side(found, trials=trials)
    told = judge(paper, mine, unit=unit)
    if status is not None:
        words = "not compared" if status is Status.NOT_RUN else told.told
        told = Judged(status=status, told=words, half=told.half)
    return _row(
        context,
        item,
        quantity,
        mine,
        told,
        kind=RowKind.CELL,
        paper=paper.value,
        rounding=paper.rounding,
        paper_sd=paper.sd,
        paper_runs=paper.runs,
        allowed=paper.allowed,
        resolve=paper.resolve,
        why=why,
        reason=reason,
        unit=unit,
        **more,
    )


def conclusion(
    context: Context | str,
    item: str,
    quantity: str,
    found: Found,
    paper: str,
    holds: bool | Status | Judged,
    *,
    why: str = "",
    reason: str = NOT_KNOWN,
    unit: str = "",
    **more: Unpack[RowFields],
) -> Row:
    """What the paper concludes and is no number: an order, a sign, an "always".

    Args:
        context: says the size; or the size itself.
        item: the id of the item.
        quantity: what was measured.
        found: as for a cell.
        paper: the conclusion in the paper's words.
        holds: whether every case bears it out; or a status; or the side of a bound
            (`results.ledger.side_of`).
        why: what a reader should know of this row.
        reason: why it is not as the paper has it, if it is not: ``see ID``, or "not known".
        unit: of our number.
        more: further fields of the row: recipe, cell, group, judged, size, command.
    """
    if isinstance(holds, Judged):
        told = holds
    elif isinstance(holds, Status):
        told = Judged(status=holds, told="")
    else:
        told = Judged(status=Status.AGREES if holds else Status.DIFFERS, told="")
    mine = side(found)
    kind = RowKind.CONCLUSION
    return _row(
        context, item, quantity, mine, told,
        kind=kind, paper=paper, why=why, reason=reason, unit=unit, **more,
    )  # fmt: skip


def measured(
    context: Context | str,
    item: str,
    quantity: str,
    found: Found,
    *,
    why: str,
    **more: Unpack[MeasuredFields],
) -> Row:
    """A number of ours for which the paper has nothing to compare."""
    told = Judged(status=Status.NO_CLAIM, told="")
    mine = side(found)
    missing = f"{mine.missing} of {mine.seeds} seeds never got there" if mine.missing else ""
    why = "; ".join(filter(None, (why, missing)))
    return _row(
        context, item, quantity, mine, told, kind=RowKind.MEASURED, paper=None, why=why, **more
    )


def _stderr(mine: Ours, told: Judged) -> float | None:
    """That of the mean; of a share whose seeds are all equal, that of its exact interval."""
    if mine.stderr == 0 and mine.trials and told.half is not None:
        return told.half / NORMAL
    return mine.stderr if mine.seeds > 1 else None


def _row(
    context: Context | str,
    item: str,
    quantity: str,
    mine: Ours,
    told: Judged,
    *,
    kind: RowKind,
    paper: float | str | None,
    why: str,
    reason: str = "",
    recipe: str = "literal",
    cell: str = "",
    group: str = "",
    size: str = "",
    **more: Unpack[_PaperFields],
) -> Row:
    parts = [why, told.told]
    if told.status in APART:
        cited = reason.startswith(NOT_KNOWN) or bool(CITED.search(reason))
        require(cited, f"{item} {quantity}", "a reason with `see ID`, or `not known`", repr(reason))
        parts.append(f"why: {reason}")
    return Row(
        item=item,
        quantity=quantity,
        kind=kind,
        paper=paper,
        measured=mine.mean,
        stderr=_stderr(mine, told),
        half=told.half,
        p_value=told.p_value,
        seeds=mine.seeds,
        recipe=recipe,
        size=size or (context if isinstance(context, str) else context.size),
        status=told.status,
        cell=cell or f"{item}/{quantity}",
        group=group or f"{item}/{recipe}",
        why="; ".join(filter(None, parts)),
        **more,
    )

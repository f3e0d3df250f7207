"""Make rows of the ledger: a printed cell, a conclusion, or a measurement.

Each function takes the context (which has the size), the id of the item, the name of the quantity,
and our result: one number per seed, an `Estimate`, or an `Ours`. The status follows from the rule
of `results.ledger`; no row has a threshold of its own. A row that contradicts the paper names the
run that shows why (``see frei2022.second-look``), or says that the reason is not known.
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
    Ours,
    Printed,
    Row,
    RowJudgement,
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
    """Fields of a row for which the paper has no number."""

    unit: str


class _PaperFields(TypedDict, total=False):
    """Fields of a row that give the paper's number or conclusion, and fields that are passed on
    unchanged.
    """

    rounding: float
    paper_sd: float | None
    paper_runs: int | None
    allowed: float | None
    resolve: float | None
    unit: str
    judged: bool
    command: str


def side(found: Found, *, trials: int | None = None) -> Ours:
    """Convert our result to an `Ours`; a single number counts as computed without an error.

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
    """Return the row of a number that the paper prints, or that follows from one of its formulas.

    Args:
        context: the context, which has the size; or the size itself.
        item: the id of the item.
        quantity: what was measured.
        found: one number per seed, an estimate, or a computed number.
        paper: the printed number with its rounding and error.
        why: what a reader should know about this row.
        reason: why our number differs from the paper's, if it does: ``see ID`` or "not known".
        unit: the unit of both numbers; with "%" shares are numbers up to 100.
        trials: for a share of trials, the number of trials over all seeds.
        status: used instead of the rule's status: fitted, predicted, unreachable, not run.
        more: further fields of the row: recipe, cell, group, judged, size, command.
    """
    mine = side(found, trials=trials)
    judgement = judge(paper, mine, unit=unit)
    if status is not None:
        words = "not compared" if status is Status.NOT_RUN else judgement.detail
        judgement = RowJudgement(status=status, detail=words, half=judgement.half)
    return _row(
        context,
        item,
        quantity,
        mine,
        judgement,
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
    holds: bool | Status | RowJudgement,
    *,
    why: str = "",
    reason: str = NOT_KNOWN,
    unit: str = "",
    **more: Unpack[RowFields],
) -> Row:
    """Return the row of a conclusion of the paper that is not a number: an order, a sign, an
    "always".

    Args:
        context: the context, which has the size; or the size itself.
        item: the id of the item.
        quantity: what was measured.
        found: as for a cell.
        paper: the conclusion in the paper's words.
        holds: whether the conclusion holds in every case; or a status; or the result of
            `results.ledger.side_of`.
        why: what a reader should know about this row.
        reason: why our conclusion differs, if it does: ``see ID`` or "not known".
        unit: the unit of our number.
        more: further fields of the row: recipe, cell, group, judged, size, command.
    """
    if isinstance(holds, RowJudgement):
        judgement = holds
    elif isinstance(holds, Status):
        judgement = RowJudgement(status=holds, detail="")
    else:
        judgement = RowJudgement(status=Status.AGREES if holds else Status.DIFFERS, detail="")
    mine = side(found)
    kind = RowKind.CONCLUSION
    return _row(
        context, item, quantity, mine, judgement,
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
    """Return the row of a number that we measured and that the paper does not have."""
    judgement = RowJudgement(status=Status.NO_CLAIM, detail="")
    mine = side(found)
    missing = f"{mine.missing} of {mine.seeds} seeds never got there" if mine.missing else ""
    why = "; ".join(filter(None, (why, missing)))
    return _row(
        context, item, quantity, mine, judgement, kind=RowKind.MEASURED, paper=None, why=why, **more
    )


def _stderr(mine: Ours, judgement: RowJudgement) -> float | None:
    """Return the standard error of the mean; for a proportion without spread, that of its exact
    interval.
    """
    if mine.stderr == 0 and mine.trials and judgement.half is not None:
        return judgement.half / NORMAL
    return mine.stderr if mine.seeds > 1 else None


def _row(
    context: Context | str,
    item: str,
    quantity: str,
    mine: Ours,
    judgement: RowJudgement,
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
    parts = [why, judgement.detail]
    if judgement.status in APART:
        cited = reason.startswith(NOT_KNOWN) or bool(CITED.search(reason))
        require(cited, f"{item} {quantity}", "a reason with `see ID`, or `not known`", repr(reason))
        parts.append(f"why: {reason}")
    return Row(
        item=item,
        quantity=quantity,
        kind=kind,
        paper=paper,
        measured=mine.mean,
        stderr=_stderr(mine, judgement),
        half=judgement.half,
        p_value=judgement.p_value,
        seeds=mine.seeds,
        recipe=recipe,
        size=size or (context if isinstance(context, str) else context.size),
        status=judgement.status,
        cell=cell or f"{item}/{quantity}",
        group=group or f"{item}/{recipe}",
        why="; ".join(filter(None, parts)),
        **more,
    )

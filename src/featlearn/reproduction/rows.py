"""A row of the ledger from one number a seed."""

from collections.abc import Sequence

import numpy as np

from featlearn.experiments.result import Estimate
from featlearn.reproduction.item import Context
from featlearn.results.ledger import Row


def measured_row(
    of: str,
    context: Context,
    item: str,
    quantity: str,
    values: Sequence[float] | np.ndarray,
    *,
    why: str,
    paper: float | str | None = None,
    agrees: bool | None = None,
    unit: str = "",
    recipe: str = "literal",
) -> Row:
    """One quantity, measured once a seed.

    Args:
        of: the id of the paper.
        context: says the size.
        item: the name of the item in the paper.
        quantity: what was measured.
        values: one number a seed.
        why: one sentence.
        paper: the paper's value, if it gives one.
        agrees: None where the paper says nothing that could be compared.
        unit: of the values.
        recipe: which reading of the paper.
    """
    estimate = Estimate(values=tuple(float(value) for value in values))
    return Row(
        item=f"{of}.{item}",
        quantity=quantity,
        paper=paper,
        measured=estimate.mean,
        stderr=estimate.stderr,
        unit=unit,
        seeds=len(estimate.values),
        recipe=recipe,
        size=context.size,
        agrees="ambiguous" if agrees is None else "agrees" if agrees else "differs",
        why=why,
    )

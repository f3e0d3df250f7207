"""Rows of this paper's ledger: what the items have in common."""

from collections.abc import Sequence

import numpy as np

from featlearn.experiments.run import Estimate
from featlearn.papers.frei2022.assumptions import in_scope, largest_constants, window
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.reproduction.item import Context
from featlearn.results.ledger import Row


def row(
    context: Context,
    item: str,
    quantity: str,
    values: Sequence[float] | np.ndarray,
    *,
    paper: float | str | None,
    agrees: bool | None,
    why: str,
    unit: str = "",
    recipe: str = "literal",
) -> Row:
    """One quantity, measured once a seed; `agrees` None where the paper says nothing."""
    estimate = Estimate(values=tuple(float(value) for value in values))
    outcome = "ambiguous" if agrees is None else "agrees" if agrees else "differs"
    return Row(
        item=f"frei2022.{item}",
        quantity=quantity,
        paper=paper,
        measured=estimate.mean,
        stderr=estimate.stderr,
        unit=unit,
        seeds=len(estimate.values),
        recipe=recipe,
        size=context.size,
        agrees=outcome,
        why=why,
    )


def scope_note(name: str, config: XorClusters) -> str:
    """Whether theorem 1 speaks of a setting, with every assumption's largest C."""
    listed = ", ".join(f"{each} {limit:.3g}" for each, limit in largest_constants(config).items())
    low, high = window(config.eta)
    told = "inside" if in_scope(config) else "outside"
    return (
        f"{name} is {told} the scope of theorem 1: the largest C allowed is {listed}, "
        f"while A7 asks for C in [{low:.3g}, {high:.3g}]."
    )

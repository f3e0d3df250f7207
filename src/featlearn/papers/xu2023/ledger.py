"""Rows of this paper's ledger, and what figures have in common."""

from collections.abc import Sequence

import numpy as np

from featlearn.experiments.run import Estimate
from featlearn.figures.record import Series
from featlearn.papers.xu2023.assumptions import largest_constants
from featlearn.papers.xu2023.setting import GrokkingClusters
from featlearn.reproduction.item import Context
from featlearn.results.ledger import Row


def row(
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
    """One quantity, measured once a seed; `agrees` None where the paper says nothing."""
    estimate = Estimate(values=tuple(float(value) for value in values))
    return Row(
        item=f"xu2023.{item}",
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


def band(name: str, x: np.ndarray, values: np.ndarray, role: str, share: float = 0.9) -> Series:
    """The mean over the first axis, with a band that holds that share of the runs."""
    tail = (1 - share) / 2
    low, high = (np.quantile(values, q, axis=0).astype(float) for q in (tail, 1 - tail))
    return Series(
        name=name,
        x=np.asarray(x, float),
        y=values.mean(axis=0).astype(float),
        low=low,
        high=high,
        role=role,
    )


def scope_note(name: str, config: GrokkingClusters) -> str:
    """How far a setting is from the assumptions, at C = 1."""
    limits = largest_constants(config)
    missed = [f"{each} by {1 / limit:.2g}" for each, limit in limits.items() if limit < 1 - 1e-9]
    if not missed:
        return f"{name} meets A1 to A6 at C = 1."
    return f"{name} misses {', '.join(missed)} at C = 1: theorem 3.1 does not speak of it."

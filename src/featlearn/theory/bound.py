"""Bounds whose constants are given: one-sided Student-t over seeds at 0.999."""

from typing import Literal

import numpy as np
from jaxtyping import Float

from featlearn.theory.verdict import Part, Verdict

LEVEL = 0.999


def bound(
    name: str,
    values: Float[np.ndarray, " seeds"],
    limit: float,
    *,
    side: Literal["<=", ">="] = "<=",
    every: bool = False,
    vacuous: bool = False,
) -> Part:
    """Judge mean(values) <= limit (or >=), one value a seed.

    Args:
        name: what is bounded.
        values: one number a seed.
        limit: the bound.
        side: which way.
        every: the claim is for every instance, so that one counterexample decides.
        vacuous: no outcome could violate the bound here: OUT_OF_SCOPE.

    Example:
        >>> bound("x", np.array([0.1, 0.2, 0.15]), 1.0).verdict.name
        'HOLDS'
    """
    import scipy.stats

    n, mean = len(values), float(np.mean(values))
    sign = 1.0 if side == "<=" else -1.0
    stderr = float(np.std(values, ddof=1) / np.sqrt(n)) if n >= 2 else None
    worst = float(np.max(sign * values) * sign)

    def part(verdict: Verdict, reason: str, ci: tuple[float, float] | None = None) -> Part:
        return Part(
            name=name,
            relation=side,
            measured=worst if every else mean,
            stderr=stderr,
            ci=ci,
            predicted=limit,
            verdict=verdict,
            reason=reason,
        )

    if vacuous:
        return part(Verdict.OUT_OF_SCOPE, "vacuous: no outcome could violate the bound here")
    if not np.all(np.isfinite(values)):
        return part(Verdict.FAILS, "a measured value is not finite")
    if every and sign * worst > sign * limit:
        return part(Verdict.FAILS, f"a counterexample among {n} seeds: {worst:.4g}")
    if stderr is None:
        return part(Verdict.UNDECIDED, "one seed has no error bar")
    slack = float(scipy.stats.t.ppf(LEVEL, n - 1)) * stderr
    interval = (mean - slack, mean + slack)
    if every:
        return part(Verdict.HOLDS, f"no counterexample in {n} seeds, worst {worst:.4g}", interval)
    if sign * mean + slack <= sign * limit:
        return part(Verdict.HOLDS, f"by {LEVEL:.1%} one-sided t over {n} seeds", interval)
    if sign * mean - slack > sign * limit:
        return part(Verdict.FAILS, f"by {LEVEL:.1%} one-sided t over {n} seeds", interval)
    return part(Verdict.UNDECIDED, f"the {LEVEL:.1%} interval straddles the bound", interval)

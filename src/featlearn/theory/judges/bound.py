"""Bounds whose constants are given: one-sided Student-t over seeds at 0.999."""

from typing import Literal

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.theory.claim import claims
from featlearn.theory.estimates import student
from featlearn.theory.verdict import Part, Verdict

LEVEL = 0.999
ROUNDING = 1e-12


@claims
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
    require(len(values) > 0, f"bound {name}", "at least one seed", "none")
    n, mean, known = len(values), float(np.mean(values)), bool(np.all(np.isfinite(values)))
    sign = 1.0 if side == "<=" else -1.0
    stderr = float(np.std(values, ddof=1) / np.sqrt(n)) if n >= 2 and known else None
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
    if not known:
        return part(Verdict.FAILS, "a measured value is not finite")
    if every and sign * worst > sign * limit:
        return part(Verdict.FAILS, f"a counterexample among {n} seeds: {worst:.4g}")
    if stderr is None:
        return part(Verdict.UNDECIDED, "one seed has no error bar")
    slack = student(LEVEL, n - 1) * stderr
    interval = (mean - slack, mean + slack)
    if every:  # the interval is that of the mean, and the worst is what is told
        return part(Verdict.HOLDS, f"no counterexample in {n} seeds, worst {worst:.4g}")
    if sign * mean + slack <= sign * limit:
        return part(Verdict.HOLDS, f"by {LEVEL:.1%} one-sided t over {n} seeds", interval)
    if sign * mean - slack > sign * limit:
        return part(Verdict.FAILS, f"by {LEVEL:.1%} one-sided t over {n} seeds", interval)
    return part(Verdict.UNDECIDED, f"the {LEVEL:.1%} interval straddles the bound", interval)


@claims
def exact_bound(
    name: str, value: float, limit: float, *, side: Literal["<=", ">="] = "<=", why: str = "exactly"
) -> Part:
    """Judge value <= limit (or >=) for a value that is computed, not sampled.

    A bound that is met with equality holds up to rounding, 1e-12 of the limit.

    Example:
        >>> exact_bound("x", 0.5, 1.0).verdict.name, exact_bound("x", 0.5, 1.0, side=">=").reason
        ('HOLDS', 'computed exactly: 0.5 against 1')
    """
    slack = ROUNDING * abs(limit)
    holds = value <= limit + slack if side == "<=" else value >= limit - slack
    return Part(
        name=name,
        relation=side,
        measured=float(value),
        predicted=float(limit),
        verdict=Verdict.HOLDS if holds else Verdict.FAILS,
        reason=f"computed {why}: {value:.4g} against {limit:.4g}",
    )

"""Judge bounds whose constants are given, by one-sided Student-t limits over seeds at level
0.999.
"""

import math

import numpy as np
from jaxtyping import Float

from featlearn._check import require, require_one_of
from featlearn._choices import SIDES, Side
from featlearn.results.statistics import exceeds, standard_error, student
from featlearn.theory.claim import claims
from featlearn.theory.strength import (
    ENOUGH_INSTANCES,
    REJECT,
    bound_strength,
    detectable,
    equal_values,
)
from featlearn.theory.verdict import Grade, Part, Strength, Verdict

ROUNDING = 1e-12
UNKNOWN = Strength(grade=Grade.SAMPLED)


@claims
def bound(
    name: str,
    values: Float[np.ndarray, " seeds"],
    limit: float,
    *,
    side: Side = "<=",
    every: bool = False,
    instances: int = 1,
    vacuous: bool = False,
) -> Part:
    """Judge mean(values) <= limit (or >=), from one value per seed.

    Args:
        name: what is bounded.
        values: one number per seed.
        limit: the bound.
        side: the direction of the bound.
        every: whether the claim is about every instance, so that one counterexample refutes it.
        instances: with `every`, each value is the worst of so many independent instances.
        vacuous: whether no outcome could violate the bound at this setting.

    Example:
        >>> bound("x", np.array([0.1, 0.2, 0.15]), 1.0).verdict.name
        'HOLDS'
    """
    require_one_of(side, SIDES, f"bound {name}: side")
    require(len(values) > 0, f"bound {name}", "at least one seed", "none")
    n, mean, known = len(values), float(np.mean(values)), bool(np.all(np.isfinite(values)))
    sign = 1.0 if side == "<=" else -1.0
    stderr = standard_error(values) if n >= 2 and known else None
    worst = float(np.max(sign * values) * sign)

    def part(
        verdict: Verdict,
        reason: str,
        *,
        ci: tuple[float, float] | None = None,
        strength: Strength = UNKNOWN,
        p_value: float | None = None,
    ) -> Part:
        return Part(
            name=name,
            relation=side,
            measured=worst if every else mean,
            stderr=stderr,
            ci=ci,
            predicted=limit,
            verdict=verdict,
            reason=reason,
            strength=strength,
            p_value=p_value,
        )

    if vacuous:
        return part(Verdict.VACUOUS, "no outcome could violate the bound here")
    if not known:
        return part(Verdict.FAILS, "a measured value is not finite", p_value=0.0)
    if math.isnan(limit):
        return part(Verdict.UNDECIDED, "the bound is no number")
    if limit == sign * math.inf:
        return part(Verdict.VACUOUS, "every number is within an infinite bound")
    if every:
        if sign * worst > sign * limit:
            return part(
                Verdict.FAILS, f"a counterexample among {n} seeds: {worst:.4g}", p_value=0.0
            )
        total = n * instances
        share = 1 - 0.05 ** (1 / total)
        weak = f"{total} instances, {ENOUGH_INSTANCES} would do" if total < ENOUGH_INSTANCES else ""
        strength = bound_strength(worst, limit, side, grade=Grade.SAMPLED, weak=weak)
        reason = (
            f"no counterexample in {total}, worst {worst:.4g}; at most {share:.1%} of them fail"
        )
        return part(Verdict.HOLDS, reason, strength=strength, p_value=1.0)
    if stderr is None:
        return part(Verdict.UNDECIDED, "one seed has no error bar")
    if limit == 0 and not np.any(values):
        return part(Verdict.UNDECIDED, "both sides are 0: nothing was compared")
    weak = equal_values(values)
    slack = student(REJECT, n - 1) * stderr
    interval = (mean - slack, mean + slack)
    strength = bound_strength(
        mean,
        limit,
        side,
        grade=Grade.SAMPLED,
        upper=mean + sign * slack,
        detects=None if weak else detectable(stderr, n - 1),
        weak=weak,
    )
    p_value = exceeds(sign * (mean - limit), stderr, n - 1)
    if sign * mean + slack <= sign * limit:
        verdict, reason = Verdict.HOLDS, f"by {REJECT:.1%} one-sided t over {n} seeds"
    elif sign * mean - slack > sign * limit:
        verdict, reason = Verdict.FAILS, f"by {REJECT:.1%} one-sided t over {n} seeds"
    else:
        verdict, reason = Verdict.UNDECIDED, f"the {REJECT:.1%} interval straddles the bound"
    return part(verdict, reason, ci=interval, strength=strength, p_value=p_value)


@claims
def exact_bound(
    name: str,
    value: float,
    limit: float,
    *,
    side: Side = "<=",
    why: str = "exactly",
    vacuous: str = "",
) -> Part:
    """Judge value <= limit (or >=) for a value that is computed without sampling.

    A bound that is met with equality holds up to rounding, 1e-12 of the limit.

    Args:
        name: what is bounded.
        value: the number.
        limit: the bound.
        side: the direction of the bound.
        why: how the number was computed.
        vacuous: why no outcome could violate the bound at this setting; empty if one could.

    Example:
        >>> exact_bound("x", 0.5, 1.0).verdict.name, exact_bound("x", 0.5, 1.0, side=">=").reason
        ('HOLDS', 'computed exactly: 0.5 against 1')
    """
    require_one_of(side, SIDES, f"bound {name}: side")
    if not vacuous and math.isinf(limit) and (limit > 0) == (side == "<="):
        vacuous = "every number is within an infinite bound"
    slack = ROUNDING * abs(limit) if math.isfinite(limit) else 0.0
    holds = bool(value <= limit + slack if side == "<=" else value >= limit - slack)
    verdict = Verdict.HOLDS if holds else Verdict.FAILS
    return Part(
        name=name,
        relation=side,
        measured=float(value),
        predicted=float(limit),
        verdict=Verdict.VACUOUS if vacuous else verdict,
        reason=vacuous or f"computed {why}: {value:.4g} against {limit:.4g}",
        strength=bound_strength(value, limit, side, grade=Grade.COMPUTED),
        p_value=None if vacuous else float(holds),
    )

"""Bounds whose constants are given: one-sided Student-t over seeds at 0.999."""

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._choices import Side
from featlearn.results.statistics import exceeds, standard_error, student
from featlearn.theory.claim import claims
from featlearn.theory.strength import REJECT, detectable, of_bound
from featlearn.theory.verdict import Grade, Part, Strength, Verdict

ROUNDING = 1e-12
UNKNOWN = Strength(grade=Grade.SAMPLED)
ENOUGH = 59
"""Instances without a counterexample that bound the failing share by 5 % at 95 %."""


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
    """Judge mean(values) <= limit (or >=), one value a seed.

    Args:
        name: what is bounded.
        values: one number a seed.
        limit: the bound.
        side: which way.
        every: the claim is for every instance, so that one counterexample decides.
        instances: with `every`, of how many independent instances each value is the worst.
        vacuous: no outcome could violate the bound here.

    Example:
        >>> bound("x", np.array([0.1, 0.2, 0.15]), 1.0).verdict.name
        'HOLDS'
    """
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
    if every:
        if sign * worst > sign * limit:
            return part(
                Verdict.FAILS, f"a counterexample among {n} seeds: {worst:.4g}", p_value=0.0
            )
        total = n * instances
        share = 1 - 0.05 ** (1 / total)
        weak = f"{total} instances, {ENOUGH} would do" if total < ENOUGH else ""
        strength = of_bound(worst, limit, side, grade=Grade.SAMPLED, weak=weak)
        told = f"no counterexample in {total}, worst {worst:.4g}; at most {share:.1%} of them fail"
        return part(Verdict.HOLDS, told, strength=strength, p_value=1.0)
    if stderr is None:
        return part(Verdict.UNDECIDED, "one seed has no error bar")
    slack = student(REJECT, n - 1) * stderr
    interval = (mean - slack, mean + slack)
    strength = of_bound(
        mean,
        limit,
        side,
        grade=Grade.SAMPLED,
        upper=mean + sign * slack,
        detects=detectable(stderr, n - 1),
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
    """Judge value <= limit (or >=) for a value that is computed, not sampled.

    A bound that is met with equality holds up to rounding, 1e-12 of the limit.

    Args:
        name: what is bounded.
        value: the number.
        limit: the bound.
        side: which way.
        why: how the number was computed.
        vacuous: why the bound asks for nothing here, if it does.

    Example:
        >>> exact_bound("x", 0.5, 1.0).verdict.name, exact_bound("x", 0.5, 1.0, side=">=").reason
        ('HOLDS', 'computed exactly: 0.5 against 1')
    """
    slack = ROUNDING * abs(limit)
    holds = bool(value <= limit + slack if side == "<=" else value >= limit - slack)
    verdict = Verdict.HOLDS if holds else Verdict.FAILS
    return Part(
        name=name,
        relation=side,
        measured=float(value),
        predicted=float(limit),
        verdict=Verdict.VACUOUS if vacuous else verdict,
        reason=vacuous or f"computed {why}: {value:.4g} against {limit:.4g}",
        strength=of_bound(value, limit, side, grade=Grade.COMPUTED),
        p_value=None if vacuous else float(holds),
    )

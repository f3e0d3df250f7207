"""Identities: exact to a stated tolerance, or within five standard errors at a stated power.

With fewer than ten seeds a standard error is itself uncertain, and five of them would raise false
alarms; the multiple allowed is then the two-sided 99.9 % quantile of Student's t (8.6 of them with
five seeds, 32 with three).
"""

import math
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.theory.claim import claims
from featlearn.theory.estimates import student
from featlearn.theory.verdict import Part, Verdict

SIGMAS = 5.0
"""Standard errors allowed: one false alarm in about two million comparisons of large samples."""
FALSE_ALARM = 0.001
"""The largest chance of a false alarm, however few the seeds."""


@claims
def identity(
    name: str,
    measured: float | Float[np.ndarray, " cases"],
    predicted: float | Float[np.ndarray, " cases"],
    *,
    tolerance: float,
    scale: float | Float[np.ndarray, " cases"] = 0.0,
) -> Part:
    """Judge measured = predicted in every case, up to `tolerance` relative.

    Args:
        name: what is compared.
        measured: one number a case.
        predicted: the same.
        tolerance: relative to `predicted`, or to `scale` where that is larger.
        scale: the size below which a deviation means nothing.

    Example:
        >>> identity("pi", 3.14, 3.14159, tolerance=0.01).verdict.name
        'HOLDS'
    """
    m, p, s = np.broadcast_arrays(np.atleast_1d(measured), predicted, scale)
    require(m.size > 0, f"identity {name}", "at least one case", "none")
    size = np.maximum(np.abs(p), s)
    error = np.abs(m - p) / np.where(size == 0, 1.0, size)
    worst = int(np.nanargmax(np.where(np.isnan(error), np.inf, error)))
    holds = bool(error[worst] <= tolerance)
    return Part(
        name=name,
        relation="=",
        measured=float(m[worst]),
        predicted=float(p[worst]),
        verdict=Verdict.HOLDS if holds else Verdict.FAILS,
        reason=f"largest relative deviation {error[worst]:.2g} in {_cases(m)}, "
        f"allowed {tolerance:.2g}",
    )


@claims
def sampled_identity(
    name: str,
    mean: float | Float[np.ndarray, " cases"],
    stderr: float | Float[np.ndarray, " cases"],
    predicted: float | Float[np.ndarray, " cases"],
    *,
    resolve: float,
    scale: float | Float[np.ndarray, " cases"] = 0.0,
    freedom: float = math.inf,
) -> Part:
    """Judge E[measured] = predicted from a sample, five standard errors allowed.

    HOLDS only where the sample could have told: five standard errors must be less than the
    share `resolve` of the predicted value (or of `scale` where that is larger) in every case.

    Args:
        name: what is compared.
        mean: one number a case.
        stderr: its standard error; NaN, from one seed, leaves the case undecided.
        predicted: one number a case.
        resolve: the relative deviation that the sample must be able to show.
        scale: the size below which a deviation means nothing.
        freedom: degrees of freedom of the standard errors.

    Example:
        >>> sampled_identity("coin", 0.5004, 0.0005, 0.5, resolve=0.01).verdict.name
        'HOLDS'
        >>> sampled_identity("coin", 0.52, 0.05, 0.5, resolve=0.01).verdict.name
        'UNDECIDED'
    """
    m, se, p, s = np.broadcast_arrays(np.atleast_1d(mean), stderr, predicted, scale)
    require(m.size > 0, f"identity {name}", "at least one case", "none")
    allowed, tiny = allowed_errors(freedom), np.finfo(float).tiny
    deviation = np.abs(m - p)
    z = np.where(deviation == 0, 0.0, np.minimum(deviation / np.maximum(se, tiny), 1e300))
    seen = allowed * se / np.maximum(np.maximum(np.abs(p), s), tiny)
    lost = ~np.isfinite(m) | ~np.isfinite(p)
    unsure = ~np.isfinite(se) & ~lost
    worst = int(np.argmax(np.where(lost, np.inf, np.where(unsure, -1.0, z))))
    if lost[worst]:
        verdict, reason = Verdict.FAILS, "a measured or predicted value is not finite"
    elif not unsure[worst] and z[worst] > allowed:
        verdict, reason = (
            Verdict.FAILS,
            f"{z[worst]:.3g} standard errors away, {allowed:.3g} allowed",
        )
    elif unsure.any():
        verdict, reason = Verdict.UNDECIDED, "one seed has no error bar"
    elif seen.max() > resolve:
        verdict = Verdict.UNDECIDED
        reason = f"a deviation below {seen.max():.2g} could not be seen, {resolve:.2g} is asked"
    else:
        verdict = Verdict.HOLDS
        reason = (
            f"at most {z[worst]:.1f} standard errors in {_cases(m)}; "
            f"a deviation of {seen.max():.2g} would have been seen"
        )
    half = student(0.975, freedom) * se[worst]
    return Part(
        name=name,
        relation="=",
        measured=float(m[worst]),
        stderr=None if unsure[worst] else float(se[worst]),
        ci=None if unsure[worst] else (float(m[worst] - half), float(m[worst] + half)),
        predicted=float(p[worst]),
        verdict=verdict,
        reason=reason,
    )


def allowed_errors(freedom: float) -> float:
    """How many standard errors of so many degrees of freedom a mean may be away.

    Example:
        >>> allowed_errors(math.inf), allowed_errors(19), round(allowed_errors(4), 2)
        (5.0, 5.0, 8.61)
    """
    return max(SIGMAS, student(1 - FALSE_ALARM / 2, freedom))


def _cases(values: Float[np.ndarray, " cases"]) -> str:
    return "1 case" if len(values) == 1 else f"{len(values)} cases"


@claims
def mean_identity(
    name: str,
    values: Float[np.ndarray, " seeds"],
    predicted: float,
    *,
    resolve: float,
    scale: float = 0.0,
) -> Part:
    """Judge E[value] = predicted from one value a seed.

    Example:
        >>> shares = np.array([0.49, 0.51, 0.5, 0.5] * 5)
        >>> mean_identity("coin", shares, 0.5, resolve=0.05).verdict.name
        'HOLDS'
    """
    n = len(values)
    require(n > 0, f"identity {name}", "at least one seed", "none")
    stderr = float(np.std(values, ddof=1) / np.sqrt(n)) if n > 1 else math.nan
    mean = float(np.mean(values))
    freedom = max(1, n - 1)
    return sampled_identity(
        name, mean, stderr, predicted, resolve=resolve, scale=scale, freedom=freedom
    ).part


@claims
def same_mean(
    name: str,
    first: Float[np.ndarray, " seeds"],
    second: Float[np.ndarray, " others"],
    *,
    resolve: float,
) -> Part:
    """Judge that two independent samples have the same mean; `resolve` is relative to it."""
    if min(len(first), len(second)) < 2:
        return Part(
            name=name,
            relation="same mean",
            measured=float(np.mean(first)),
            predicted=float(np.mean(second)),
            verdict=Verdict.UNDECIDED,
            reason="one seed has no error bar",
        )
    variances = [float(np.var(sample, ddof=1)) / len(sample) for sample in (first, second)]
    total = sum(variances)
    spread = sum(v**2 / (len(s) - 1) for v, s in zip(variances, (first, second), strict=True))
    found = sampled_identity(
        name,
        float(np.mean(first)),
        math.sqrt(total),
        float(np.mean(second)),
        resolve=resolve,
        freedom=total**2 / spread if spread > 0 else math.inf,  # Welch and Satterthwaite
    )
    return replace(found.part, relation="same mean")

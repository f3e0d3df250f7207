"""Judge identities: exact ones up to a stated tolerance, sampled ones up to a relative deviation
delta.

A sample cannot show that two numbers are equal, only that they are close. So a sampled identity
HOLDS if the 90 % interval of the mean lies within delta of the prediction, and FAILS if the 99.9 %
interval (the level is divided among the cases) lies outside. Wider error bars make both verdicts
less likely.
"""

import math
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.results.statistics import exceeds, standard_error, student, welch
from featlearn.theory.claim import claims
from featlearn.theory.strength import REJECT, detectable, equal_values
from featlearn.theory.verdict import Grade, Part, Strength, Verdict

WEAK_RESOLUTION = 0.1
"""A sampled identity is called weak if only deviations above this share would be noticed."""
WEAK_TOLERANCE = 0.01
"""An exact identity is called weak if its relative tolerance is above this."""


@claims
def identity(
    name: str,
    measured: float | Float[np.ndarray, " cases"],
    predicted: float | Float[np.ndarray, " cases"],
    *,
    tolerance: float,
    scale: float | Float[np.ndarray, " cases"] = 0.0,
) -> Part:
    """Judge measured = predicted in every case, up to the relative `tolerance`.

    Args:
        name: what is compared.
        measured: one number per case.
        predicted: one number per case.
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
        strength=Strength(
            grade=Grade.COMPUTED,
            excluded=f"deviations above {tolerance:.2g}",
            detectable=tolerance,
            weak=f"a deviation of {tolerance:.2g} is allowed" if tolerance > WEAK_TOLERANCE else "",
        ),
        p_value=float(holds),
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
    """Judge E[measured] = predicted from a sample, up to the relative deviation `resolve` (delta).

    The claim HOLDS if every case's 90 % interval lies within delta of the prediction. It FAILS if
    one case lies outside by more than its error bar at 99.9 %, a level that is divided among the
    cases.

    Args:
        name: what is compared.
        mean: one number per case.
        stderr: its standard error; NaN, as from one seed, leaves the case undecided.
        predicted: one number per case.
        resolve: delta, relative to the predicted value.
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
    size = np.maximum(np.maximum(np.abs(p), s), np.finfo(float).tiny)
    lost = ~np.isfinite(m) | ~np.isfinite(p)
    unsure = ~np.isfinite(se) & ~lost
    off = np.where(lost, np.inf, np.abs(m - p) / size)
    error = np.where(unsure | lost, 0.0, se / size)
    inner = student(0.95, freedom)
    outer = student(1 - (1 - REJECT) / m.size, freedom)
    excess = np.where(unsure, -np.inf, off - outer * error - resolve)
    worst = int(np.argmax(np.where(np.isnan(excess), np.inf, excess)))
    deviation = (
        f"off by {off[worst]:.2g} ± {error[worst]:.2g} (relative) in the worst of {_cases(m)}"
        if size[worst] > np.finfo(float).tiny
        else f"{m[worst]:.2g} ± {se[worst]:.2g}, where 0 is predicted and no scale is given"
    )
    if lost.any():
        verdict, reason = Verdict.FAILS, "a measured or predicted value is not finite"
    elif excess[worst] > 0:
        verdict, reason = Verdict.FAILS, f"{deviation}, {resolve:.2g} allowed"
    elif unsure.any():
        verdict, reason = Verdict.UNDECIDED, "one seed has no error bar"
    elif np.all(off + inner * error <= resolve):
        verdict, reason = Verdict.HOLDS, f"{deviation}, within {resolve:.2g}"
    else:
        verdict, reason = Verdict.UNDECIDED, f"{deviation}; not known to be within {resolve:.2g}"
    half = student(0.975, freedom) * se[worst]
    one = [
        exceeds(o - resolve, e, freedom) if not u else 1.0
        for o, e, u in zip(off, error, unsure, strict=True)
    ]
    notices = resolve + detectable(float(error.max()), freedom, m.size)
    far = float(np.max(off + inner * error))
    return Part(
        name=name,
        relation="=",
        measured=float(m[worst]),
        stderr=None if unsure[worst] else float(se[worst]),
        ci=None if unsure[worst] else (float(m[worst] - half), float(m[worst] + half)),
        predicted=float(p[worst]),
        verdict=verdict,
        reason=reason,
        strength=Strength(
            grade=Grade.SAMPLED,
            excluded=f"deviations above {far:.2g}",
            detectable=notices,
            weak=f"only a deviation of {notices:.2g} would be noticed"
            if notices > WEAK_RESOLUTION
            else "",
        ),
        p_value=0.0 if lost.any() else min(1.0, m.size * min(one)),
    )


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
    """Judge E[value] = predicted, from one value per seed.

    Example:
        >>> shares = np.array([0.49, 0.51, 0.5, 0.5] * 5)
        >>> mean_identity("coin", shares, 0.5, resolve=0.05).verdict.name
        'HOLDS'
    """
    n = len(values)
    require(n > 0, f"identity {name}", "at least one seed", "none")
    stderr = standard_error(values)
    mean = float(np.mean(values))
    freedom = max(1, n - 1)
    part = sampled_identity(
        name, mean, stderr, predicted, resolve=resolve, scale=scale, freedom=freedom
    ).part
    if n < 2 or not (weak := equal_values(values)):
        return part
    return replace(part, strength=replace(part.strength, detectable=math.nan, weak=weak))


@claims
def same_mean(
    name: str,
    first: Float[np.ndarray, " seeds"],
    second: Float[np.ndarray, " others"],
    *,
    resolve: float,
) -> Part:
    """Judge that two independent samples have the same mean, up to the fraction `resolve` of that
    mean.
    """
    if min(len(first), len(second)) < 2:
        return Part(
            name=name,
            relation="same mean",
            measured=float(np.mean(first)),
            predicted=float(np.mean(second)),
            verdict=Verdict.UNDECIDED,
            reason="one seed has no error bar",
        )
    stderr, freedom = welch([(standard_error(each), len(each) - 1) for each in (first, second)])
    found = sampled_identity(
        name,
        float(np.mean(first)),
        stderr,
        float(np.mean(second)),
        resolve=resolve,
        freedom=freedom,
    )
    return replace(found.part, relation="same mean")

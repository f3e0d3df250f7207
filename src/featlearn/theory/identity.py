"""Identities: exact to a stated tolerance, or within five standard errors at a stated power."""

import numpy as np
from jaxtyping import Float

from featlearn.theory.verdict import Part, Verdict

SIGMAS = 5.0
"""Standard errors allowed: one false alarm in about two million comparisons."""


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
        reason=f"largest relative deviation {error[worst]:.2g} in {len(m)} cases, "
        f"allowed {tolerance:.2g}",
    )


def sampled_identity(
    name: str,
    mean: float | Float[np.ndarray, " cases"],
    stderr: float | Float[np.ndarray, " cases"],
    predicted: float | Float[np.ndarray, " cases"],
    *,
    resolve: float,
    scale: float | Float[np.ndarray, " cases"] = 0.0,
) -> Part:
    """Judge E[measured] = predicted from a sample, five standard errors allowed.

    HOLDS only where the sample could have told: five standard errors must be less than the
    share `resolve` of the predicted value (or of `scale` where that is larger) in every case.

    Example:
        >>> sampled_identity("coin", 0.5004, 0.0005, 0.5, resolve=0.01).verdict.name
        'HOLDS'
        >>> sampled_identity("coin", 0.52, 0.05, 0.5, resolve=0.01).verdict.name
        'UNDECIDED'
    """
    m, se, p, s = np.broadcast_arrays(np.atleast_1d(mean), stderr, predicted, scale)
    z = np.abs(m - p) / np.where(se == 0, np.finfo(float).tiny, se)
    seen = SIGMAS * se / np.maximum(np.maximum(np.abs(p), s), np.finfo(float).tiny)
    worst = int(np.nanargmax(np.where(np.isnan(z), np.inf, z)))
    if not z[worst] <= SIGMAS:
        verdict, reason = Verdict.FAILS, f"{z[worst]:.1f} standard errors away"
    elif seen.max() > resolve:
        verdict = Verdict.UNDECIDED
        reason = f"a deviation below {seen.max():.2g} could not be seen, {resolve:.2g} is asked"
    else:
        verdict = Verdict.HOLDS
        reason = (
            f"at most {z[worst]:.1f} standard errors in {len(m)} cases; "
            f"a deviation of {seen.max():.2g} would have been seen"
        )
    return Part(
        name=name,
        relation="=",
        measured=float(m[worst]),
        stderr=float(se[worst]),
        ci=(float(m[worst] - 1.96 * se[worst]), float(m[worst] + 1.96 * se[worst])),
        predicted=float(p[worst]),
        verdict=verdict,
        reason=reason,
    )


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
    variances = [np.var(sample, ddof=1) / len(sample) for sample in (first, second)]
    part = sampled_identity(
        name,
        float(np.mean(first)),
        float(np.sqrt(sum(variances))),
        float(np.mean(second)),
        resolve=resolve,
    )
    return Part(**{**vars(part), "relation": "same mean"})

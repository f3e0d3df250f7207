"""Hidden constants and exponents: what O() leaves open is fitted, then has to hold further out."""

import math
from typing import Literal

import numpy as np
from jaxtyping import Float

from featlearn.theory.claim import claims
from featlearn.theory.estimates import log_log_slope, student
from featlearn.theory.verdict import FittedConstant, Part, Verdict

WIDEST = 0.15
"""Half-width of an exponent's 95 % interval above which it decides nothing."""
LEVEL = 0.999
"""One-sided level beyond which a claim is contradicted."""


@claims
def hidden_constant(
    name: str,
    sizes: Float[np.ndarray, " sizes"],
    values: Float[np.ndarray, "sizes seeds"],
    shape: Float[np.ndarray, " sizes"],
    *,
    side: Literal["<=", ">="] = "<=",
    constant: str = "C",
) -> Part:
    """Judge values <= C * shape: C is fitted on the smaller half, the larger half must obey.

    C is the one-sided 99.9 % Student-t limit of the largest mean ratio on the smaller half (of an
    odd number of sizes the middle one is with the smaller); the part compares the
    worst mean ratio of the larger half with it.
    """
    order = np.argsort(sizes)
    ratios = values[order] / shape[order, None]
    half, seeds = (len(sizes) + 1) // 2, values.shape[1]
    sign = 1.0 if side == "<=" else -1.0

    def part(
        fitted: FittedConstant,
        verdict: Verdict,
        reason: str,
        measured: float | None = None,
        stderr: float | None = None,
    ) -> Part:
        return Part(
            name=name,
            relation=side,
            measured=measured,
            stderr=stderr,
            predicted=fitted.value,
            verdict=verdict,
            reason=reason,
            constant=fitted,
        )

    if len(sizes) < 2 or seeds < 2:
        mean = FittedConstant(name=constant, value=float(np.mean(ratios)))
        return part(mean, Verdict.UNDECIDED, "needs two sizes and two seeds")
    if not np.all(np.isfinite(ratios)):
        unknown = FittedConstant(name=constant, value=math.nan)
        return part(unknown, Verdict.UNDECIDED, "a measured value is not finite")
    means = ratios.mean(axis=1)
    errors = ratios.std(axis=1, ddof=1) / np.sqrt(seeds)
    t = student(LEVEL, seeds - 1)
    at = int(np.argmax(sign * means[:half]))
    limit = float(means[at] + sign * t * errors[at])
    ends = float(means[at] - t * errors[at]), float(means[at] + t * errors[at])
    fitted = FittedConstant(name=constant, value=limit, ci=ends)
    worst = half + int(np.argmax(sign * means[half:]))
    low = sign * means[worst] - t * errors[worst]
    if sign * means[worst] <= sign * limit:
        verdict, reason = Verdict.HOLDS, "the constant of the smaller sizes bounds the larger ones"
    elif low > sign * limit:
        verdict, reason = Verdict.FAILS, "the larger sizes need a larger constant"
    else:
        verdict, reason = Verdict.UNDECIDED, "the larger sizes straddle the fitted constant"
    return part(fitted, verdict, reason, float(means[worst]), float(errors[worst]))


@claims
def exponent(
    name: str,
    x: Float[np.ndarray, " sizes"],
    y: Float[np.ndarray, "sizes seeds"],
    predicted: float,
) -> Part:
    """Judge y ~ x^predicted from one least-squares slope a seed.

    HOLDS if the prediction lies in the 95 % interval and that is narrower than ±0.15; FAILS if it
    lies outside the interval that one-sided 99.9 % limits leave; UNDECIDED between the two.
    """
    slope, stderr = log_log_slope(x, y)
    if not (np.isfinite(slope) and np.isfinite(stderr)):
        return Part(
            name=name,
            relation="=",
            measured=slope if np.isfinite(slope) else None,
            predicted=predicted,
            verdict=Verdict.UNDECIDED,
            reason="needs two sizes, two seeds and positive values",
        )
    half, far = (student(q, y.shape[1] - 1) * stderr for q in (0.975, LEVEL))
    off = abs(slope - predicted)
    if off > far:
        verdict, reason = Verdict.FAILS, f"the prediction is {off:.2g} off, {far:.2g} allowed"
    elif off > half:
        verdict = Verdict.UNDECIDED
        reason = f"outside the 95 % interval ±{half:.2g}, inside the 99.8 % one ±{far:.2g}"
    elif half > WIDEST:
        verdict, reason = Verdict.UNDECIDED, f"the interval is ±{half:.2g}, wider than ±{WIDEST}"
    else:
        verdict, reason = Verdict.HOLDS, f"the prediction lies in the 95 % interval, ±{half:.2g}"
    return Part(
        name=name,
        relation="=",
        measured=slope,
        stderr=stderr,
        ci=(slope - half, slope + half),
        predicted=predicted,
        verdict=verdict,
        reason=reason,
    )

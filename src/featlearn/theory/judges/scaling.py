"""Judge hidden constants and exponents: a claim with O() says that a ratio does not grow with the
size.

Both are judged by a slope on logarithmic axes with a margin of 0.1: over the sizes that can be run,
a power below 0.1 cannot be distinguished from a logarithm. A claim HOLDS if the 95 % interval of
the slope lies within the margin, and FAILS if the one-sided 99.9 % limit lies outside. Wider error
bars make both verdicts less likely.
"""

import math

import numpy as np
from jaxtyping import Float

from featlearn._check import require_one_of
from featlearn._choices import SIDES, Side
from featlearn.results.statistics import exceeds, standard_error, student
from featlearn.theory.claim import claims
from featlearn.theory.estimates import log_log_slope
from featlearn.theory.strength import REJECT, detectable, equal_values
from featlearn.theory.verdict import FittedConstant, Grade, Part, Strength, Verdict

MARGIN = 0.1
"""Powers up to this count as no growth."""
DECADE = 10.0


@claims
def hidden_constant(
    name: str,
    sizes: Float[np.ndarray, " sizes"],
    values: Float[np.ndarray, "sizes seeds"],
    shape: Float[np.ndarray, " sizes"],
    *,
    side: Side = "<=",
    constant: str = "C",
) -> Part:
    """Judge values <= C * shape for some C: values/shape must not grow like a power of the size.

    The judge fits the power of the size with which the mean ratio grows (for >=, falls) and
    compares it with the margin 0.1. The fitted C is the largest mean ratio.
    """
    require_one_of(side, SIDES, f"hidden constant {name}: side")
    order = np.argsort(sizes)
    x, ratios = sizes[order].astype(float), values[order] / shape[order, None]
    seeds = values.shape[1]
    sign = 1.0 if side == "<=" else -1.0

    def part(verdict: Verdict, reason: str, fitted: FittedConstant, **more: object) -> Part:
        return Part(
            name=name,
            relation="grows at most as x^" if side == "<=" else "falls at most as x^-",
            predicted=MARGIN,
            verdict=verdict,
            reason=reason,
            constant=fitted,
            **{"measured": None, **more},  # type: ignore[arg-type]
        )

    if len(set(x.tolist())) < 2 or seeds < 2:
        unsure = FittedConstant(name=constant, value=float(np.mean(ratios)))
        return part(Verdict.UNDECIDED, "needs two sizes and two seeds", unsure)
    if not np.all(np.isfinite(ratios)):
        unknown = FittedConstant(name=constant, value=math.nan)
        return part(Verdict.UNDECIDED, "a measured value is not finite", unknown)
    means = ratios.mean(axis=1)
    errors = [standard_error(row) for row in ratios]
    at = int(np.argmax(sign * means))
    t = student(0.975, seeds - 1)
    fitted = FittedConstant(
        name=constant,
        value=float(means[at]),
        ci=(float(means[at] - t * errors[at]), float(means[at] + t * errors[at])),
    )
    if not np.any(ratios):
        return part(Verdict.UNDECIDED, "every value is 0: nothing was compared", fitted)
    if side == "<=" and np.all(ratios <= 0):
        return part(Verdict.HOLDS, "no value is positive", fitted, p_value=1.0)
    if np.any(means <= 0):
        return part(Verdict.UNDECIDED, "a mean is not positive, so that no power fits", fitted)
    u = np.log(x) - np.log(x).mean()
    slope = sign * float(u @ np.log(means) / (u @ u))
    error = float(np.sqrt(np.sum((u * errors / means) ** 2)) / (u @ u))
    far = student(REJECT, seeds - 1) * error
    reach = float(x[-1] / x[0])
    weak = _weak(reach, ratios)
    if slope + t * error <= MARGIN:
        verdict, reason = Verdict.HOLDS, f"the power is {slope:.2g} ± {t * error:.2g}"
    elif slope - far > MARGIN:
        verdict, reason = Verdict.FAILS, f"the power is {slope:.2g} ± {far:.2g} at 99.9 %"
    else:
        verdict = Verdict.UNDECIDED
        reason = f"the power is {slope:.2g} ± {t * error:.2g}, not known to be below {MARGIN}"
    return part(
        verdict,
        f"{reason}, over a factor {reach:.3g}",
        fitted,
        measured=slope,
        stderr=error,
        ci=(slope - t * error, slope + t * error),
        strength=Strength(
            grade=Grade.SAMPLED,
            excluded=f"powers above {slope + t * error:.2g}",
            detectable=MARGIN + detectable(error, seeds - 1) if error > 0 else math.nan,
            weak=weak,
        ),
        p_value=exceeds(slope - MARGIN, error, seeds - 1),
    )


@claims
def exponent(
    name: str,
    x: Float[np.ndarray, " sizes"],
    y: Float[np.ndarray, "sizes seeds"],
    predicted: float,
) -> Part:
    """Judge y ~ x^predicted from one least-squares slope per seed, up to 0.1.

    The claim HOLDS if the 95 % interval lies within ±0.1 of the prediction; it FAILS if the
    interval between the one-sided 99.9 % limits lies outside; otherwise it is UNDECIDED.
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
    freedom = y.shape[1] - 1
    half, far = (student(q, freedom) * stderr for q in (0.975, REJECT))
    off = abs(slope - predicted)
    if off - far > MARGIN:
        verdict, reason = Verdict.FAILS, f"{off:.2g} ± {far:.2g} off, {MARGIN} allowed"
    elif off + half <= MARGIN:
        verdict, reason = Verdict.HOLDS, f"{off:.2g} ± {half:.2g} off, within {MARGIN}"
    else:
        verdict = Verdict.UNDECIDED
        reason = f"{off:.2g} ± {half:.2g} off, not known to be within {MARGIN}"
    reach = float(np.max(x) / np.min(x))
    return Part(
        name=name,
        relation="=",
        measured=slope,
        stderr=stderr,
        ci=(slope - half, slope + half),
        predicted=predicted,
        verdict=verdict,
        reason=f"{reason}{_drift(x, y)}",
        strength=Strength(
            grade=Grade.SAMPLED,
            excluded=f"powers outside [{slope - half:.3g}, {slope + half:.3g}]",
            detectable=MARGIN + detectable(stderr, freedom) if stderr > 0 else math.nan,
            weak=_weak(reach, y),
        ),
        p_value=min(1.0, 2 * exceeds(off - MARGIN, stderr, freedom)),
    )


def _weak(reach: float, values: Float[np.ndarray, "sizes seeds"]) -> str:
    """Return why sizes over a factor `reach`, or values without any spread, are weak evidence."""
    short = f"sizes over a factor {reach:.3g}, a decade would do" if reach < DECADE else ""
    return "; ".join(filter(None, (short, equal_values(values))))


def _drift(x: Float[np.ndarray, " sizes"], y: Float[np.ndarray, "sizes seeds"]) -> str:
    """Return the slopes between neighbouring sizes as text; the text is empty if there are only two
    sizes.
    """
    order = np.argsort(x)
    means = y[order].mean(axis=1)
    if len(x) < 3:
        return ""
    local = np.diff(np.log(means)) / np.diff(np.log(x[order]))
    return f"; local powers {', '.join(f'{each:.2f}' for each in local)}"

"""The strength of evidence: which claims it excludes, what it would detect, how sharp the claim is.

excluded    the claims that these data reject: a confidence limit
detectable  D90 = (t_.999 + t_.90) standard errors: nine of ten new samples would reject a claim
            that is wrong by D90
sharpness   the claimed value over the measured one: up to 2 is tight, up to 100 loose, beyond idle
"""

import functools
import math

import numpy as np
from jaxtyping import Float

from featlearn._choices import Side
from featlearn.results.statistics import student
from featlearn.theory.verdict import Grade, Strength

REJECT = 0.999
"""The one-sided level at which a part fails, before Holm's correction."""
POWER = 0.90
IDLE = 100.0
ENOUGH_INSTANCES = 59
"""How many instances without an exception show, at 95 %, that at most 5 % are exceptions."""


def detectable(stderr: float, freedom: float, cases: int = 1) -> float:
    """Return D90, the deviation that nine of ten new samples would reject; NaN if there is no error
    bar.

    If several cases are judged at once, the level is divided among them.

    Example:
        >>> round(detectable(1.0, math.inf), 2), round(detectable(1.0, 4), 1)
        (4.37, 10.2)
    """
    if math.isnan(stderr) or math.isnan(freedom):
        return math.nan
    return _multiple(freedom, 1 - (1 - REJECT) / cases) * stderr


@functools.cache
def _multiple(freedom: float, level: float) -> float:
    """Return D90 in standard errors: the shift at which a noncentral t exceeds its limit nine times
    in ten.
    """
    import scipy.optimize
    import scipy.stats

    limit = student(level, freedom)
    if freedom > 200:
        return limit + student(POWER, freedom)
    scale = scipy.stats.chi2(freedom).ppf(POWER) / freedom  # a spread that is rarely exceeded

    def lacks(shift: float) -> float:
        return POWER - float(scipy.stats.nct.sf(limit, freedom, shift))

    return float(scipy.optimize.brentq(lacks, 0.0, limit * math.sqrt(scale) + 10.0))


def equal_values(values: Float[np.ndarray, "... seeds"]) -> str:
    """Return why an error bar of 0 is weak evidence; the text is empty if the values of the seeds
    differ, in every row, or if there are enough of them.

    Equal values have no spread, but a few of them do not show that there is none.

    Example:
        >>> equal_values(np.array([1.0, 1.0])), equal_values(np.array([1.0, 0.9]))
        ('the values of 2 seeds are equal, so that their spread is not known', '')
    """
    seeds = values.shape[-1]
    if seeds >= ENOUGH_INSTANCES or np.all(np.ptp(values, axis=-1) > 0):
        return ""
    return f"the values of {seeds} seeds are equal, so that their spread is not known"


def sharpness(value: float, limit: float, side: Side) -> float | None:
    """Return the ratio of the claimed and the measured value; 1 means that the bound is met with
    equality.

    Example:
        >>> sharpness(0.5, 1.0, "<="), sharpness(3.0, 1.0, ">="), sharpness(0.0, 1.0, "<=")
        (2.0, 3.0, inf)
    """
    above, below = (limit, value) if side == "<=" else (value, limit)
    if not math.isfinite(above) or not math.isfinite(below) or above < 0 or below < 0:
        return None
    if below == 0:
        return math.inf if above > 0 else None
    return above / below


def bound_strength(
    value: float,
    limit: float,
    side: Side,
    *,
    grade: Grade,
    upper: float | None = None,
    detects: float | None = None,
    weak: str = "",
) -> Strength:
    """Return the strength of a bound, from the measured value or its confidence limit.

    Args:
        value: what was measured.
        limit: the bound.
        side: "<=" or ">=".
        grade: the kind of evidence.
        upper: the end of the interval that faces the bound; `value` where there is no error.
        detects: D90, in units of the value.
        weak: why the evidence is weak; empty if it is not.
    """
    sharp = sharpness(value, limit, side)
    end = value if upper is None else upper
    below = "below" if side == "<=" else "above"
    relative = math.nan if detects is None or limit == 0 else detects / abs(limit)
    reasons = [weak] if weak else []
    if relative > 1:
        reasons.append(f"only an excess of {relative:.2g} times the bound would be noticed")
    if sharp is not None and sharp > IDLE:
        factor = "any" if math.isinf(sharp) else f"{sharp:.2g}"
        reasons.append(f"idle: the bound could be {factor} times as strict")
    return Strength(
        grade=grade,
        excluded=f"bounds {below} {end:.4g}",
        detectable=relative,
        sharpness=sharp,
        weak="; ".join(reasons),
    )

r"""The ledger: it compares numbers and conclusions of papers with ours, and judges agreement.

A printed number is treated as another draw from the same law. With our mean x over n seeds, our
standard deviation s, the printed number x_p, rounded to +-r, and the paper's own s_p over n_p runs,

    h = t_.995(nu) sqrt(s^2/n + s_p^2/n_p),        nu by Welch

    agrees        |x_p - x| <= r + h, and h is small enough to tell (`resolve`)
    cannot tell   |x_p - x| <= r + h, and h is larger than that
    higher, lower |x_p - x| >  r + h

Where the paper prints no s_p or n_p, our s and n are used; a number from a formula, which is not
a random draw, has s_p = 0. Where the claim itself has a tolerance `allowed` ("about", "Theta"), the
whole interval has to be on one side of it: the row agrees if |x_p - x| + h <= allowed, it is higher
or lower if |x_p - x| - h > allowed, and else one cannot tell. So more noise never makes agreement
more likely.
"""

import enum
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from featlearn._check import require
from featlearn.results.statistics import welch

LEVEL = 0.99
"""The confidence level of the intervals by which rows are judged."""
POINTS = 3.0
"""The widest half-width, in percentage points, at which a percentage is compared at all."""


class Status(enum.StrEnum):
    """The possible results of the comparison in a row of the ledger."""

    AGREES = "agrees"
    HIGHER = "higher"
    LOWER = "lower"
    DIFFERS = "differs"
    CANNOT_TELL = "cannot tell"
    FITTED = "fitted"
    PREDICTED = "predicted"
    UNREACHABLE = "unreachable"
    NOT_RUN = "not run"
    NO_CLAIM = "no claim"


MEANINGS = {
    Status.AGREES: "Our number is the paper's, or its conclusion is ours, within 99 % errors.",
    Status.HIGHER: "Our number is above the paper's by more than both errors at 99 %.",
    Status.LOWER: "Our number is below the paper's by more than both errors at 99 %.",
    Status.DIFFERS: "The paper's conclusion, which is no number, is not what comes out here.",
    Status.CANNOT_TELL: "The error bars are too wide to say; more seeds would.",
    Status.FITTED: "A setting was chosen so that this number comes out; that is no agreement.",
    Status.PREDICTED: "A setting fitted to other numbers of the paper gives this one as well.",
    Status.UNREACHABLE: "No setting that was tried comes near; the study that shows it is named.",
    Status.NOT_RUN: "The paper's own data or size was not run here; what was stands beside it.",
    Status.NO_CLAIM: "Measured here; the paper says nothing that could be compared.",
}
APART = (Status.HIGHER, Status.LOWER, Status.DIFFERS)
"""The statuses of rows that contradict the paper."""


class RowKind(enum.StrEnum):
    """The kinds of claims in a paper with which a row compares our number."""

    CELL = "cell"
    CONCLUSION = "conclusion"
    MEASURED = "measured"


@dataclass(frozen=True, kw_only=True)
class Printed:
    """A number as it is printed in a paper."""

    value: float
    rounding: float = 0.0
    """Half a unit of the last printed digit."""
    sd: float | None = None
    """Standard deviation of one run of the paper; 0 for a number that is not random; None if not
    printed."""
    runs: int | None = None
    """The number of runs over which the paper averages; None if it does not say."""
    resolve: float | None = None
    """The widest half-width at which the numbers are compared; 3 points for percentages by
    default."""
    allowed: float | None = None
    """The tolerance that is part of the claim itself."""
    reason: str = ""
    """Where the tolerance `allowed` comes from."""

    def __post_init__(self) -> None:
        stated = (self.allowed is None) == (not self.reason)
        require(stated, "Printed(allowed)", "a tolerance with its reason, or neither", self.allowed)


@dataclass(frozen=True, kw_only=True)
class Ours:
    """A number that we measured: a mean over seeds, with its standard error."""

    mean: float | None
    stderr: float | None
    """0 for a number that was computed, not sampled; None with one seed."""
    seeds: int
    missing: int = 0
    """The number of seeds without a value, because an event was never reached or a run diverged."""
    trials: int | None = None
    """For a share of trials: the number of trials, over all seeds."""

    @property
    def freedom(self) -> int:
        """The degrees of freedom of the standard error."""
        return max(self.seeds - self.missing - 1, 1)


@dataclass(frozen=True, kw_only=True)
class RowJudgement:
    """The status of a row, and the numbers that decided it."""

    status: Status
    detail: str
    """The numbers behind the status, as text."""
    half: float | None = None
    """The half-width h."""
    p_value: float | None = None
    """The two-sided p-value: how likely so large a difference is if there is none."""


def ours(values: Iterable[float | None] | np.ndarray, *, trials: int | None = None) -> Ours:
    """Return the mean over seeds of one number per seed; None or NaN is a seed without a number.

    Example:
        >>> ours([1.0, 2.0, 3.0, None]).mean, ours([1.0, 2.0, 3.0, None]).missing
        (2.0, 1)
    """
    every = [math.nan if value is None else float(value) for value in values]
    known = [value for value in every if math.isfinite(value)]
    n = len(known)
    mean = math.fsum(known) / n if n else None
    stderr = None
    if mean is not None and n > 1:
        spread = math.fsum((value - mean) ** 2 for value in known)
        stderr = math.sqrt(spread / (n - 1) / n)
    return Ours(mean=mean, stderr=stderr, seeds=len(every), missing=len(every) - n, trials=trials)


def log_ratio(a: np.ndarray, b: np.ndarray) -> Ours:
    """Return the mean of log a minus that of log b, with Welch's error and degrees of freedom.

    Example:
        >>> gap = log_ratio(np.exp([1.0, 3.0]), np.exp([0.0, 2.0]))
        >>> gap.mean, round(gap.stderr, 3), gap.freedom
        (1.0, 1.414, 2)
    """
    sides = [ours(np.log(each)) for each in (a, b)]
    missing = sum(side.missing for side in sides)
    if any(side.mean is None or side.stderr is None for side in sides):
        return Ours(mean=None, stderr=None, seeds=len(a), missing=missing)
    error, freedom = welch([(side.stderr or 0.0, side.freedom) for side in sides])
    gap = (sides[0].mean or 0.0) - (sides[1].mean or 0.0)
    return Ours(mean=gap, stderr=error, seeds=int(min(freedom, 1e6)) + 1, missing=missing)


def computed(value: float) -> Ours:
    """Return a number of ours that was computed exactly and has no error."""
    return Ours(mean=value if math.isfinite(value) else None, stderr=0.0, seeds=1)


def judge(paper: Printed, found: Ours, *, unit: str = "") -> RowJudgement:
    """Compare a printed number with ours, by the rule at the top of this module.

    Example:
        >>> paper = Printed(value=86.4, rounding=0.05, sd=0.5, runs=5)
        >>> [judge(paper, ours([x - 1, x, x + 1]), unit="%").status.value for x in (86.0, 95.0)]
        ['cannot tell', 'higher']
    """
    short = _unknown(found)
    if short:
        return RowJudgement(status=Status.CANNOT_TELL, detail=short)
    assert found.mean is not None
    gap = found.mean - paper.value
    half, error, freedom = _half_width(paper, found, 100.0 if unit == "%" else 1.0)
    side = Status.HIGHER if gap > 0 else Status.LOWER
    detail = f"{abs(gap):.3g} from the paper, half-width {half:.2g}"
    limit = paper.rounding
    if paper.allowed is not None:
        limit = paper.allowed
        detail += f", {limit:.3g} allowed ({paper.reason})"
        within = abs(gap) + half <= limit
        beyond = abs(gap) - half > limit
        status = Status.AGREES if within else side if beyond else Status.CANNOT_TELL
    else:
        resolve = paper.resolve if paper.resolve is not None else POINTS
        stated = paper.resolve is not None or unit == "%"
        require(stated, "Printed(resolve)", "a half-width that can tell", "none")
        beyond = abs(gap) > limit + half
        if half < abs(gap) and not beyond:
            detail += f" beside {limit:.2g} of rounding"
        fine = half <= resolve
        status = side if beyond else Status.AGREES if fine else Status.CANNOT_TELL
        detail += "" if beyond or fine else f", above the {resolve:.2g} that could tell"
    p_value = _p_value(abs(gap) - limit, error, freedom)
    return RowJudgement(status=status, detail=detail, half=half, p_value=p_value)


def interval(found: Ours, *, unit: str = "") -> tuple[float, float] | None:
    """Return the 99 % interval of our mean: Student's, or exact binomial for a share."""
    if found.mean is None or found.stderr is None:
        return None
    whole = 100.0 if unit == "%" else 1.0
    if found.stderr == 0 and found.trials:
        low, high = _exact(found.mean / whole, found.trials)
        return whole * low, whole * high
    half = _half_width(Printed(value=0.0, sd=0.0), found, whole)[0]
    return found.mean - half, found.mean + half


def side_of(found: Ours, bound: float, *, above: bool = True, unit: str = "") -> RowJudgement:
    """Judge whether our number is on one side of a bound, by its whole 99 % interval.

    Example:
        >>> side_of(ours([1.0, 1.1, 0.9]), 0.0).status, side_of(ours([1.0, -1.0]), 0.0).status
        (<Status.AGREES: 'agrees'>, <Status.CANNOT_TELL: 'cannot tell'>)
    """
    short, ends = _unknown(found), interval(found, unit=unit)
    if short or ends is None:
        return RowJudgement(status=Status.CANNOT_TELL, detail=short)
    low, high = ends
    detail = f"99 % interval {low:.3g} to {high:.3g}, bound {bound:.3g}"
    inside, outside = (low >= bound, high < bound) if above else (high <= bound, low > bound)
    status = Status.AGREES if inside else Status.DIFFERS if outside else Status.CANNOT_TELL
    return RowJudgement(status=status, detail=detail, half=(high - low) / 2)


def median_side(
    values: Iterable[float] | np.ndarray, bound: float, *, above: bool = True
) -> RowJudgement:
    """Judge whether the median is on one side of a bound, by an exact binomial interval.

    Example:
        >>> median_side([3.0] * 8, 1.0).status, median_side([3.0] * 7, 1.0).status
        (<Status.AGREES: 'agrees'>, <Status.CANNOT_TELL: 'cannot tell'>)
    """
    each = [float(value) for value in values]
    there = sum(value > bound if above else value < bound for value in each)
    share = Ours(mean=there / max(len(each), 1), stderr=0.0, seeds=len(each), trials=len(each))
    found = side_of(share, 0.5)
    words = f"{there} of {len(each)} {'above' if above else 'below'} {bound:.3g}"
    return RowJudgement(status=found.status, detail=words)


def _unknown(found: Ours) -> str:
    """Return why our number cannot be compared; the text is empty if it can."""
    if found.missing:
        return f"{found.missing} of {found.seeds} seeds never got there"
    if found.mean is None or not math.isfinite(found.mean):
        return "no number to compare"
    if found.stderr is None or not math.isfinite(found.stderr):
        return "no error bar"
    return ""


def _half_width(paper: Printed, found: Ours, whole: float) -> tuple[float, float, float]:
    """Return the half-width h, the standard error behind it, and its degrees of freedom."""
    import scipy.stats

    assert found.mean is not None
    assert found.stderr is not None
    own = found.stderr
    runs = paper.runs or found.seeds - found.missing
    spread = paper.sd if paper.sd is not None else own * math.sqrt(found.seeds - found.missing)
    theirs = spread / math.sqrt(runs)
    freedoms = found.freedom, max(runs - 1, 1)
    error, freedom = welch(list(zip((own, theirs), freedoms, strict=True)))
    half = float(scipy.stats.t.ppf((1 + LEVEL) / 2, freedom)) * error
    if own == 0 and found.trials:
        low, high = _exact(found.mean / whole, found.trials)
        exact = max(found.mean - whole * low, whole * high - found.mean)
        half = math.hypot(half, exact)
        # The normal deviate with which the exact interval would be that wide, for the p-value.
        error = half / float(scipy.stats.t.ppf((1 + LEVEL) / 2, freedom))
    return half, error, freedom


def _exact(share: float, trials: int) -> tuple[float, float]:
    """Return the exact binomial interval of a share of `trials` trials."""
    import scipy.stats

    ends = scipy.stats.binomtest(round(share * trials), trials).proportion_ci(LEVEL, "exact")
    return float(ends.low), float(ends.high)


def _p_value(excess: float, error: float, freedom: float) -> float:
    import scipy.stats

    if excess <= 0:
        return 1.0
    return float(2 * scipy.stats.t.sf(excess / error, freedom)) if error > 0 else 0.0


@dataclass(frozen=True, kw_only=True)
class Row:
    """A number or conclusion of a paper beside ours, or a number that only we have."""

    item: str
    """The id, such as ``shi2022.table-1``."""
    quantity: str
    kind: RowKind
    paper: float | str | None
    """The paper's number, or its conclusion in words; None if it has neither."""
    rounding: float = 0.0
    paper_sd: float | None = None
    paper_runs: int | None = None
    allowed: float | None = None
    resolve: float | None = None
    measured: float | None
    stderr: float | None = None
    half: float | None = None
    """The half-width of the 99 % interval by which the row was judged."""
    p_value: float | None = None
    unit: str = ""
    seeds: int = 1
    recipe: str = ""
    """Which reading of the paper: "literal", "practical", …"""
    size: str = "full"
    """The size at which it was run."""
    status: Status
    alone: Status | None = None
    """The status before Holm's correction, if that changed it."""
    cell: str = ""
    """The printed cell or conclusion of the paper; rows of several recipes may share one."""
    group: str = ""
    """The run that it comes from: all cells of one run count as one comparison."""
    judged: bool = False
    """Whether the cell is judged by this row's recipe, whatever the recipe's name."""
    why: str
    """One sentence on how the status came about."""
    command: str = ""

    @property
    def key(self) -> str:
        """The name of the row in `expected.json`: item/quantity/recipe."""
        return f"{self.item.partition('.')[2]}/{self.quantity}/{self.recipe}"

    @property
    def by_itself(self) -> Status:
        """The status of the row before Holm's correction for multiple comparisons."""
        return self.alone or self.status


NUMBERS = ("measured", "stderr", "half", "p_value")


def to_document(row: Row) -> dict[str, object]:
    """Return the row as JSON; numbers that are not finite become null."""
    document = asdict(row)
    for name in NUMBERS:
        value = document[name]
        document[name] = value if value is not None and math.isfinite(value) else None
    words = {"kind": row.kind.value, "status": row.status.value}
    return {**document, **words, "alone": row.alone.value if row.alone else None}


def from_document(document: dict[str, Any]) -> Row:
    """Return the row that `to_document` wrote."""
    alone = document["alone"]
    read = {
        "kind": RowKind(document["kind"]),
        "status": Status(document["status"]),
        "alone": Status(alone) if alone else None,
    }
    known = {each.name for each in fields(Row)}
    return Row(**{**{k: v for k, v in document.items() if k in known}, **read})

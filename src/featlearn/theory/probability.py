"""Claims that hold with high probability, and claims about every algorithm."""

import math

from featlearn._check import require
from featlearn.theory.verdict import Part, Verdict


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """The exact two-sided interval for a probability.

    Example:
        >>> low, high = clopper_pearson(20, 20)
        >>> round(low, 4), high
        (0.8316, 1.0)
    """
    import scipy.stats

    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else scipy.stats.beta.ppf(tail, successes, trials - successes + 1)
    high = (
        1.0
        if successes == trials
        else scipy.stats.beta.ppf(1 - tail, successes + 1, trials - successes)
    )
    return float(low), float(high)


def high_probability(
    name: str, successes: int, trials: int, at_least: float, *, of: str = "seeds"
) -> Part:
    """Judge P(event) >= at_least from the trials in which the event happened.

    Args:
        name: the event.
        successes: in how many trials it happened.
        trials: how many independent ones there were.
        at_least: the probability that is claimed.
        of: what a trial is, in the plural: "seeds", "neurons", "minibatches".

    Example:
        >>> high_probability("event", 20, 20, 0.95).reason
        'seen in 20 of 20 seeds; if it never fails, 72 seeds decide'
    """
    require(
        trials >= 1 and 0 <= successes <= trials,
        f"probability {name}",
        "0 <= successes <= trials and a trial at least",
        f"{successes} of {trials}",
    )
    low, high = clopper_pearson(successes, trials)
    seen = f"seen in {successes} of {trials} {of}"
    if not at_least > 0:
        verdict, reason = Verdict.OUT_OF_SCOPE, f"vacuous: no share is below it; {seen}"
    elif low >= at_least:
        verdict, reason = Verdict.HOLDS, seen
    elif high < at_least:
        verdict, reason = Verdict.FAILS, seen
    else:
        verdict = Verdict.UNDECIDED
        enough = _enough(at_least)
        reason = f"{seen}; if it never fails, {enough} {of} decide" if enough else seen
    return Part(
        name=name,
        relation=">=",
        measured=successes / trials,
        ci=(low, high),
        predicted=at_least,
        verdict=verdict,
        reason=reason,
    )


def every_algorithm(
    name: str, measured: float, stderr: float | None, floor: float, tried: str
) -> Part:
    """A claim about all algorithms: a run can contradict it, never confirm it."""
    contradicted = stderr is not None and measured + 5 * stderr < floor
    verdict = Verdict.FAILS if contradicted else Verdict.UNDECIDED
    how = "contradicted" if contradicted else "not contradicted"
    return Part(
        name=name,
        relation=">=",
        measured=measured,
        stderr=stderr,
        predicted=floor,
        verdict=verdict,
        reason=f"{how} by {tried}",
    )


def _enough(at_least: float) -> int | None:
    """The smallest number of trials, all successes, whose lower limit reaches `at_least`."""
    if at_least >= 1:
        return None
    return max(1, math.ceil(math.log(0.025) / math.log(at_least) - 1e-9))

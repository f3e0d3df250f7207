"""Judge claims that hold with high probability, and claims about every algorithm."""

import math

from featlearn._check import require
from featlearn.results.statistics import clopper_pearson, exceeds, student
from featlearn.theory.claim import claims
from featlearn.theory.strength import POWER, REJECT
from featlearn.theory.verdict import Grade, Part, Strength, Verdict

WEAK_FACTOR = 10.0
"""Evidence is weak if it allows more than so many times the claimed failure rate."""


@claims
def high_probability(
    name: str, successes: int, trials: int, at_least: float, *, of: str = "seeds"
) -> Part:
    """Judge P(event) >= at_least from the number of independent trials in which the event happened.

    Args:
        name: the event.
        successes: in how many trials it happened.
        trials: the number of independent trials.
        at_least: the probability that is claimed.
        of: the plural name of a trial: "seeds", "neurons", "minibatches".

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
    import scipy.stats

    low, high = clopper_pearson(successes, trials)
    seen = f"seen in {successes} of {trials} {of}"
    possible = 0 < at_least <= 1
    p_value = float(scipy.stats.binom.cdf(successes, trials, at_least)) if possible else None
    if math.isnan(at_least):
        verdict, reason = Verdict.UNDECIDED, f"the claimed probability is no number; {seen}"
    elif at_least > 1:
        verdict, reason, p_value = Verdict.FAILS, f"no share is above 1; {seen}", 0.0
    elif p_value is None:
        verdict, reason = Verdict.VACUOUS, f"no share is below {at_least:.3g}; {seen}"
    elif low >= at_least:
        verdict, reason = Verdict.HOLDS, seen
    elif p_value <= 1 - REJECT:
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
        strength=_strength(low, trials, at_least),
        p_value=p_value,
    )


def _strength(low: float, trials: int, at_least: float) -> Strength:
    """Return the strength of the evidence, which excludes failure rates above 1 - low."""
    fails, claimed = 1 - low, 1 - at_least
    loose = claimed > 0 and fails > WEAK_FACTOR * claimed
    noticed = _detectable(trials, at_least)
    return Strength(
        grade=Grade.SAMPLED,
        excluded=f"failure rates above {fails:.3g}",
        detectable=noticed,
        sharpness=None,
        weak=f"failure rates up to {fails / claimed:.2g} times the claimed one" if loose else "",
    )


def _detectable(trials: int, at_least: float) -> float:
    """Return the smallest relative decrease of the probability that nine of ten samples would
    reject.
    """
    import scipy.optimize
    import scipy.stats

    if not 0 < at_least <= 1:
        return math.nan
    law = scipy.stats.binom
    # The largest count that is rejected, or one more.
    most = int(law.ppf(1 - REJECT, trials, at_least))
    while most >= 0 and law.cdf(most, trials, at_least) > 1 - REJECT:
        most -= 1
    if most < 0:
        return math.nan  # not even "never" would be rejected

    def lacks(p: float) -> float:
        return float(law.cdf(most, trials, p)) - POWER

    found = float(scipy.optimize.brentq(lacks, 0.0, at_least)) if lacks(at_least) < 0 else at_least
    return 1 - found / at_least


@claims
def every_algorithm(
    name: str,
    measured: float | None,
    stderr: float | None,
    floor: float,
    tried: str,
    *,
    freedom: float = math.inf,
    vacuous: bool = False,
) -> Part:
    """Judge a claim about all algorithms: a run can contradict it, but never confirm it.

    It FAILS if the one-sided 99.9 % limit of what was reached lies below the floor.

    Args:
        name: the quantity that no algorithm can bring below the floor.
        measured: the smallest value that was reached; None if no algorithm succeeded.
        stderr: its standard error; None or NaN if it has none.
        floor: the claimed lower bound for every algorithm.
        tried: the names of the algorithms that were run.
        freedom: degrees of freedom of the standard error; infinite for a value that was computed.
        vacuous: whether no value could lie below the floor at this setting.
    """
    stderr = None if stderr is None or math.isnan(stderr) else stderr
    measured = None if measured is None or math.isnan(measured) else measured
    if vacuous:
        return Part(
            name=name,
            relation=">=",
            measured=measured,
            stderr=stderr,
            predicted=floor,
            verdict=Verdict.VACUOUS,
            reason=f"the floor is empty here; tried: {tried}",
        )
    if measured is None or stderr is None:
        contradicted, p_value, excluded = False, None, ""
    else:
        reached = measured + student(REJECT, freedom) * stderr
        contradicted = reached < floor
        p_value = exceeds(floor - measured, stderr, freedom)
        excluded = f"floors above {reached:.4g}"
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
        strength=Strength(grade=Grade.SAMPLED, excluded=excluded, weak="some algorithms, not all"),
        p_value=p_value,
    )


def _enough(at_least: float) -> int | None:
    """Return the smallest number of trials whose lower confidence limit reaches `at_least` if all
    of them succeed; None if no number does.
    """
    if at_least >= 1:
        return None
    return max(1, math.ceil(math.log(0.025) / math.log(at_least) - 1e-9))

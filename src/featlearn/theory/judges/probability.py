"""Claims that hold with high probability, and claims about every algorithm."""

import math

from featlearn._check import require
from featlearn.theory.claim import claims
from featlearn.theory.estimates import clopper_pearson
from featlearn.theory.verdict import Part, Verdict


@claims
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


@claims
def every_algorithm(
    name: str,
    measured: float | None,
    stderr: float | None,
    floor: float,
    tried: str,
    *,
    vacuous: bool = False,
) -> Part:
    """A claim about all algorithms: a run can contradict it, never confirm it.

    Args:
        name: what no algorithm gets below its floor.
        measured: the least that was reached; None if nothing that was tried arrived.
        stderr: its standard error.
        floor: what is claimed for every algorithm.
        tried: the algorithms.
        vacuous: the floor is empty here, so that nothing could lie below it: OUT_OF_SCOPE.
    """
    if vacuous:
        return Part(
            name=name,
            relation=">=",
            measured=measured,
            stderr=stderr,
            predicted=floor,
            verdict=Verdict.OUT_OF_SCOPE,
            reason=f"the floor is empty here; tried: {tried}",
        )
    known = measured is not None and stderr is not None
    contradicted = known and measured + 5 * stderr < floor  # type: ignore[operator]
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

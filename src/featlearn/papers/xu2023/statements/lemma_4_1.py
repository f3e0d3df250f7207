r"""Lemma 4.1: what a training sample looks like (section 4.1), eps in (0, 10^-3/4).

With probability at least 1 - O(n^-eps), for all points i != k and all four centres nu:

    B1  max_nu <x_k - xbar_k, nu> <= 10 sqrt(log n) ||mu||
        | ||x_k||^2 - p - ||mu||^2 | <= 10 sqrt(p log n)
    B2  |<x_i, x_k> - <xbar_i, xbar_k>| <= 10 sqrt(p log n)
    B3  |c_nu + n_nu - n/4| <= sqrt(eps n log n)
        |n_nu - eta (c_nu + n_nu)| <= sqrt(eps eta n log n)
    B4  |c_nu + n_nu - c_-nu - n_-nu| >= n^(1/2-eps),    |n_nu - n_-nu| >= eta n^(1/2-eps)

B1 and B2 are sampled. B3 and B4 are counts: their probability is computed exactly
(`featlearn.papers.xu2023.counts`), and it is *zero*: by B3 the counts of two opposite clusters
differ by at most 2 sqrt(eps n log n), by B4 by n^(1/2-eps) at least, and the first is smaller up to
n = 10^305. The lemma's O(n^-eps) has room for that (n^-eps > .99 below n = 10^17), so that the
print is not contradicted; with any probability in its place, .9 in the run, it fails.
"""

import math
from collections.abc import Sequence

from featlearn.papers.xu2023.assumptions import EPSILON, thresholds
from featlearn.papers.xu2023.claim import AT_LEAST, claim
from featlearn.papers.xu2023.counts import count_probability
from featlearn.papers.xu2023.setting import AssumptionsMet
from featlearn.papers.xu2023.watched import Watched
from featlearn.theory import Claim, Event, Reading, Statement, exact_bound


def facts(run: Watched, factor: float = 10.0) -> list[Event]:
    """B1 and B2 in one run."""
    limit = factor * math.sqrt(math.log(run.config.samples))
    return [
        Event(name="B1 largest <x - xbar, nu>/|mu|", measured=run.across, limit=limit),
        Event(name="B1 largest ||x|^2 - p - |mu|^2|/sqrt p", measured=run.length, limit=limit),
        Event(
            name="B2 largest |<x, x'> - <xbar, xbar'>|/sqrt p", measured=run.product, limit=limit
        ),
    ]


def counted(config: AssumptionsMet, epsilon: float = EPSILON) -> list[Claim]:
    """The exact probabilities of B3, of B4, and of both, beside the run's .9 and 1 - n^-eps."""
    n, eta = config.samples, config.flip_rate
    asked = {"B3": (True, False), "B4": (False, True), "B3 and B4": (True, True)}
    begins = thresholds(epsilon)["counts"].log10_n
    found = []
    for name, (three, four) in asked.items():
        chance = count_probability(n, eta, epsilon, B3=three, B4=four)
        told = f"P({name}), computed exactly"
        run = exact_bound(told, chance, AT_LEAST, side=">=")
        note = f"the two are possible together from n = 10^{begins:.0f} on"
        empty = f"1 - O(n^-eps) with n^-eps = {n**-epsilon:.4f} asks for nothing; {note}"
        order = exact_bound(told, chance, 1 - n**-epsilon, side=">=", vacuous=empty)
        found += [run.noted(note).under(Reading.RUN), order.under(Reading.PROOF)]
    return found


def statement(factor: float = 10.0) -> Statement[AssumptionsMet]:
    """The lemma; another factor is another claim."""

    def others(config: AssumptionsMet, runs: Sequence[Watched]) -> list[Claim]:
        return counted(config)

    return claim(
        "lemma-4.1",
        "Points lie where they should, nearly orthogonal; counts that cannot be as asked",
        "Lemma 4.1, section 4.1",
        lambda run: facts(run, factor),
        others=others,
        needs=("A1", "A2"),
        proof=("counts", "counts, probability", "imbalance, probability"),
    )


STATEMENT = statement()

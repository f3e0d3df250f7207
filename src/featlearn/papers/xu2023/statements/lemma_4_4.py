r"""Lemma 4.4: how sample and start meet (section 4.1).

With probability at least 1 - O(n^-eps), for all points, centres nu, kappa in [0, 1/2), and each
sign of a:

    D1  every point activates at least m/7 neurons of each sign
    D2  at least m n^(-10 eps) neurons of each sign are (nu, kappa)-aligned
    D3  all but a share 10 n^(-20 eps) of each sign are (±nu, 20 eps)-aligned
    D4  mean of (c_nu - n_nu - d_-nu,j) >= n/10 over the (nu, kappa)-aligned neurons of a sign

D2 at nu and at -nu, for both signs, are four disjoint sets of neurons, m at most in all: it needs
n^(10 eps) >= 4, n = 10^241, and cannot be true at any smaller n. D3 claims a negative share below n
= 10^200. D1 and D4 are judged over the runs, D4 at kappa = 0 and at 20 eps. D2 fails in all of them
where it is taken as it stands, with a probability of .9: the *run* reading.
"""

from collections.abc import Sequence

import numpy as np

from featlearn.papers.xu2023.assumptions import EPSILON
from featlearn.papers.xu2023.claim import claim
from featlearn.papers.xu2023.setting import AssumptionsMet
from featlearn.papers.xu2023.watched import OPPOSITE, Watched
from featlearn.theory import Claim, Event, FittedConstant, Statement, exact_bound, spread


def least_mean(run: Watched, kappa: float) -> float:
    """The least mean of (c_nu - n_nu - d_-nu,j)/n over aligned neurons of a sign and a centre."""
    room = (run.clean - run.flipped)[:, None] - run.d[OPPOSITE]
    chosen = run.aligned(kappa)
    means = [
        float(room[nu][chosen[nu] & (run.a == sign)].mean()) / run.config.samples
        for nu in range(4)
        for sign in (1, -1)
        if (chosen[nu] & (run.a == sign)).any()
    ]
    return min(means, default=np.inf)


def facts(run: Watched, active: float = 7.0, room: float = 10.0) -> list[Event]:
    """D1 and D4 in one run."""
    return [
        Event(
            name="D1 least number of neurons of a sign that a point activates",
            measured=float(run.least_active),
            limit=run.config.width / active,
            side=">=",
        ),
        *(
            Event(
                name=f"D4 least mean of (c - n - d)/n, kappa = {kappa:g}",
                measured=least_mean(run, kappa),
                limit=1 / room,
                side=">=",
            )
            for kappa in (0.0, 20 * EPSILON)
        ),
    ]


def statement(active: float = 7.0, room: float = 10.0) -> Statement[AssumptionsMet]:
    """The lemma; other numbers are other claims.

    Args:
        active: D1's 7.
        room: D4's 10.
    """

    def others(config: AssumptionsMet, runs: Sequence[Watched]) -> list[Claim]:
        n, m = config.samples, config.width
        each = [share_aligned(run, 0.0) for run in runs]
        return [
            exact_bound(
                "D2 least share of m that is aligned, any nu and sign, kappa = 0",
                float(max(each)),
                n ** (-10 * EPSILON),
                side=">=",
                why="as the largest of the runs",
            ).noted(
                "impossible below n = 10^241: four disjoint sets of neurons, each of more than a "
                f"quarter of the {m}"
            ),
            exact_bound(
                "D3 share that is aligned with nu or -nu, kappa = 20 eps",
                float(np.mean([share_either(run) for run in runs])),
                1 - 10 * n ** (-20 * EPSILON),
                side=">=",
                vacuous="vacuous: no share is below a negative one; it begins at n = 10^200",
            ),
        ]

    def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
        return {
            "share of neurons with D_nu > sqrt n, all nu and signs": spread(
                [float((run.config.samples**0.5 < run.D).mean()) for run in runs]
            )
        }

    return claim(
        "lemma-4.4",
        "Every point activates a seventh of the neurons; hardly any neuron is aligned as asked",
        "Lemma 4.4, section 4.1",
        lambda run: facts(run, active, room),
        others=others,
        constants=constants,
        needs=("A1", "A2", "A3", "A6"),
        proof=("aligned", "most aligned"),
    )


def share_aligned(run: Watched, kappa: float) -> float:
    """The least share of m that is (nu, kappa)-aligned and of one sign, over nu and signs."""
    chosen = run.aligned(kappa)
    each = [(chosen & (run.a == sign)).sum(axis=1).min() for sign in (1, -1)]
    return float(min(each) / run.config.width)


def share_either(run: Watched) -> float:
    """The least share of a sign that is (nu, 20 eps)- or (-nu, 20 eps)-aligned."""
    chosen = run.aligned(20 * EPSILON)
    either = chosen | chosen[OPPOSITE]
    return min(float(either[:, run.a == sign].mean(axis=1).min()) for sign in (1, -1))


STATEMENT = statement()

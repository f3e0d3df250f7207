r"""Lemma 4.7: neurons of the right sign align with mu1, those of the wrong sign forget it (section
4.2.2).

J1: positive neurons that are (+mu1, 20 eps)-aligned; J2: negative ones that are (±mu1, 20
eps)-aligned. On a good run, for 1 <= t <= sqrt n,

    mean over J1 of <w_j, mu1>    =  Omega(alpha ||mu||^2 t/sqrt m)
    mean over J2 of |<w_j, mu1>|  =  O(alpha ||mu||^2/sqrt m (1 + t sqrt(log(n)/n)))

Printed from t = 1 on, where the first is false: after one step the mean is D_mu1/(2n) =
Theta(n^-1/2) of it. The proof gives (t - 1)/40 (A.66), so corrected from t = 2 on. The proof's
numbers (A.69), in units of alpha ||mu||^2/sqrt m: at least (t - 1)/40, and at most [n + 1 + (Delta
+ 1)(t - 2)]/(2n), Delta = |n_mu1 - n_-mu1| + sqrt n.

A neuron with D > n^(1/2-20 eps) is one in several hundred, so J1 and J2 are taken with D > 1, kappa
= 1/2, without the technical condition: weaker than the text's, more neurons. All four centres are
looked at.
"""

import math
from collections.abc import Sequence

import numpy as np

from featlearn.papers.xu2023.assumptions import EPSILON, good_run
from featlearn.papers.xu2023.claim import claim
from featlearn.papers.xu2023.setting import AssumptionsMet
from featlearn.papers.xu2023.watched import LABELS, OPPOSITE, Watched
from featlearn.theory import Control, Event, FittedConstant, Statement, spread

KAPPA = 0.5


def towards(run: Watched, t: int, nu: int) -> np.ndarray:
    """<w_j, nu> sqrt m/(alpha ||mu||^2) of all neurons at the place t of the times."""
    sign = 1 - 2 * (nu % 2)
    return sign * run.projection[t, nu // 2] * math.sqrt(run.config.width)


def growth(run: Watched, t: int, sign: int = 1) -> float:
    """The least mean of <w_j, nu> over the aligned neurons of the right sign, over the centres.

    With `sign` = -1 over those of the wrong one.
    """
    chosen = run.aligned(KAPPA, "none")
    means = [
        float(towards(run, t, nu)[among].mean())
        for nu in range(4)
        if (among := chosen[nu] & (run.a == sign * LABELS[nu])).any()
    ]
    return min(means, default=math.inf)


def forgotten(run: Watched, t: int) -> tuple[float, int]:
    """The largest mean of |<w_j, nu>| over aligned neurons of the wrong sign, and its centre."""
    chosen = run.aligned(KAPPA, "none")
    chosen = chosen | chosen[OPPOSITE]
    means = {
        nu: float(np.abs(towards(run, t, nu))[chosen[nu] & (run.a == -LABELS[nu])].mean())
        for nu in (0, 2)
        if (chosen[nu] & (run.a == -LABELS[nu])).any()
    }
    worst = max(means, key=lambda nu: means[nu])
    return means[worst], worst


def limit(run: Watched, t: int, nu: int, constant: float = 1.0) -> float:
    """[n + 1 + (Delta + 1)(t - 2)]/(2n), of A.69; `constant` multiplies the part that stays."""
    n = run.config.samples
    delta = abs(int(run.flipped[nu]) - int(run.flipped[OPPOSITE[nu]])) + math.sqrt(n)
    return float((constant * (n + 1) + (delta + 1) * max(t - 2, 0)) / (2 * n))


def statement(
    slope: float = 1 / 40, constant: float = 1.0, first: int = 2, sign: int = 1
) -> Statement[AssumptionsMet]:
    """The lemma with the proof's numbers; others are other claims.

    Args:
        slope: of the growth, (t - 1) slope; at t = 1, where that is 0, t slope.
        constant: the size of the part of the second bound that does not grow.
        first: the first time it is claimed for; printed 1.
        sign: 1; -1 takes neurons of the wrong sign for J1.
    """

    def events(run: Watched) -> Sequence[Event]:
        places = [i for i, t in enumerate(run.times) if t >= first]
        asked = {i: slope * (run.times[i] - 1 if first > 1 else run.times[i]) for i in places}
        low = min(places, key=lambda i: growth(run, i, sign) / asked[i])
        shares = {i: forgotten(run, i) for i in places}
        allowed = {i: limit(run, int(run.times[i]), shares[i][1], constant) for i in places}
        high = max(places, key=lambda i: shares[i][0] - allowed[i])
        return [
            Event(
                name=f"least mean <w, nu> over J1 >= {slope:g} (t - {first - 1}), t >= {first}",
                measured=growth(run, low, sign),
                limit=float(asked[low]),
                side=">=",
            ),
            Event(
                name="largest mean |<w, nu>| over J2 against [n + 1 + (Delta + 1)(t - 2)]/2n",
                measured=shares[high][0],
                limit=allowed[high],
            ),
        ]

    def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
        n = runs[0].config.samples
        one = [growth(run, run.at(1)) * math.sqrt(n) for run in runs]
        late = [growth(run, -1) / (run.times[-1] - 1) for run in runs]
        literal = [float(run.aligned(20 * EPSILON).mean()) for run in runs]
        return {
            "least mean over J1 at t = 1, times sqrt n": spread(one),
            "least mean over J1 at sqrt n, over t - 1": spread(late),
            "share of neurons that are (nu, 20 eps)-aligned as defined": spread(literal),
        }

    return claim(
        "lemma-4.7",
        "Neurons of the right sign align with their centre, those of the wrong sign forget it",
        "Lemma 4.7, section 4.2.2; from t = 2 on",
        events,
        constants=constants,
        asked=lambda config: [good_run(config.samples)],
        proof=("aligned",),
        control=Control("neurons of the wrong sign", lambda: statement(sign=-1)),
    )


STATEMENT = statement()

r"""Lemma 5: what a sample of the clusters looks like (section 4.1).

There is a C_1 > 2 such that with probability at least 1 - delta, for all points of all clusters,

    (a) <x, mu> >= 1 - C_1 sigma sqrt d >= 1 - 1/C_1,    |<x, mu'>| <= C_1 sigma sqrt d <= 1/C_1
    (b) ||x - mu||^2 <= C_1 sigma^2 d <= 1/C_1
    (c) |N|/n <= eta + C_1 sqrt(log(1/delta)/n),  and <= eta + 1/C
    (d) | |I_mu|/n - 1/4 | <= C_1 sqrt(log(1/delta)/n)

mu' being orthogonal to mu. A "there is" is shown by a witness: C_1 = 2, the least the lemma allows.
(The printed (d) is for "any 0 <= t <= T - 1", but nothing in it depends on t.)
"""

import math
from collections.abc import Sequence

import numpy as np

from featlearn.papers.frei2022.assumptions import least_constant
from featlearn.papers.frei2022.claim import Broken, Event, claim, noisier, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Control, FittedConstant, Statement

C1 = 2.0


def facts(run: Watched, C1: float = C1) -> Sequence[Event]:
    """The lemma in one run, its four parts apart."""
    config = run.config
    width = config.noise_sd * math.sqrt(config.d)
    direction = run.cluster // 2
    own = run.along[np.arange(len(direction)), direction] * (1 - 2 * (run.cluster % 2))
    others = np.where(np.arange(config.k) == direction[:, None], 0, np.abs(run.along))
    slack = math.sqrt(math.log(1 / config.delta) / config.samples)
    counts = np.bincount(run.cluster, minlength=2 * config.k) / config.samples
    uneven = float(np.abs(counts - 1 / (2 * config.k)).max())
    share, rate = float(run.noisy.mean()), config.flip_rate
    return [
        Event(
            name="(a) least <x, mu>",
            measured=float(own.min()),
            limit=max(1 - C1 * width, 1 - 1 / C1),
            side=">=",
        ),
        Event(
            name="(a) largest |<x, mu'>|",
            measured=float(others.max()),
            limit=min(C1 * width, 1 / C1),
        ),
        Event(
            name="(b) largest ||x - mu||^2",
            measured=float(run.distance.max() ** 2),
            limit=min(C1 * width**2, 1 / C1),
        ),
        Event(
            name="(c) share of noisy points",
            measured=share,
            limit=rate + min(C1 * slack, 1 / least_constant(config)),
        ),
        Event(name="(d) largest | |I_mu|/n - 1/4 |", measured=uneven, limit=C1 * slack),
    ]


def least_C1(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
    """The least C_1 that (a) and (b) would have needed, over all runs."""
    needed = []
    for run in runs:
        width = run.config.noise_sd * math.sqrt(run.config.d)
        at_one = {event.name: event for event in facts(run, 1.0)}
        beside = at_one["(a) largest |<x, mu'>|"].measured / width
        needed.append(max(beside, float(run.distance.max() ** 2) / width**2))
    return {"least C1 for (a) and (b)": FittedConstant(value=max(needed))}


def statement(C1: float = C1, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The lemma; another C_1 is another claim."""
    return claim(
        "lemma-5",
        "Points lie near their centres, flips and clusters near their shares",
        "Lemma 5, section 4.1",
        lambda run: facts(run, C1),
        failures=1,
        seeds=80,
        constants=least_C1,
        needs=("A1", "A2", "A3", "A4", "A7", "network"),
        broken=broken,
        control=Control("twice the noise", lambda: statement(broken=noisier)),
    )


STATEMENT = statement()

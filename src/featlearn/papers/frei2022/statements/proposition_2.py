r"""Proposition 2: the features of every sample change by more than themselves (section 3).

With probability at least 1 - 4 delta, for all i

    ||relu(W_T x_i) - relu(W_0 x_i)|| / ||relu(W_0 x_i)||  >=  1/(C omega sqrt(md)) - 1/C,

judged with the least C that A7 allows. Appendix C proves e^-2/(16*1024 omega sqrt(md)), printed
there with the wrong sense, for omega sqrt(md) <= e^-2/4096 and alpha <= 1/10; neither is met here,
and that line is judged for the reading *proof* alone.
"""

import math
from collections.abc import Sequence

import numpy as np

from featlearn.papers.frei2022.assumptions import (
    good_run,
    least_constant,
    small_start,
    start_norm,
)
from featlearn.papers.frei2022.claim import Broken, Event, claim, frozen, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Claim, Control, Reading, Statement, judged, spread


def change(run: Watched) -> float:
    """The least relative change of a sample's features."""
    before, after = run.features(0), run.features(-1)
    moved = np.linalg.norm(after - before, axis=1)
    return float((moved / np.linalg.norm(before, axis=1)).min())


def statement(power: float = 1.0, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The proposition; another `power` of omega sqrt(md) is another claim."""

    def events(run: Watched) -> Sequence[Event]:
        C, size = least_constant(run.config), start_norm(run.config)
        return [
            Event(
                name="printed: least relative change >= 1/(C omega sqrt(md)) - 1/C",
                measured=change(run),
                limit=1 / (C * size**power) - 1 / C,
                side=">=",
            )
        ]

    def proved(runs: Sequence[Watched]) -> Sequence[Claim]:
        config = runs[0].config
        name = "proved: least relative change >= e^-2/(16*1024 omega sqrt(md))"
        limit = math.exp(-2) / (16 * 1024 * start_norm(config) ** power)
        events = [Event(name=name, measured=change(r), limit=limit, side=">=") for r in runs]
        return [judged(name, events, 1 - 4 * config.delta).under(Reading.PROOF)]

    return claim(
        "proposition-2",
        "The feature map of every sample changes by more than itself",
        "Proposition 2, section 3; appendix C",
        events,
        constants=lambda runs: {"least relative change": spread([change(run) for run in runs])},
        more=proved,
        proof=lambda config: [*good_run(config), *small_start(config)],
        broken=broken,
        control=Control("the first layer is frozen", lambda: statement(broken=frozen)),
    )


STATEMENT = statement()

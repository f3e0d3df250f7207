r"""Proposition 2: the features of every sample change by more than themselves (section 3).

With probability at least 1 - 4 delta, for all i

    ||relu(W_T x_i) - relu(W_0 x_i)|| / ||relu(W_0 x_i)||  >=  1/(C omega sqrt(md)) - 1/C.

Appendix C proves e^-2/(16*1024 omega sqrt(md)), printed there with the wrong sense.
"""

import math
from collections.abc import Sequence

import numpy as np

from featlearn.papers.frei2022.assumptions import least_constant
from featlearn.papers.frei2022.claim import Event, claim
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Statement, spread


def change(run: Watched) -> float:
    """The least relative change of a sample's features."""
    before, after = run.features(0), run.features(-1)
    moved = np.linalg.norm(after - before, axis=1)
    return float((moved / np.linalg.norm(before, axis=1)).min())


def statement(power: float = 1.0) -> Statement:
    """The proposition; another `power` of omega sqrt(md) is another claim."""

    def events(run: Watched) -> Sequence[Event]:
        config = run.config
        C, size = least_constant(config), config.start_sd * math.sqrt(config.width * config.d)
        moved = change(run)
        return [
            Event(
                name="printed: least relative change >= 1/(C omega sqrt(md)) - 1/C",
                measured=moved,
                limit=1 / (C * size**power) - 1 / C,
                side=">=",
            ),
            Event(
                name="proved: least relative change >= e^-2/(16*1024 omega sqrt(md))",
                measured=moved,
                limit=math.exp(-2) / (16 * 1024 * size**power),
                side=">=",
            ),
        ]

    return claim(
        "proposition-2",
        "The feature map of every sample changes by more than itself",
        "Proposition 2, section 3; appendix C",
        events,
        constants=lambda runs: {"least relative change": spread([change(run) for run in runs])},
    )


STATEMENT = statement()

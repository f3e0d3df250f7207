r"""Lemma 11: the good subnetwork decides, with a margin (section 4.2).

At T, J being the union of the J_mu and f^J the network of these neurons alone,

    ||W_T||_F <= 1,    y f^J(x) >= 1/C_3 on clean points,  <= -1/C_3 on noisy ones,

with C_3 = 4096 e^2/(1 - 1/C_0)^2. (The proof takes alpha <= e^-2 (1 - 1/C_0)^2/6144, at most
2.2e-5, for which T would be 11 000; the claim holds far beyond.)
"""

import math
from collections.abc import Sequence

import numpy as np

from featlearn.papers.frei2022.assumptions import good_run, small_step
from featlearn.papers.frei2022.claim import Broken, Event, claim, frozen, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import C0, Watched
from featlearn.theory import Control, Statement


def statement(scale: float = 1.0, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The lemma; another `scale` of the margin is another claim."""

    def events(run: Watched) -> Sequence[Event]:
        margin = run.margins(-1, np.any(run.J(), axis=0))
        limit = scale * (1 - 1 / C0) ** 2 / (4096 * math.exp(2))
        return [
            Event(name="||W_T||_F", measured=float(np.linalg.norm(run.norm[-1])), limit=1.0),
            Event(
                name="clean points: min y f^J(x)",
                measured=float(margin[~run.noisy].min(initial=math.inf)),
                limit=limit,
                side=">=",
            ),
            Event(
                name="noisy points: max y f^J(x)",
                measured=float(margin[run.noisy].max(initial=-math.inf)),
                limit=-limit,
            ),
        ]

    return claim(
        "lemma-11",
        "The subnetwork of the J_mu is right on clean and wrong on noisy points, with a margin",
        "Lemma 11, section 4.2",
        events,
        proof=lambda config: [*good_run(config), *small_step(config)],
        broken=broken,
        control=Control("the first layer is frozen", lambda: statement(broken=frozen)),
    )


STATEMENT = statement()

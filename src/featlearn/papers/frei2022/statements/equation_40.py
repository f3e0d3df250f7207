r"""Equations 39 and 40: how fast the neurons of J_mu turn to mu (appendix A.3).

On a good run, for mu, j in J_mu and t = 1, …, 1/(4 alpha),

    (39)  <w_j^{t+1} - w_j^t, mu>  >=  alpha |a_j| e^-2/64
    (40)  <w_j^{t+1}, mu>/||w_j^{t+1}||  >=  e^-2/256
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from featlearn.papers.frei2022.assumptions import good_run, persistent
from featlearn.papers.frei2022.claim import Event, Spoilt, claim, unspoilt
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Control, Statement


def opposed(run: Watched) -> Watched:
    """A control: the neurons are told apart by the wrong sign of the second layer."""
    return replace(run, a=-run.a)


def statement(scale: float = 1.0, spoilt: Spoilt = unspoilt) -> Statement[XorClusters]:
    """The two inequalities; another `scale` of their right sides is another claim."""

    def events(run: Watched) -> Sequence[Event]:
        J, eta = run.J(), run.config.eta
        p = run.projection
        centred = np.stack([p, -p], axis=2).reshape(len(p), -1, p.shape[2])
        step = np.diff(centred, axis=0)[1:] / (eta * np.where(run.a == 0, 1, np.abs(run.a)))
        return [
            Event(
                name="(39) least step towards mu /(alpha |a|)",
                measured=float(step[:, J].min(initial=math.inf)),
                limit=scale * math.exp(-2) / 64,
                side=">=",
            ),
            Event(
                name="(40) least correlation from t = 2 on",
                measured=float(run.signed[2:, J].min(initial=math.inf)),
                limit=scale * math.exp(-2) / 256,
                side=">=",
            ),
        ]

    return claim(
        "equation-40",
        "Every step takes the neurons of J_mu towards mu, and their correlation stays",
        "Equations 39 and 40, appendix A.3",
        events,
        proof=lambda config: [*good_run(config), *persistent(config)],
        spoilt=spoilt,
        control=Control("neurons of the wrong sign in J_mu", lambda: statement(spoilt=opposed)),
    )


STATEMENT = statement()

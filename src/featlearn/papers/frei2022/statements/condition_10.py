r"""Condition 10, almost-orthogonality to the centres of the other label (section 4.2).

    |<w_j, mu_2>| <= 3 alpha |a_j| for j in J_±mu1,   |<w_j, mu_1>| <= 3 alpha |a_j| for j in J_±mu2

Lemma 13 says that it holds for t = 0, …, 1/(4 alpha), with probability at least 1 - 4 delta. Judged
for every neuron of the right sign (the C_0 of definition 7), which is the strongest reading.
"""

from collections.abc import Sequence

import numpy as np

from featlearn.measurements import other_projection
from featlearn.papers.frei2022.assumptions import good_run, persistent
from featlearn.papers.frei2022.claim import Broken, Event, claim, lazy, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.statements.condition_9 import until
from featlearn.papers.frei2022.watched import PROOF_C0, Watched
from featlearn.theory import Control, Statement, spread


def leaning(run: Watched) -> float:
    """The largest |<w_j, mu'>|/(alpha |a_j|) over neurons of J and times up to 1/(4 alpha)."""
    J = run.J(PROOF_C0)
    size = run.config.eta * np.where(run.a == 0, 1, np.abs(run.a))
    times = range(until(run) + 1)
    return max(float((other_projection(run.projection[t], J) / size).max()) for t in times)


def facts(run: Watched, factor: float = 3.0) -> Sequence[Event]:
    """The condition in one run."""
    return [Event(name="max |<w, mu'>|/(alpha |a|)", measured=leaning(run), limit=factor)]


def statement(factor: float = 3.0, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The condition; another factor is another claim."""
    return claim(
        "condition-10",
        "Almost-orthogonality: neurons stay short along the centres of the other label",
        "Condition 10, section 4.2",
        lambda run: facts(run, factor),
        constants=lambda runs: {"max |<w, mu'>|/(alpha |a|)": spread([leaning(r) for r in runs])},
        proof=lambda config: [*good_run(config), *persistent(config)],
        broken=broken,
        control=Control("a start 5000 times as large", lambda: statement(broken=lazy)),
    )


STATEMENT = statement()

r"""Claim C.18: in phase 1b the signal of a strong neuron is heard (Glasgow 2023, appendix C.3).

    P(|w_perp.xi| <= sqrt2 ||w_sig||) >= ||w_sig|| / (5 ||w_perp + w_sig||)

for weakly controlled, strong neurons; by lemma C.4 it is the rate at which ||w_sig|| grows. For a
Gaussian sum the quotient of the two sides without the 5 is 1.13 for small ||w_sig|| and 1 for
large; for a sparse w_perp it can be 0, and the claim needs the control of ||w_perp||_inf. The
probability is exact. Neurons are those of a run that are strong, at three times of phase 1b (see
`envelopes`).
"""

import math

import numpy as np

from featlearn.distributions.rademacher import within
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.envelopes import Paths, Phase1, hypotheses, paths
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound, trend

NEURONS = 9
"""How many strong neurons are looked at, a time."""


def quotients(path: Paths, t: int, *, sparse: bool = False) -> np.ndarray:
    """Left side over ||w_sig||/||w_perp + w_sig||, of the first strong neurons.

    With `sparse`, w_perp is as long as it was and all on one coordinate.
    """
    chosen = np.flatnonzero(path.strong[t])[:NEURONS]
    found = []
    for j in chosen:
        rest, signal = path.w[t, j, 2:], abs(path.along[0, t, j])
        rest = np.array([float(np.linalg.norm(rest)), 0.0]) if sparse else rest
        chance = float(within(rest, math.sqrt(2) * signal, accuracy=1e-8))
        found.append(chance * math.hypot(float(np.linalg.norm(rest)), signal) / signal)
    return np.array(found)


def statement(constant: float = 5.0, sparse: bool = False) -> Statement[Phase1]:
    """The claim with its constant; with 0.8 it is false, and for `sparse` neurons too."""

    def evidence(config: Phase1, lab: Lab) -> Evidence:
        times = [config.T_1a, (config.T_1a + config.T_1b) // 2, config.T_1b]
        found = paths(config, lab)
        least = np.array(
            [[quotients(path, t, sparse=sparse).min() for path in found] for t in times]
        )
        parts = [
            bound(
                f"least quotient at step {t}",
                row,
                1 / constant,
                side=">=",
                every=True,
                instances=NEURONS,
            )
            for t, row in zip(times, least, strict=True)
        ]
        limit = [1 / constant] * len(times)
        shown = trend("least quotient", "step t", times, least, limit, relation=">=")
        return Evidence(parts=tuple(parts), trends=(shown,))

    return Statement(
        id="glasgow2023.claim-C.18",
        title="In phase 1b the signal of a strong neuron is heard",
        kind=Kind.BOUND,
        config=Phase1(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["claim-C.18"],
        control=Control("all of w_perp is on one coordinate", lambda: statement(sparse=True)),
        seeds=7,
        place="Claim C.18, appendix C.3",
        references=REFERENCES,
    )


STATEMENT = statement()

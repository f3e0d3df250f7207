r"""Lemma D.14: margins move little in a step, and heavy neurons carry nearly all of them.

In a (zeta, H)-signal-heavy network, eta <= zeta^2, for every mu (Glasgow 2023, appendix D.3)

    |gamma~_mu' - gamma~_mu| <= sqrt(eta),            |gamma_mu - gamma~_mu| <= 2 zeta H.

The proof of the first gives 8 eta H, which is far less; both are judged, on minibatches of d log^2
d points (lemma B.13) and with the largest eta allowed, zeta^2 = 4e-10. Networks are signal-heavy by
the letter, H = 1.01. What the same two differences are along training, with the working heavy set
of `measurements`, is a constant.
"""

import math

import jax
import numpy as np

from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import H_BUILT, built_heavy
from featlearn.papers.glasgow2023.population import (
    BUILT,
    REFERENCES,
    Heavy,
    Net,
    Small,
    heavy_networks,
    minibatch,
    networks,
    worst_heavy,
)
from featlearn.papers.glasgow2023.statements.lemma_b_13 import least_batch
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.watched import RHO
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Reading,
    Statement,
    bound,
)

BATCHES = 5
"""Minibatches a network."""


def moved(one: Heavy, seed: int) -> float:
    """The largest |gamma~_mu' - gamma~_mu| over eta, S kept; eta = zeta^2."""
    net, eta, S = one.net, one.zeta**2, one.S
    key, found = stream(seed, "lemma-D.14"), []
    for i in range(BATCHES):
        batch = minibatch(net.d, least_batch(net.d), jax.random.fold_in(key, i))
        after, _ = net.step(eta, batch)
        found.append(np.abs(after.heavy_margin(S) - net.heavy_margin(S)).max() / eta)
    return float(max(found))


def hypotheses(config: Small) -> list[Hypothesis]:
    """Signal-heavy by the letter, and eta = zeta^2, the largest that the lemma allows."""
    square = (math.exp(-10 * H_BUILT) / 2) ** 2
    step = Hypothesis(name="eta <= zeta^2", value=square, side="<=", limit=square)
    return [*built_heavy(config), step]


def unaccounted(one: Heavy, left_out: int = 0) -> np.ndarray:
    """|gamma_mu - gamma~_mu| over zeta H, per centre; one in `left_out` neurons is not in S."""
    S = one.S & (np.arange(len(one.S)) % left_out != 0) if left_out else one.S
    gap = np.abs(one.net.gamma - one.net.heavy_margin(S))
    return np.asarray(gap / (one.zeta * one.H))


def along_training(net: Net) -> float:
    """The largest share of a margin that the working heavy set does not carry."""
    S = net.orthogonal + net.opposite <= RHO * net.signal
    return float(np.max(np.abs(net.gamma - net.heavy_margin(S)) / np.abs(net.gamma)))


def statement(step: float = 8.0, carried: float = 2.0, left_out: int = 0) -> Statement[Small]:
    """The lemma: a margin moves by at most `step` eta H, and S carries all but `carried` zeta H."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        heavy = dict(zip(lab.seeds, lab.each_seed(heavy_networks, config=config), strict=True))
        most = np.array([max(moved(one, seed) for one in of) for seed, of in heavy.items()])
        eta, H = heavy[lab.seeds[0]][0].zeta ** 2, heavy[lab.seeds[0]][0].H
        outside = worst_heavy(config, lab, lambda one: unaccounted(one, left_out))
        end = [along_training(nets[5]) for nets in lab.each_seed(networks, config=config)]
        moves = bound(
            "|gamma~' - gamma~|/sqrt(eta)", most * math.sqrt(eta), 1.0, every=True, instances=BUILT
        )
        by_proof = bound("|gamma~' - gamma~|/(eta H)", most / H, step, every=True, instances=BUILT)
        return Evidence(
            parts=(
                moves.under(Reading.PRINTED, Reading.RUN),
                by_proof.under(Reading.PROOF),
                bound("|gamma - gamma~|/(zeta H)", outside, carried, every=True, instances=BUILT),
            ),
            constants={
                "share of a margin outside the working heavy set, end of training": FittedConstant(
                    value=float(np.mean(end))
                )
            },
        )

    return Statement(
        id="glasgow2023.lemma-D.14",
        title="Margins move little in a step, and heavy neurons carry nearly all of them",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-D.14"],
        control=Control(
            "a twentieth of the heavy neurons left out of S", lambda: statement(left_out=20)
        ),
        seeds=20,
        place="Lemma D.14, appendix D.3",
        references=REFERENCES,
    )


STATEMENT = statement()

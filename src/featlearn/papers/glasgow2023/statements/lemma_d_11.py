r"""Lemma D.11: the norm of any neuron after a step (Glasgow 2023, appendix D.2).

In a (zeta, H)-signal-heavy network, with eta <= zeta^3,

    ||w'||^2 <= ||w||^2 (1 + 2 eta (1 + 2 zeta H) tau g_max).

Heavy by the letter (H = 1.01, zeta = 2e-5) means eta <= 1e-14: the growth is taken without
cancellation, as -2 w.grad + eta ||grad||^2 over 2 tau g_max ||w||^2, with the population gradient.
(The printed 2 zeta H loses a factor 1/tau in its proof.) The same quotient along training, with the
run's own eta, is a constant; and sampled steps of trained networks are judged with a slack of 0.1
(`sampled_steps`).
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_step
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import (
    BUILT,
    REFERENCES,
    Heavy,
    Net,
    Small,
    worst,
    worst_heavy,
)
from featlearn.papers.glasgow2023.sampled_steps import LITTLE, every_step, surely
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Reading, Statement, bound


def growth(net: Net, eta: float) -> np.ndarray:
    """(||w'||^2 - ||w||^2) / (2 eta tau g_max ||w||^2), per neuron."""
    slopes = net.slopes["loss"].w
    gained = -2 * np.sum(net.w * slopes, axis=1) + eta * np.sum(slopes**2, axis=1)
    return np.asarray(gained / (2 * TAU * net.g.max() * net.norm**2))


def statement(slack: float = 2.0, rate: float = 1.0) -> Statement[Small]:
    """The lemma: growth at most `rate` + `slack` zeta H."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        def excess(one: Heavy, more: float = slack) -> np.ndarray:
            return growth(one.net, one.zeta**3) / (rate + more * one.zeta * one.H)

        heavy = worst_heavy(config, lab, excess)
        by_proof = worst_heavy(config, lab, lambda one: excess(one, slack / TAU))
        real = worst(config, lab, lambda net: growth(net, config.eta))
        grown = [step.norm <= rate + LITTLE for step in every_step(config, lab)]
        name = "signal-heavy networks: growth over its bound"
        return Evidence(
            parts=(
                bound(name, heavy, 1.0, every=True, instances=BUILT).under(
                    Reading.PRINTED, Reading.RUN
                ),
                bound(f"{name}, by the proof", by_proof, 1.0, every=True, instances=BUILT).under(
                    Reading.PROOF
                ),
                *surely("||w'||^2 of every neuron", grown, config.d),
            ),
            constants={"growth along training": FittedConstant(value=float(real.max()))},
        )

    return Statement(
        id="glasgow2023.lemma-D.11",
        title="The norm of any neuron after a step",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        hypotheses=built_step,
        text=TEXTS["lemma-D.11"],
        control=Control("half the rate", lambda: statement(rate=0.5)),
        seeds=20,
        place="Lemma D.11, appendix D.2",
        references=REFERENCES,
    )


STATEMENT = statement()

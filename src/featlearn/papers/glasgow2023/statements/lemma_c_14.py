r"""Lemma C.14: strong neurons keep up with the largest, to log(d)^4 (Glasgow 2023, appendix C.2).

    S_t^2 >= B_t^2/log(d)^4   for t <= T_1a,    hence   ||w_sig|| >= zeta^1.5 theta   at T_1a

for strong neurons, where S_t^2 (definition C.13) is below every strong ||w_sig||^2 and B_t^2 =
(log(d)^3 theta^2/d)(1 + 2 eta tau1 (1 + 1/log d))^t (definition C.7) above every ||w_sig||^2. The
printed S_t waits C_S log(800 C_BE)/(eta tau1) steps with C_S > exp(100 4^8), which is longer than
T_1a for every d that can be written down: OUT_OF_SCOPE, as T_1a itself is (see `envelopes`).
Measured instead is what the lemma is for, on the neurons of a run: those that are strong at the
start, against B_t^2/log(d)^4, and all of them against B_t^2. The constants tell how much less than
log(d)^3 and log(d)^4 would do.
"""

import math
from collections.abc import Sequence

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.envelopes import TAU1, Phase1, hypotheses, paths
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Statement, bound, trend


def statement(log_power: float = 4.0, frozen: bool = False) -> Statement[Phase1]:
    """The lemma; with a smaller `log_power`, or a `frozen` first layer, it is another claim."""

    def evidence(config: Phase1, lab: Lab) -> Evidence:
        found, T = paths(config, lab, frozen=frozen), config.T_1a
        log_d, t = math.log(config.d), np.arange(T + 1.0)
        B2 = config.B2(t)[:, None]
        strong = [(p.along[0, : T + 1] ** 2)[:, p.strong_at_0] for p in found]
        every = [p.along[0, : T + 1] ** 2 for p in found]
        least = np.array([np.min(s / B2) * log_d**log_power for s in strong])
        most = np.array([np.max(s / B2) for s in every])
        end = np.array([np.sqrt(s[-1].min()) / config.theta for s in strong])
        plain = (1 + 2 * config.eta * TAU1) ** t[:, None] * config.theta**2 / config.d
        ratio = [np.min(s / plain) for s in strong], [np.max(s / plain) for s in every]
        shown = trend(
            "least ‖w_{sig}‖²/θ² of the strong neurons",
            "step t",
            t,
            np.stack([s.min(axis=1) / config.theta**2 for s in strong], axis=1),
            (B2[:, 0] / log_d**log_power / config.theta**2),
            relation=">=",
        )
        return Evidence(
            parts=(
                bound("least strong ||w_sig||^2 log(d)^4/B_t^2", least, 1.0, side=">=", every=True),
                bound("largest ||w_sig||^2/B_t^2", most, 1.0, every=True),
                bound(
                    "least strong ||w_sig||/theta at T_1a",
                    end,
                    config.zeta**1.5,
                    side=">=",
                    every=True,
                ),
            ),
            constants={
                "least strong ||w_sig||^2 d/theta^2 over (1 + 2 eta tau1)^t": _mean(ratio[0]),
                "largest ||w_sig||^2 d/theta^2 over (1 + 2 eta tau1)^t": _mean(ratio[1]),
            },
            trends=(shown,),
        )

    return Statement(
        id="glasgow2023.lemma-C.14",
        title="Strong neurons keep up with the largest, to log(d)^4 (definitions C.7, C.8)",
        kind=Kind.BOUND,
        config=Phase1(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-C.14"],
        control=Control("the first layer is frozen", lambda: statement(frozen=True)),
        seeds=7,
        place="Definitions C.7 and C.8, lemma C.14, appendix C.2",
        references=REFERENCES,
    )


def _mean(values: Sequence[float]) -> FittedConstant:
    return FittedConstant(value=float(np.mean(values)), ci=(float(min(values)), float(max(values))))


STATEMENT = statement()

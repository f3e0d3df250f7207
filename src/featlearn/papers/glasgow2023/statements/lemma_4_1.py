r"""Lemma 4.1 (formally C.1): what the network is at the end of phase 1 (Glasgow 2023).

For theta = (log d)^-C, m >= d/theta^2, 1/theta <= p <= d^C, eta <= theta, after some T1 =
Theta(log(d)/eta) steps, with probability at least 1 - theta:

    1.  E||a w|| <= 1            2.  E||w_perp + w_opp||^2 <= 4 theta^2
    3.  for every mu, at least 0.1 of the neurons have w_sig.mu > 0 and ||w_sig|| >= log(d)^c theta
    4.  E||w||^2 <= E a^2 + sqrt(eta), and |a| <= ||w|| for every neuron,

for every c large enough and C large in terms of c. Then log(d)^c theta is small: the found neurons
are still in the linear regime. Run are c = 1 and C = 1.85 at d = 32, where every inequality of the
hypotheses is met (theta = 0.1003 asks for m >= 99.4 d and eta <= 0.1003). T1 is the first step with
2 and 3; all items must hold there at once, in a share 1 - theta of the seeds: 36 decide.
"""

import math
from dataclasses import dataclass

import numpy as np
import xarray as xr

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import large_d, log_power, of_lemma_c_1
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.watched import XorRun, phase_1_end, watch
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.theory import (
    Control,
    Event,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Reading,
    Statement,
    judged_each,
)

D, POWER = 32, 1.85
"""d, and C of theta = (log d)^-C."""


@dataclass(frozen=True, kw_only=True)
class PhaseOne(XorRun):
    """The run whose phase 1 is looked at."""

    d: int = D
    width: int = 400
    theta: float = math.log(D) ** -POWER
    eta: float = 0.1
    batch_ratio: float = 100.0
    steps: int = 160
    """Steps of training."""
    log_power: float = 1.0
    """c in the threshold log(d)^c theta."""

    def __post_init__(self) -> None:
        require(self.d >= 3, "d", "at least 3", self.d)
        self.training()

    def training(self) -> Xor:
        """The experiment."""
        return self.xor(steps=self.steps, log_power=self.log_power)


def hypotheses(config: PhaseOne) -> list[Hypothesis]:
    """Those of lemma C.1; "C large in terms of c" is read as C > c."""
    C = log_power(config.theta, config.d)
    name = "C > c, C = log(1/theta)/log log d"
    return [
        Hypothesis(
            name=name, value=C, side=">=", limit=1.0, constant="c", readings=(Reading.PRINTED,)
        ),
        Hypothesis(name=name, value=C, side=">=", limit=config.log_power, readings=(Reading.RUN,)),
        large_d(config.d),
        *of_lemma_c_1(config),
    ]


def statement(share: float = 0.1, norm: float = 1.0, frozen: bool = False) -> Statement[PhaseOne]:
    """The lemma: `share` of the neurons at each centre, E||a w|| at most `norm`.

    With a `frozen` first layer phase 1 does not end.
    """

    def evidence(config: PhaseOne, lab: Lab) -> Evidence:
        data = watch(config.training(), lab, frozen=frozen)
        T1 = phase_1_end(data, config.theta)
        runs = [items(config, data.isel(seed=i), float(t), share, norm) for i, t in enumerate(T1)]
        ended = T1[np.isfinite(T1)] * config.eta / math.log(config.d)
        constant = float(ended.mean()) if len(ended) else math.nan
        return Evidence(
            parts=tuple(judged_each(runs, 1 - config.theta)),
            constants={"T1 eta/log d": FittedConstant(value=constant)},
        )

    return Statement(
        id="glasgow2023.lemma-4.1",
        title="What the network is at the end of phase 1",
        kind=Kind.HIGH_PROBABILITY,
        config=PhaseOne(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-4.1"],
        control=Control("the first layer is frozen", lambda: statement(frozen=True)),
        seeds=36,
        place="Lemma 4.1, section 4.1; lemma C.1, appendix C",
        references=REFERENCES,
    )


def items(config: PhaseOne, run: xr.Dataset, T1: float, share: float, norm: float) -> list[Event]:
    """The items of the lemma at T1; where phase 1 does not end, at the end of the run."""
    one = run.sel(step=int(T1) if math.isfinite(T1) else config.steps)
    a, w = abs(one["a"].values.astype(float)), one["norm"].values.astype(float)
    gap = float(np.mean(w**2) - np.mean(a**2))
    rest = float(one["rest"]) / config.theta**2
    found = float(one["found"].min())
    c = f"log(d)^{config.log_power:g}"
    return [
        Event(name="1. E||a w||", measured=float(np.mean(a * w)), limit=norm),
        Event(name="2. E||w_perp + w_opp||^2/theta^2", measured=rest, limit=4.0),
        Event(
            name=f"3. least share with ||w_sig|| >= {c} theta",
            measured=found,
            limit=share * (1 - 1e-6),  # 0.1 of the neurons in float32
            side=">=",
        ),
        Event(name="4. E||w||^2 - E a^2", measured=gap, limit=math.sqrt(config.eta)),
        Event(name="4. largest |a|/||w||", measured=float(np.max(a / w)), limit=1 + 1e-6),
    ]


STATEMENT = statement()

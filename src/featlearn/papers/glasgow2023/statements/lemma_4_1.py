r"""Lemma 4.1 (formally C.1): what the network is at the end of phase 1 (Glasgow 2023).

For theta = (log d)^-C, m >= d/theta^2, 1/theta <= p, eta <= theta, after some T1 =
Theta(log(d)/eta) steps, with probability at least 1 - theta:

    1.  E||a w|| <= 1            2.  E||w_perp + w_opp||^2 <= 4 theta^2
    3.  for every mu, at least 0.1 of the neurons have w_sig.mu > 0 and ||w_sig|| >= log(d)^c theta
    4.  E||w||^2 <= E a^2 + sqrt(eta), and |a| <= ||w|| for every neuron,

for a constant c with C much larger than c. Then log(d)^c theta is small: the found neurons are
still in the linear regime. With c >= 1 that asks for theta < 1/log d and more, and an accordingly
long run: at theta = 0.3 it is OUT_OF_SCOPE, and the detail says by what factor. The parts are
measured with c = 0, which the run satisfies (`--log-power 0` judges that alone).
"""

import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.watched import XorRun, phase_1_end, watch
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.theory import (
    Assumption,
    Claim,
    Evidence,
    FittedConstant,
    Kind,
    Statement,
    bound,
    high_probability,
)


@dataclass(frozen=True, kw_only=True)
class PhaseOne(XorRun):
    """The run whose phase 1 is looked at."""

    steps: int = 100
    """Steps of training."""
    log_power: float = 1.0
    """c in the threshold log(d)^c theta."""

    def __post_init__(self) -> None:
        require(self.d >= 3, "d", "at least 3", self.d)
        self.training(self.log_power)

    def training(self, c: float) -> Xor:
        """The experiment."""
        return self.xor(steps=self.steps, log_power=c)


def assumptions(config: PhaseOne) -> list[Assumption]:
    """Those of lemma C.1; C >> c is read as log(d)^c theta < 1."""
    d, theta = config.d, config.theta
    size, least = math.log(d) ** config.log_power * theta, 1 / theta**2
    ratio = config.batch_ratio
    return [
        Assumption(
            name="log(d)^c theta < 1 (C > c)",
            holds=size < 1,
            detail=f"log({d})^{config.log_power:g} {theta:g} = {size:.3g} times too large",
        ),
        Assumption(
            name="m >= d/theta^2", holds=ratio >= least, detail=f"{ratio:g} d, {least:.3g} d"
        ),
        Assumption(name="eta <= theta", holds=config.eta <= theta, detail=f"eta = {config.eta:g}"),
        Assumption(
            name="p >= 1/theta", holds=config.width >= 1 / theta, detail=f"p = {config.width}"
        ),
    ]


def statement(share: float = 0.1, norm: float = 1.0) -> Statement:
    """The lemma: `share` of the neurons at each centre, E||a w|| at most `norm`."""

    def evidence(config: PhaseOne, lab: Lab) -> Evidence:
        parts, constants = _at(config, 0.0, lab, share, norm)
        if config.log_power != 0:
            data = watch(config.training(config.log_power), lab)
            reached = phase_1_end(data, config.theta)
            label = f"c = {config.log_power:g}: phase 1 ends"
            n = int(np.isfinite(reached).sum())
            parts = [high_probability(label, n, len(lab.seeds), 1 - config.theta), *parts]
        return Evidence(parts=tuple(parts), constants=constants)

    return Statement(
        id="glasgow2023.lemma-4.1",
        title="What the network is at the end of phase 1",
        kind=Kind.HIGH_PROBABILITY,
        config=PhaseOne(),
        evidence=evidence,
        assumptions=assumptions,
        seeds=12,
        place="Lemma 4.1, section 4.1; lemma C.1, appendix C",
        references=REFERENCES,
    )


def _at(
    config: PhaseOne, c: float, lab: Lab, share: float, norm: float
) -> tuple[list[Claim], dict[str, FittedConstant]]:
    data = watch(config.training(c), lab)
    T1 = phase_1_end(data, config.theta)
    n = int(np.isfinite(T1).sum())
    told = f"c = {c:g}: "
    reached = high_probability(told + "phase 1 ends", n, len(lab.seeds), 1 - config.theta)
    if n < 2:
        return [reached], {}
    rows = []
    for i in np.flatnonzero(np.isfinite(T1)):
        one = data.isel(seed=int(i)).sel(step=int(T1[i]))
        a, w = abs(one["a"].values.astype(float)), one["norm"].values.astype(float)
        found = float(one["found"].min())
        gap = float(np.mean(w**2) - np.mean(a**2))
        rows.append([np.mean(a * w), float(one["rest"]), found, gap, np.max(a / w)])
    aw, rest, found, gap, ratio = np.array(rows, float).T
    parts = [
        reached,
        bound(told + "1. E||a w|| at T1", aw, norm),
        bound(told + "2. E||w_perp + w_opp||^2/theta^2", rest / config.theta**2, 4.0),
        bound(told + "3. least share found at a centre", found, share, side=">=", every=True),
        bound(told + "4. E||w||^2 - E a^2", gap, math.sqrt(config.eta)),
        bound(told + "4. largest |a|/||w||", ratio, 1 + 1e-6, every=True),
    ]
    constant = T1[np.isfinite(T1)] * config.eta / math.log(config.d)
    return parts, {"T1 eta/log d": FittedConstant(value=float(constant.mean()))}


STATEMENT = statement()

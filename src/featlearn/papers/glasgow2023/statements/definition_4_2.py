r"""Definition 4.2: signal-heavy networks, and how near to one a run comes (Glasgow 2023).

(zeta, H)-signal-heavy, H > 1 and zeta <= exp(-10H): there is a set S of neurons with
exp(6H)||w_perp|| + ||w_opp|| <= zeta ||w_sig||, E[1(w not in S)||w||^2] <= zeta gamma~_min,
E||w||^2 <= E a^2 + zeta H <= 2H, and |a| <= ||w|| for all neurons (see
`featlearn.measurements.signal_heavy`).

By its own constants zeta < 4.6e-5 and ||w_perp||/||w_sig|| <= zeta exp(-6H) < 1.2e-7, which no
finite run reaches; the first part says by what factor. The others measure it again with constants
that the run satisfies: the same set without exp(6H), any zeta < 1.
"""

import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.watched import XorRun, watch, zetas
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.theory import Evidence, FittedConstant, Kind, Statement, bound, reported, trend

H_PAPER = 1.01
"""The least H that the definition allows, about."""


@dataclass(frozen=True, kw_only=True)
class Run(XorRun):
    """The run that is measured."""

    d: int = 50
    batch_ratio: float = 16.0
    steps: int = 120
    """Steps of training."""

    def __post_init__(self) -> None:
        require(self.steps >= 20, "steps", "at least 20", self.steps)
        self.training()

    def training(self) -> Xor:
        """The experiment."""
        return self.xor(steps=self.steps)


def statement(largest: float = 1.0, longest: float = 1.0) -> Statement[Run]:
    """The definition: zeta below `largest`, |a| at most `longest` ||w||."""

    def evidence(config: Run, lab: Lab) -> Evidence:
        data = watch(config.training(), lab)
        half, end = config.steps // 2, config.steps
        found = np.array([zetas(data, i, [0, half, end], 0.0) for i in range(len(lab.seeds))])
        last = data.isel(step=-1)
        ratio = (abs(last["a"]) / last["norm"]).max("neuron").values.astype(float)
        square = (last["norm"].astype(float) ** 2 - last["a"].astype(float) ** 2).mean("neuron")
        zeta = found[:, -1]
        least, limit = float(zetas(data, 0, [end], H_PAPER)[0]), math.exp(-10 * H_PAPER)
        parts = (
            reported(
                f"smallest zeta at H = {H_PAPER}",
                least,
                limit,
                relation="<=",
                reason=f"the run is no signal-heavy network: {least / limit:.2g} times too large",
            ),
            bound(f"smallest zeta at step {end}, without exp(6H)", zeta, largest),
            bound("E||w||^2 - E a^2, which zeta H bounds (H = 1)", square.values, largest),
            bound("largest |a|/||w||", ratio, longest * (1 + 1e-6), every=True),
        )
        names = ("zeta at the start", f"zeta at step {half}", f"zeta at step {end}")
        means = {
            n: FittedConstant(value=float(v)) for n, v in zip(names, found.mean(0), strict=True)
        }
        shown = trend("smallest ζ, without exp(6H)", "step t", (0, half, end), found.T)
        return Evidence(
            parts=parts,
            constants=means,
            trends=(shown,),
        )

    return Statement(
        id="glasgow2023.definition-4.2",
        title="Signal-heavy networks, and how near to one a run comes",
        kind=Kind.DEFINITION,
        config=Run(),
        evidence=evidence,
        text=TEXTS["definition-4.2"],
        seeds=5,
        place="Definition 4.2, section 4.2",
        references=REFERENCES,
    )


STATEMENT = statement()

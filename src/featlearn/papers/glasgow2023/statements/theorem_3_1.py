r"""Theorem 3.1: O~(d) samples suffice (Glasgow 2023, section 3).

With theta = 1/polylog d, m >= d/theta, 1/theta <= p <= d^C, d^-C <= eta <= theta: for some t <= C
log(d)/eta the population loss is at most (log d)^-Theta(1). So m t = O~(d) samples are enough.

(The arXiv version starts from theta/sqrt p and claims o(1); ours is the ICLR version.) We take
theta = 1/log d and m = d log d, both with their least powers, and the loss to be reached is 1/log
d. The steps to it are judged against C log(d)/eta, and the samples, steps times m, against C d
log^2 d; C is fitted on the smaller d. The loss is that of held-out points; it must be reached with
probability 1 - theta, that of lemma C.1 (the theorem's 1 - d^-omega(1) is more than its proof
gives).
"""

import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.measurements import first_step
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.watched import watch
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.theory import (
    Assumption,
    Evidence,
    Kind,
    Statement,
    hidden_constant,
    high_probability,
    trend,
)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Networks of several input dimensions, each at theta = 1/log d and m = d log d."""

    d: tuple[int, ...] = (24, 48, 96, 192)
    """Input dimensions."""
    width: int = 64
    """Number of neurons (p)."""
    eta: float = 0.15
    """Step size."""
    steps: int = 140
    """Steps of training at most."""

    def __post_init__(self) -> None:
        require(len(self.d) >= 2 and min(self.d) >= 8, "d", "two dimensions of at least 8", self.d)
        self.training(min(self.d))

    def training(self, d: int) -> Xor:
        """The experiment at one dimension."""
        return Xor(
            d=d,
            width=self.width,
            theta=1 / math.log(d),
            eta=self.eta,
            steps=self.steps,
            batch=math.ceil(d * math.log(d)),
        )


def assumptions(config: Sizes) -> list[Assumption]:
    """Of every dimension at once."""
    thetas = [1 / math.log(d) for d in config.d]
    return [
        Assumption(name="m >= d/theta", holds=True, detail="m = d log d = d/theta"),
        Assumption(
            name="p >= 1/theta",
            holds=config.width >= 1 / min(thetas),
            detail=f"p = {config.width}, 1/theta = {1 / min(thetas):.3g}",
        ),
        Assumption(
            name="eta <= theta",
            holds=config.eta <= min(thetas),
            detail=f"eta = {config.eta:g}, theta = {min(thetas):.3g}",
        ),
    ]


def times(config: Sizes, lab: Lab) -> np.ndarray:
    """First step with a loss of at most 1/log d; a row a dimension, a column a seed."""
    found = []
    for d in config.d:
        data = watch(config.training(d), lab)
        reached = (data["test_loss"] <= 1 / math.log(d)).values
        found.append(first_step(reached, data["step"].values))
    return np.array(found)


def statement(log_power: float = 1.0, d_power: float = 1.0) -> Statement:
    """The theorem: t <= C log(d)^log_power/eta, samples <= C d^d_power log(d)^(1 + log_power)."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        d, t = np.array(config.d, float), times(config, lab)
        log_d, m = np.log(d), np.ceil(d * np.log(d))
        reached = int(np.isfinite(t).sum())
        surely = 1 - 1 / math.log(max(d))
        name = "loss <= 1/log d is reached"
        parts = [high_probability(name, reached, t.size, surely, of="runs")]
        times_eta, shape = t * config.eta, d**d_power * log_d ** (1 + log_power)
        parts += [
            hidden_constant("steps t* eta", d, times_eta, log_d**log_power, constant="C of t*"),
            hidden_constant(
                "samples m t* eta", d, m[:, None] * times_eta, shape, constant="C of samples"
            ),
        ]
        return Evidence(
            parts=tuple(parts),
            trends=(
                trend(
                    "samples m t*",
                    "d",
                    d,
                    t * m[:, None],
                    shape / config.eta,
                    constant="C of samples",
                ),
            ),
        )

    return Statement(
        id="glasgow2023.theorem-3.1",
        title="O~(d) samples suffice",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        assumptions=assumptions,
        seeds=5,
        place="Theorem 3.1, section 3",
        references=REFERENCES,
    )


STATEMENT = statement()

r"""Theorem 3.1: O~(d) samples suffice (Glasgow 2023, section 3).

With theta = (log d)^-C, m >= d/theta, 1/theta <= p <= d^C, d^-C <= eta <= theta: for some t <= C
log(d)/eta the population loss is at most (log d)^-Theta(1). So m t = O~(d) samples are enough.

(The arXiv version starts from theta/sqrt p and claims o(1); ours is the ICLR version.) We take C =
1 in the hypotheses, theta = 1/log d and m = d log d, and the loss to be reached is 1/log d. The
steps to it are judged against C_t log(d)/eta with a C_t of its own: the paper has one C for both,
and with C = 1 the time is not kept. Samples are m = d log d times the steps, the same number once
more, and are told, not judged. The loss is that of held-out points; it must be reached with
probability 1 - theta, that of lemma C.1 (the theorem's 1 - d^-omega(1) is more than its proof
gives).
"""

import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.measurements import first_step
from featlearn.papers.glasgow2023.hypotheses import large_d, log_power
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.watched import watch
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Statement,
    hidden_constant,
    high_probability,
    trend,
)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Networks of several input dimensions, each at theta = 1/log d and m = d log d."""

    d: tuple[int, ...] = (32, 64, 128, 320)
    """Input dimensions."""
    width: int = 32
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


def hypotheses(config: Sizes) -> list[Hypothesis]:
    """At every dimension; p <= d^C and eta >= d^-C as bounds of C by logarithms."""
    found = []
    for d in config.d:
        log_d, of = math.log(d), f", d = {d}"
        C = log_power(1 / log_d, d)
        powers = {
            "C >= log(1/theta)/log log d": C,
            "C >= log p/log d": math.log(config.width) / log_d,
            "C >= log(1/eta)/log d": -math.log(config.eta) / log_d,
        }
        found += [
            Hypothesis(
                name="C <= log(1/theta)/log log d" + of,
                value=C,
                side=">=",
                limit=1.0,
                constant="C",
            ),
            *(
                Hypothesis(name=name + of, value=value, side="<=", limit=1.0, constant="C")
                for name, value in powers.items()
            ),
            Hypothesis(
                name="m >= d/theta" + of, value=math.ceil(d * log_d), side=">=", limit=d * log_d
            ),
            Hypothesis(name="p >= 1/theta" + of, value=config.width, side=">=", limit=log_d),
            Hypothesis(name="eta <= theta" + of, value=config.eta, side="<=", limit=1 / log_d),
        ]
    return [*found, large_d(min(config.d))]


def times(config: Sizes, lab: Lab, *, frozen: bool = False) -> np.ndarray:
    """First step with a loss of at most 1/log d; a row a dimension, a column a seed."""
    found = []
    for d in config.d:
        data = watch(config.training(d), lab, frozen=frozen)
        reached = (data["test_loss"] <= 1 / math.log(d)).values
        found.append(first_step(reached, data["step"].values))
    return np.array(found)


def statement(log_power: float = 1.0, frozen: bool = False) -> Statement[Sizes]:
    """The theorem: t <= C log(d)^log_power/eta; with a `frozen` first layer it is false."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        d, t = np.array(config.d, float), times(config, lab, frozen=frozen)
        log_d, m = np.log(d), np.ceil(d * np.log(d))
        reached = int(np.isfinite(t).sum())
        surely = 1 - 1 / math.log(max(d))
        name = "loss <= 1/log d is reached"
        shape = log_d**log_power
        most = float(np.max(m[:, None] * t * config.eta / (d * log_d**2)[:, None]))
        return Evidence(
            parts=(
                high_probability(name, reached, t.size, surely, of="runs"),
                hidden_constant("steps t* eta", d, t * config.eta, shape, constant="C_t"),
            ),
            constants={"most samples m t* eta/(d log^2 d)": FittedConstant(value=most)},
            trends=(
                trend(
                    "samples m t*",
                    "d",
                    d,
                    t * m[:, None],
                    m * shape / config.eta,
                    constant="C_t",
                ),
            ),
        )

    return Statement(
        id="glasgow2023.theorem-3.1",
        title="O~(d) samples suffice",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["theorem-3.1"],
        control=Control("the first layer is frozen", lambda: statement(frozen=True)),
        seeds=5,
        place="Theorem 3.1, section 3",
        references=REFERENCES,
    )


STATEMENT = statement()

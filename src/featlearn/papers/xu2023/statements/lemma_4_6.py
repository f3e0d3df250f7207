r"""Lemma 4.6: sum_j a_j relu(a_j b_j) -> b/2 as m grows, b = E b_j, a_j = ±1/sqrt m (section
4.2.1).

Corrected: the b_j are independent and alike. As printed they only share a mean, and the lemma is
false: for b_j = B, one coin for all with B = ±1, b = 0 and the sum tends to B/2, never to 0. The
smallest case has m = 1: the sum is B or 0, each with probability 1/2.

Judged for three laws of b_j with mean b and sd s. The sum is a mean of m independent terms m a_j
relu(a_j b_j) with mean b/2 and variance v = s^2/2 + b^2/4 (lemma A.14), so z = (sum - b/2)
sqrt(m/v) must have mean 0, and mean square 1, at every m.
"""

from dataclasses import dataclass, replace

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.setting import REFERENCES
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.results.statistics import standard_error
from featlearn.theory import (
    Claim,
    Control,
    Evidence,
    Kind,
    Reading,
    Statement,
    identity,
    sampled_identity,
)

LAWS = {"normal": (1.0, 2.0), "uniform": (0.5, 1 / np.sqrt(12)), "exponential": (1.0, 1.0)}
"""Mean and standard deviation of each."""


@dataclass(frozen=True, kw_only=True)
class ManyTerms:
    """Sums of m terms, drawn many times."""

    terms: int = 1000
    """m."""
    trials: int = 2000
    """Independent sums for each seed."""
    shared: bool = False
    """One b for all terms, as the printed lemma allows."""

    def __post_init__(self) -> None:
        require(self.terms >= 1, "terms", "at least 1", self.terms)
        require(self.trials >= 2, "trials", "at least 2", self.trials)


def sums(law: str, config: ManyTerms, seed: int) -> np.ndarray:
    """`trials` sums of the lemma."""
    rng = generator(seed, f"sums of {law}")
    mean, sd = LAWS[law]
    shape = (config.trials, 1 if config.shared else config.terms)
    if law == "normal":
        b = rng.normal(mean, sd, shape)
    else:
        b = rng.uniform(size=shape) if law == "uniform" else rng.exponential(size=shape)
    sign = np.where(rng.random((config.trials, config.terms)) < 0.5, -1.0, 1.0)
    total: np.ndarray = (sign * np.maximum(sign * b, 0)).sum(axis=1) / config.terms
    return total


def statement(share: float = 0.5) -> Statement[ManyTerms]:
    """The lemma; another share of b is another claim."""

    def evidence(config: ManyTerms, lab: Lab) -> Evidence:
        means, squares = [], []
        for law, (b, sd) in LAWS.items():
            scale = np.sqrt((sd**2 / 2 + b**2 / 4) / config.terms)
            z = np.array([(sums(law, config, seed) - share * b) / scale for seed in lab.seeds])
            means.append(z.mean(axis=1))
            squares.append((z**2).mean(axis=1))
        parts = [
            _part("mean of z = (sum - b/2)/sd", np.array(means), 0.0, scale=1.0),
            _part("mean of z^2: the spread falls like 1/sqrt m", np.array(squares), 1.0),
        ]
        parts = [part.under(Reading.CORRECTED) for part in parts]
        printed = identity(
            f"as printed, b_j = B = ±1 for all j: E(sum - b/2)^2 at m = {config.terms}",
            0.25 + 0.25 / config.terms,
            0.0,
            tolerance=0.01,
            scale=1.0,
        )
        why = "b = 0, and the sum is B times the share of terms with a_j B > 0: B/2 in the limit"
        parts.append(printed.noted(why).under(Reading.PRINTED))
        return Evidence(parts=tuple(parts))

    return Statement(
        id="xu2023.lemma-4.6",
        title="A sum of a relu(a b) over independent b tends to half the mean of b",
        kind=Kind.IDENTITY,
        config=ManyTerms(),
        evidence=evidence,
        text=TEXTS["lemma-4.6"],
        control=Control(
            "one b for all terms, as the printed lemma allows",
            lambda: replace(statement(), config=ManyTerms(shared=True)),
        ),
        seeds=20,
        place="Lemma 4.6, section 4.2.1; independence of the b_j added",
        references=REFERENCES,
    )


def _part(name: str, values: np.ndarray, predicted: float, scale: float = 0.0) -> Claim:
    """One number a law and seed, against a constant."""
    stderr = np.array([standard_error(row) for row in values])
    return sampled_identity(
        name,
        values.mean(axis=1),
        stderr,
        predicted,
        resolve=0.1,
        scale=scale,
        freedom=max(values.shape[1] - 1, 1),
    )


STATEMENT = statement()

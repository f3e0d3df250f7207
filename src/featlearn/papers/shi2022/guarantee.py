"""What theorems 1 and 34 share: hypotheses with every constant read as 1, and a trained network.

    m >= max(k^12 / eps^(3/2), D)        k >= log²(D/(delta gamma))        p_o >= k²/D
    loss <= C (k^8/m^(2/3) + k³ T/m² + k² m^(2/3)/T)

The constants in Omega() are not given. Read as 1 the hypotheses ask for 10^8 neurons at k = 5, and
the explicit bound is thousands where the loss of the zero function is 1: out of scope at any size
that can be run. The loss is measured all the same.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.patterns import PARITY
from featlearn.theory import Assumption, Claim, bound

DELTA = 0.05


@dataclass(frozen=True, kw_only=True)
class Trained:
    """A network that is trained on parity; every seed is one."""

    dictionary: int = 50
    """Number of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    width: int = 300
    """Neurons (the paper's 2m)."""
    samples: int = 20_000
    """Points they are trained on."""
    steps: int = 600
    """Steps (T)."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.dictionary, "k", "1 to dictionary", self.k)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(self.samples >= 1000, "samples", "at least 1000", self.samples)
        require(self.steps >= 2, "steps", "at least 2", self.steps)

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of the experiment."""
        return {
            "d": self.dictionary,
            "dictionary": self.dictionary,
            "k": self.k,
            "width": self.width,
            "samples": self.samples,
            "steps": self.steps,
            "records": 2,
        }


@dataclass(frozen=True, kw_only=True)
class Guaranteed(Trained):
    """One that is to reach a small loss."""

    eps: float = 0.05
    """The loss to reach."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(0 < self.eps < 1, "eps", "between 0 and 1", self.eps)


def hypotheses(k: int, D: int, m: float, p_o: float, gamma: float, eps: float) -> list[Assumption]:
    """The conditions of theorem 1, every hidden constant read as 1."""
    needed = max(k**12 / eps**1.5, D)
    log = math.log(D / (DELTA * gamma)) ** 2
    return [
        Assumption(
            name="m >= max(k^12/eps^(3/2), D)",
            holds=m >= needed,
            detail=f"m = {m:g}, needed {needed:.3g} with constant 1",
        ),
        Assumption(
            name="k >= log²(D/(delta gamma))",
            holds=k >= log,
            detail=f"k = {k}, log² = {log:.3g}, delta = {DELTA}",
        ),
        Assumption(name="p_o >= k²/D", holds=p_o >= k**2 / D, detail=f"{p_o:g}, {k**2 / D:.3g}"),
    ]


def explicit_bound(k: int, m: float, T: int) -> float:
    """k^8/m^(2/3) + k³ T/m² + k² m^(2/3)/T, of theorem 26, constant 1."""
    return k**8 / m ** (2 / 3) + k**3 * T / m**2 + k**2 * m ** (2 / 3) / T


def trained_loss(changes: dict[str, Any], eps: float, lab: Lab) -> list[Claim]:
    """Held-out hinge loss and error of a network trained by the practical recipe, against eps."""
    config = replace(PARITY.config, **changes)
    result = lab.run(replace(PARITY, config=config))
    losses = np.array(result.summary["test_loss"].values, float)
    errors = 1 - np.array(result.summary["test_accuracy"].values, float)
    limit = explicit_bound(config.k, config.width / 2, config.steps)
    return [
        bound(f"hinge loss after {config.steps} practical steps", losses, eps),
        bound("its error", errors, eps),
        bound(
            "hinge loss against the explicit bound, constant 1", losses, limit, vacuous=limit >= 1
        ),
    ]

"""What theorems 1 and 34 share: their hypotheses, and a trained network.

    m >= max(c_m k^12 / eps^(3/2), D)     k >= c_k log²(D/(delta gamma))     p_o >= c_p k²/D
    loss <= C (k^8/m^(2/3) + k³ T/m² + k² m^(2/3)/T)

The constants are not given: at k = 5 and m = 150 the first allows c_m up to 7e-9. What puts a run
out of scope is its recipe: the theorem fixes start and step sizes, and the practical ones, by which
networks of this size learn, are others. With `--recipe literal` they are the theorem's, and the
verdict is OPEN. With constant 1 the explicit bound is thousands; the zero function has loss 1.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.patterns import PARITY
from featlearn.theory import Claim, Hypothesis, Reading, bound

DELTA = 0.05
SMALLEST = 1e-12
"""In the place of a gamma of 0, as that of an even k, in a logarithm."""


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
    recipe: Literal["practical", "literal"] = "practical"
    """Step sizes: the ones that work, or those of theorem 26."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(0 < self.eps < 1, "eps", "between 0 and 1", self.eps)

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of the experiment."""
        return {**super().changes, "recipe": self.recipe}


def hypotheses(sizes: Guaranteed, gamma: float, inside: float, smallest: int) -> list[Hypothesis]:
    """What theorems 1 and 34 have in common.

    Args:
        sizes: the network.
        gamma: Cov(y, phi~_i), which enters the logarithm.
        inside: what stands in the logarithm beside 1/(delta gamma).
        smallest: the least m that is asked for by name: D, or the larger of D and d.
    """
    k, m = sizes.k, sizes.width / 2
    return [
        Hypothesis(
            name="m >= c_m k^12/eps^(3/2)",
            value=m,
            side=">=",
            limit=k**12 / sizes.eps**1.5,
            constant="c_m",
        ),
        Hypothesis(name="m as large as the dimensions", value=m, side=">=", limit=smallest),
        Hypothesis(
            name="k >= c_k log²",
            value=k,
            side=">=",
            limit=math.log(inside / (DELTA * max(gamma, SMALLEST))) ** 2,
            constant="c_k",
            note=f"delta = {DELTA}",
        ),
        Hypothesis.condition(
            "the theorem's start and step sizes",
            sizes.recipe == "literal",
            "the practical recipe has eta2 and sd(b) ten times as large, and a larger later step",
        ),
        Hypothesis(
            name="|b0| <= |b*|: 2/k² <= 1/(32k)",
            value=k,
            side=">=",
            limit=64,
            note="by lemma 23's construction",
            readings=(Reading.PROOF,),
        ),
    ]


def explicit_bound(k: int, m: float, T: int) -> float:
    """k^8/m^(2/3) + k³ T/m² + k² m^(2/3)/T, of theorem 26, constant 1."""
    return k**8 / m ** (2 / 3) + k**3 * T / m**2 + k**2 * m ** (2 / 3) / T


def trained_loss(changes: dict[str, Any], eps: float, lab: Lab) -> list[Claim]:
    """Held-out hinge loss and error of a trained network, against eps."""
    config = replace(PARITY.config, **changes)
    result = lab.run(replace(PARITY, config=config))
    losses = np.array(result.summary["test_loss"].values, float)
    errors = 1 - np.array(result.summary["test_accuracy"].values, float)
    limit = explicit_bound(config.k, config.width / 2, config.steps)
    return [
        bound(f"hinge loss after {config.steps} {config.recipe} steps", losses, eps),
        bound("its error", errors, eps),
        bound(
            "hinge loss against the explicit bound, constant 1", losses, limit, vacuous=limit >= 1
        ),
    ]

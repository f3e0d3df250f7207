r"""Lemma A.14: variance and third moment of a relu(a g), a = ±1 a fair coin independent of g
(appendix A.6).

    Var(a relu(a g)) = 1/2 Var g + 1/4 (E g)^2     (in the proof)
    max(1/2 Var g, 1/4 (E g)^2)  <=  Var(a relu(a g))  <=  max(Var g, 1/2 (E g)^2)
    E |a relu(a g) - E g/2|^3  <=  32 max(E |g - E g|^3, |E g|^3)

Judged on random laws of g with finitely many values, where every moment is a sum; a fifth of them
have two values, which is where the bounds are nearest.
"""

from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.setting import REFERENCES
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound, identity


@dataclass(frozen=True, kw_only=True)
class RandomLaws:
    """Laws with finitely many values."""

    laws: int = 1000
    """How many for each seed."""
    values: int = 5
    """Values of a law; a fifth of the laws have two."""

    def __post_init__(self) -> None:
        require(self.laws >= 1, "laws", "at least 1", self.laws)
        require(self.values >= 2, "values", "at least 2", self.values)


def moments(config: RandomLaws, seed: int) -> dict[str, np.ndarray]:
    """The moments of every law: those of g, and those of a relu(a g)."""
    rng = generator(seed, "laws")
    g = rng.normal(size=(config.laws, config.values)) + 3 * rng.normal(size=(config.laws, 1))
    weights = rng.dirichlet(np.ones(config.values), size=config.laws)
    two = np.arange(config.laws) % 5 == 0
    weights[two, 2:] = 0
    weights /= weights.sum(axis=1, keepdims=True)
    outcomes = np.concatenate([np.maximum(g, 0), -np.maximum(-g, 0)], axis=1)
    halves = np.concatenate([weights, weights], axis=1) / 2
    mean, half = (weights * g).sum(axis=1), (halves * outcomes).sum(axis=1)
    return {
        "mean": mean,
        "variance": (weights * (g - mean[:, None]) ** 2).sum(axis=1),
        "third": (weights * np.abs(g - mean[:, None]) ** 3).sum(axis=1),
        "folded mean": half,
        "folded variance": (halves * (outcomes - half[:, None]) ** 2).sum(axis=1),
        "folded third": (halves * np.abs(outcomes - half[:, None]) ** 3).sum(axis=1),
    }


def statement(
    quarter: float = 0.25, upper: float = 0.5, third: float = 32.0
) -> Statement[RandomLaws]:
    """The lemma; other numbers are other claims.

    Args:
        quarter: of (E g)^2 in the variance.
        upper: of (E g)^2 in the upper bound.
        third: the factor of the third moment.
    """

    def evidence(config: RandomLaws, lab: Lab) -> Evidence:
        found, laws = [moments(config, seed) for seed in lab.seeds], config.laws
        every = {name: np.concatenate([each[name] for each in found]) for name in found[0]}
        variance, square = every["variance"], every["mean"] ** 2
        low = [
            np.min(m["folded variance"] - np.maximum(m["variance"] / 2, m["mean"] ** 2 / 4))
            for m in found
        ]
        high = [
            np.max(m["folded variance"] / np.maximum(m["variance"], upper * m["mean"] ** 2))
            for m in found
        ]
        three = [
            np.max(m["folded third"] / np.maximum(m["third"], np.abs(m["mean"]) ** 3))
            for m in found
        ]
        return Evidence(
            parts=(
                identity(
                    "E a relu(a g) = E g/2",
                    every["folded mean"],
                    every["mean"] / 2,
                    tolerance=1e-12,
                    scale=1.0,
                ),
                identity(
                    "Var(a relu(a g)) = Var g/2 + (E g)^2/4",
                    every["folded variance"],
                    variance / 2 + quarter * square,
                    tolerance=1e-12,
                    scale=1.0,
                ),
                bound(
                    "variance less its lower bound",
                    np.array(low),
                    -1e-12,
                    side=">=",
                    every=True,
                    instances=laws,
                ),
                *(
                    bound(name, np.array(values), limit, every=True, instances=laws)
                    for name, values, limit in (
                        ("variance over its upper bound", high, 1 + 1e-12),
                        ("third moment over max(…)", three, third),
                    )
                ),
            )
        )

    return Statement(
        id="xu2023.lemma-A.14",
        title="Variance and third moment of a relu(a g) for a fair sign a",
        kind=Kind.BOUND,
        config=RandomLaws(),
        evidence=evidence,
        text=TEXTS["lemma-A.14"],
        control=Control(
            "a larger share of (E g)^2 in the variance", lambda: statement(quarter=0.26)
        ),
        seeds=20,
        place="Lemma A.14, appendix A.6",
        references=REFERENCES,
    )


STATEMENT = statement()

r"""Lemma 23: on the features after two steps there is a classifier with zero loss.

    there are a~_i with  g~(x) = sum_i a~_i s(w_i2.x + b_i2),  E max(1 - y g~(x), 0) = 0.

The printed construction matches every neuron of lemma 5's network by one of the network whose bias
is larger, a~ = 2 a* |b*|/(|b0| n_a), and needs |b0| <= |b*|, that is k >= 64. At k = 5 the
classifier is found instead: least squares on a sample of the features of a network trained for two
steps, scaled to margin 1, and judged on fresh points. Features that separate give zero loss there.

Two recipes: with the printed sd(b) = 1/k² and eta2 = 1, and with both ten times as large.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.convex import hidden_features
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.theory import Claim, Kind, Statement, bound

RECIPES: tuple[Literal["literal", "practical"], ...] = ("literal", "practical")
RIDGE = 1e-10
"""Relative to the largest singular value, squared: least squares of nearly equal features."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The networks whose features are judged; every seed is one."""

    width: int = 300
    """Neurons, in mirrored pairs (the paper's 2m)."""
    dictionary: int = 30
    """Number of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    samples: int = 20_000
    """Points of the two steps."""
    fitted: int = 1500
    """Points that the classifier is fitted on."""
    judged: int = 5000
    """Fresh points that it is judged on."""

    def __post_init__(self) -> None:
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(1 <= self.k < self.dictionary, "k", "less than dictionary", self.k)
        require(self.samples >= 100, "samples", "at least 100", self.samples)
        require(self.fitted > self.width, "fitted", f"more than width = {self.width}", self.fitted)
        require(self.judged >= 100, "judged", "at least 100", self.judged)


def zero_loss(
    config: PatternTraining, sizes: Sizes, seed: int, step: int = 2
) -> Float[np.ndarray, "2"]:
    """Hinge loss of the classifier on fresh points, and its share of errors there."""
    law, params = config.experiment().law, early_weights(config, seed)[step]
    fitted = law.sample(sizes.fitted, key=stream(seed, "lemma-23 fit"))
    judged = law.sample(sizes.judged, key=stream(seed, "lemma-23 judge"))
    H, fresh = (hidden_features(config, params, each.x) for each in (fitted, judged))
    y, y_fresh = np.asarray(fitted.y, float), np.asarray(judged.y, float)
    mean, sd = H.mean(axis=0), H.std(axis=0)
    used = sd > 0
    standard = [
        np.column_stack([(F - mean)[:, used] / sd[used], np.ones(len(F))]) for F in (H, fresh)
    ]
    U, s, Vt = np.linalg.svd(standard[0], full_matrices=False)
    a = Vt.T @ (s / (s**2 + RIDGE * s[0] ** 2) * (U.T @ y))
    margin, margin_fresh = y * (standard[0] @ a), y_fresh * (standard[1] @ a)
    least = margin.min()
    scaled = margin_fresh / least if least > 0 else margin_fresh
    # Fresh points fall between the fitted ones: half the least fitted margin is asked of them.
    loss = np.maximum(1 - 2 * scaled, 0).mean()
    return np.array([loss, np.mean(margin_fresh <= 0)])


Judge = Callable[[PatternTraining, Sizes, int], Float[np.ndarray, "2"]]


def statement(judge: Judge = zero_loss) -> Statement:
    """The lemma; features of another step are another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        plain = PatternTraining(
            d=sizes.dictionary,
            dictionary=sizes.dictionary,
            k=sizes.k,
            width=sizes.width,
            samples=sizes.samples,
        )
        parts = []
        for recipe in RECIPES:
            config = replace(plain, recipe=recipe)
            found = np.array([judge(config, sizes, seed) for seed in lab.seeds])
            for place, name in enumerate(("hinge loss", "error")):
                parts.append(bound(f"{name}, {recipe} steps", found[:, place], 1e-6))
        return parts

    return Statement(
        id="shi2022.lemma-23",
        title="A classifier with zero loss exists on the features after two steps",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        seeds=3,
        place="Lemma 23, appendix B.5",
        references=("shi2022",),
    )


STATEMENT = statement()

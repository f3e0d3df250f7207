r"""Lemma 23: on the features after two steps there is a classifier with zero loss.

    there are a~_i with  g~(x) = sum_i a~_i s(w_i2.x + b_i2),  E max(1 - y g~(x), 0) = 0.

The printed construction matches every neuron of lemma 5's network by one of the network whose bias
is larger, a~ = 2 a* |b*|/(|b0| n_a), and needs |b0| <= |b*|, that is k >= 64. At k = 5 the
classifier is found instead: least squares on a sample of the features of a network trained for two
steps, scaled to margin 1, and judged on fresh points. Features that separate give zero loss there.

Two recipes: with the printed sd(b) = 1/k² and eta2 = 1, and with both ten times as large. (The
first has the eta1 and sigma_xi of theorem 26, which uses this lemma.)

Existence is certified where the whole population can be written down: `listed` patterns, all 2^D
points, no intercept. The norms that the lemma claims of a~, and those of a2, w2, b2, are
told there as the constants that they would need. Those of a2, w2 and b2 are judged as well: after
the population's two steps with the lemma's own eta1 and sigma_xi, as m grows from 10 to 160.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.convex import hidden_features
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.second_step import DELTA, bounded, draws
from featlearn.papers.shi2022.second_step import Sizes as Widths
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.papers.shi2022.two_steps import TwoSteps
from featlearn.theory import (
    Claim,
    Control,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Reading,
    Statement,
    bound,
    exact_bound,
    spread,
)

RECIPES: tuple[Literal["literal", "practical"], ...] = ("literal", "practical")
RIDGE = 1e-10
"""Relative to the largest singular value, squared: least squares of nearly equal features."""
DRAWS = 16
"""Draws of neurons a seed for the sizes of a2, w2 and b2."""
LEAST = 1e-6
"""A least margin above rounding, where the labels are ±1; smaller ones are not scaled up."""


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
    listed: int = 12
    """Number of patterns of the population of which every point is written down."""

    def __post_init__(self) -> None:
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(1 <= self.k < self.dictionary, "k", "less than dictionary", self.k)
        require(self.samples >= 100, "samples", "at least 100", self.samples)
        require(self.fitted > self.width, "fitted", f"more than width = {self.width}", self.fitted)
        require(self.judged >= 100, "judged", "at least 100", self.judged)
        require(self.k < self.listed <= 16, "listed", f"{self.k + 1} to 16", self.listed)


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


def certificate(config: PatternTraining, seed: int, step: int = 2) -> dict[str, float]:
    """Least squares on all points of the population: its hinge loss, and the lemma's norms.

    The read-out is that of the lemma, sum_i a~_i s(w_i.x + b_i) without a constant, scaled to
    margin 1. If its hinge loss is 0, there is one with zero loss.
    """
    law, params = config.experiment().law, early_weights(config, seed)[step]
    k, m, sd = config.k, config.width / 2, float(law.truth.input_sd)
    phi = np.array(list(itertools.product([0.0, 1.0], repeat=config.dictionary)))
    y = law.truth.labels[phi[:, :k].sum(axis=1).astype(int)]
    H = hidden_features(config, params, law.normalised(jnp.asarray(phi)))
    size = np.sqrt((H**2).mean(axis=0))
    used = size > 0
    solution = np.linalg.lstsq(H[:, used] / size[used], y, rcond=1e-12)[0]
    margins = y * ((H[:, used] / size[used]) @ solution)
    scale = max(float(margins.min()), LEAST)
    a = solution / size[used] / scale
    w2, a2, b2 = (np.asarray(each, float) for each in (params.w, params.a, params.b))
    return {
        "loss": float(np.maximum(1 - margins / scale, 0).mean()),
        "C_0": float((a != 0).sum()) * k / m,
        "C_inf": float(np.abs(a).max()) * m / k**5,
        "C_2": float((a**2).sum()) * m / k**9,
        "C_a": float(np.abs(a2).max()) * k * m**2,
        "C_w": float(np.linalg.norm(w2, axis=1).max()) * k / sd,
        "C_b": float(np.abs(b2).max()) * k**2,
    }


def final_sizes(seeds: Sequence[int]) -> list[Claim]:
    """Sizes of a2, w2 and b2 after the population's two steps, against their orders in m."""
    widths = Widths(m=(10, 40, 160), dictionary=20, neurons=3)
    drawn = draws(widths, [DRAWS * seed + each for seed in seeds for each in range(DRAWS)])
    k = widths.k

    def a1(steps: TwoSteps) -> Float[np.ndarray, " neurons"]:
        return steps.a + steps.eta1 * steps.one.T_a

    def of_w(steps: TwoSteps, m: int) -> Float[np.ndarray, " neurons"]:
        return np.abs(a1(steps)) * np.linalg.norm(steps.two.T, axis=1) * k / steps.sd

    def of_b(steps: TwoSteps, m: int) -> Float[np.ndarray, " neurons"]:
        return np.abs(steps.b_after + a1(steps) * steps.two.T_b) * k**2

    def of_a(steps: TwoSteps, m: int) -> Float[np.ndarray, " neurons"]:
        return np.abs(steps.two.T_a) * k * m**2

    ratios = {"|a2| over 1/(k m²)": ("C_a", of_a), "|w2| over sigma~/k": ("C_w", of_w)}
    ratios["|b2| over 1/k²"] = ("C_b", of_b)
    return [
        bounded(name, widths, drawn, ratio, constant=constant).under(Reading.RUN)
        for name, (constant, ratio) in ratios.items()
    ]


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """At the population that is sampled; gamma = 1/4 and p_o = 1/2 for the mixture."""
    k, D, m = sizes.k, sizes.dictionary, sizes.width / 2
    log = math.log(D * m / (DELTA * 0.25)) ** 2
    return [
        Hypothesis(
            name="delta <= c_delta/k³",
            value=DELTA,
            side="<=",
            limit=k**-3,
            constant=r"c_\delta",
        ),
        Hypothesis(name="p_o >= c_p k²/D", value=0.5, side=">=", limit=k**2 / D, constant="c_p"),
        Hypothesis(
            name="k >= c_k log²(Dm/(delta gamma))",
            value=k,
            side=">=",
            limit=log,
            constant="c_k",
        ),
        Hypothesis(name="m >= c_4 k^4", value=m, side=">=", limit=k**4, constant="c_4"),
        Hypothesis(name="m >= D", value=m, side=">=", limit=D),
        Hypothesis(
            name="|b0| <= |b*|: 2/k² <= 1/(32k)",
            value=k,
            side=">=",
            limit=64,
            note="the proof stretches lemma 5's neurons by |b*|/|b0|, after (250)",
            readings=(Reading.PROOF,),
        ),
    ]


Judge = Callable[[PatternTraining, Sizes, int], Float[np.ndarray, "2"]]


def statement(judge: Judge = zero_loss, step: int = 2) -> Statement[Sizes]:
    """The lemma; features of another step are another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        plain = PatternTraining(
            d=sizes.dictionary,
            dictionary=sizes.dictionary,
            k=sizes.k,
            width=sizes.width,
            samples=sizes.samples,
        )
        parts = []
        constants: dict[str, FittedConstant] = {}
        for recipe in RECIPES:
            config = replace(plain, recipe=recipe)
            found = np.array([judge(config, sizes, seed) for seed in lab.seeds])
            for place, name in enumerate(("hinge loss", "error")):
                told, seen = f"{name}, {recipe} steps", found[:, place]
                parts.append(bound(told, seen, 0.0, every=True, instances=sizes.judged))
            small = replace(config, d=sizes.listed, dictionary=sizes.listed)
            exact = [certificate(small, seed, step) for seed in lab.seeds]
            parts.append(
                exact_bound(
                    f"hinge loss over all 2^{sizes.listed} points, {recipe} steps",
                    max(each["loss"] for each in exact),
                    0.0,
                    why=f"for {len(exact)} networks",
                )
            )
            constants |= {
                f"{name}, {recipe} steps": spread([each[name] for each in exact])
                for name in exact[0]
                if name != "loss"
            }
        return Evidence(parts=(*parts, *final_sizes(lab.seeds)), constants=constants)

    return Statement(
        id="shi2022.lemma-23",
        title="A classifier with zero loss exists on the features after two steps",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-23"],
        control=Control(
            "the features of the start, before any step",
            lambda: statement(lambda c, s, seed: zero_loss(c, s, seed, step=0), step=0),
        ),
        seeds=3,
        place="Lemma 23, appendix B.5",
        references=("shi2022",),
    )


STATEMENT = statement()

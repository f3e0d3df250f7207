r"""Lemma B.13: what one step can do to a neuron (Glasgow 2023, appendix B.2).

    S1   ||grad_w L|| <= 2 |a|               S3   |a| <= ||w||  is kept by a step of SGD
    S2   |grad_a L|   <= 2 ||w||             S4   ||w'||^2 - a'^2 <= ||w||^2 - a^2 + 4 eta^2 a^2

S1 and S2 are about the population gradient: that of a small minibatch is longer (up to 2 sqrt(d)|a|
from one point). Here it is a sum over all 2^d points; S3 and S4 are judged on minibatches of m =
d log^2 d points, the least that the lemma allows, twenty a network. Since w.grad_w = a grad_a, S4
says exactly that ||grad_w||^2 - (grad_a)^2 <= 4 a^2 on the minibatch.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import jax
import numpy as np

from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import (
    ALONG,
    REFERENCES,
    Net,
    Small,
    minibatch,
    networks,
    worst,
)
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Hypothesis, Kind, Statement, bound

BATCHES = 20


@dataclass(frozen=True, kw_only=True)
class Stepped(Small):
    """Networks of which minibatch steps are taken."""

    batch: int | None = None
    """Points of a step; d log^2 d, the least allowed, if none is given."""

    @property
    def points(self) -> int:
        """m."""
        return least_batch(self.d) if self.batch is None else self.batch


def least_batch(d: int) -> int:
    """The least minibatch of lemmas B.12 and B.13, d log^2 d."""
    return math.ceil(d * math.log(d) ** 2)


def hypotheses(config: Stepped) -> list[Hypothesis]:
    """m >= d log^2 d and eta <= 1/4."""
    least = config.d * math.log(config.d) ** 2
    return [
        Hypothesis(name="m >= d log^2 d", value=config.points, side=">=", limit=least),
        Hypothesis(name="eta <= 1/4", value=config.eta, side="<=", limit=0.25),
    ]


def after_steps(
    config: Stepped, nets: Sequence[Net], seed: int, points: int | None = None
) -> tuple[float, float]:
    """Largest |a'|/||w'|| where |a| <= ||w||; largest growth of ||w||^2 - a^2 over eta^2 a^2.

    Minibatches have so many `points`, or m.
    """
    m = config.points if points is None else points
    ratios, growths = [], []
    key = stream(seed, "lemma-B.13")
    for place, net in enumerate(nets):
        for i in range(BATCHES):
            one = jax.random.fold_in(jax.random.fold_in(key, place), i)
            batch = minibatch(config.d, m, one)
            after, taken = net.step(config.eta, batch)
            kept = np.abs(net.a) <= net.norm * (1 + 1e-6)
            ratios.append(np.max(np.where(kept, np.abs(after.a) / after.norm, 0)))
            square = np.sum(taken.w**2, axis=1) - taken.a**2
            growths.append(np.max(square / net.a**2))
    return float(max(ratios)), float(max(growths))


def of_weights(net: Net, points: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """||grad_w L||/|a| and |grad_a L|/||w|| per neuron, over all 2^d points or over a few."""
    slopes = net.slopes["loss"]
    if points is not None:
        slopes = net.step(0.0, minibatch(net.d, points, stream(0, "lemma-B.13 few points")))[1]
    return np.linalg.norm(slopes.w, axis=1) / np.abs(net.a), np.abs(slopes.a) / net.norm


def plain(config: Stepped) -> Small:
    """The networks do not depend on the minibatch of the lemma."""
    names = ("d", "width", "theta", "eta", "batch_ratio", "steps")
    return Small(**{name: getattr(config, name) for name in names})


def statement(
    population: float = 2.0, growth: float = 4.0, points: int | None = None
) -> Statement[Stepped]:
    """The lemma with its constants; S1 and S2 hold with 1, and not with a tenth.

    With `points` all four are judged on minibatches of so many, for which they are false.
    """

    def evidence(config: Stepped, lab: Lab) -> Evidence:
        small = plain(config)
        of_w = worst(small, lab, lambda n: of_weights(n, points)[0])
        of_a = worst(small, lab, lambda n: of_weights(n, points)[1])
        each = zip(lab.each_seed(networks, config=small), lab.seeds, strict=True)
        ratio, square = np.array([after_steps(config, nets, seed, points) for nets, seed in each]).T
        rounding = 1 + 1e-6  # the start, |a| = ||w||, is drawn in float32
        return Evidence(
            parts=(
                bound(
                    "S1: largest ||grad_w L||/|a|", of_w, population, every=True, instances=ALONG
                ),
                bound(
                    "S2: largest |grad_a L|/||w||", of_a, population, every=True, instances=ALONG
                ),
                bound(
                    "S3: largest |a'|/||w'|| after a step",
                    ratio,
                    rounding,
                    every=True,
                    instances=BATCHES * ALONG,
                ),
                bound(
                    "S4: largest growth over eta^2 a^2",
                    square,
                    growth,
                    every=True,
                    instances=BATCHES * ALONG,
                ),
            )
        )

    return Statement(
        id="glasgow2023.lemma-B.13",
        title="What one step can do to a neuron",
        kind=Kind.BOUND,
        config=Stepped(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-B.13"],
        control=Control(
            "the gradient of one point in the place of all", lambda: statement(points=1)
        ),
        seeds=12,
        place="Lemma B.13, appendix B.2",
        references=REFERENCES,
    )


STATEMENT = statement()

r"""Lemma 14 (39): moments of labels and patterns, over every point of a law.

    E y = 0,  E|y| = 1,  E|phi_j| = 2 sigma_phi² sigma~ outside A,
    E[y phi_j] = gamma/sigma~ in A,  E|y phi_j| <= 1/sigma~ everywhere.

Lemma 39 has alpha_y y for y, alpha_v = 1/(2 P(y=v)), and its own gamma = (E[phi~|1] -
E[phi~|-1])/2, so that nothing is asked of the classes. The left sides are sums over all 2^D points;
gamma, sigma~ and sigma_phi² are those that the definitions give, by the table of the law.
"""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np

from featlearn._check import require
from featlearn.distributions import Patterns, independent, mixture
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Statement, exact_bound, identity

TOLERANCE = 1e-12


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The laws whose points are written down."""

    dictionary: int = 12
    """Number of patterns (the paper's D)."""
    negative: tuple[float, ...] = (0.2, 0.8, 0.95)
    """Shares of the class -1 in lemma 39."""

    def __post_init__(self) -> None:
        require(7 <= self.dictionary <= 16, "dictionary", "7 to 16", self.dictionary)
        inside = all(0 < share < 1 for share in self.negative)
        require(inside, "negative", "shares between 0 and 1", self.negative)


def laws(sizes: Sizes) -> list[Patterns]:
    """Mixtures at p_o = 1/2 and independent patterns with rare backgrounds, classes balanced."""
    D = sizes.dictionary
    found = [mixture(d=D, dictionary=D, k=k) for k in (3, 5)]
    rare = ((3, 0.5, 0.1, (2, 3)), (5, 0.6, 0.3, (4, 5)), (4, 0.3, 0.05, (2, 3)))
    for k, p_a, p_o, positive in rare:
        law = independent(d=D, dictionary=D, k=k, p_a=p_a, p_o=p_o, positive=positive)
        found.append(law.with_negative_share(0.5))
    return found


def weighted(law: Patterns) -> tuple[float, float]:
    """1/(2 P(y = v)) for v = -1, +1."""
    return law.truth.class_weights


def plain(law: Patterns) -> tuple[float, float]:
    """No weights: those of lemma 14, and a control of lemma 39."""
    return 1.0, 1.0


Weights = Callable[[Patterns], tuple[float, float]]


def statement(weights: Weights = weighted, *, gamma_factor: float = 1.0) -> Statement[Sizes]:
    """The lemmas; other weights of the classes, or another gamma, are another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        balanced = laws(sizes)
        other = [law.with_negative_share(n) for law in balanced for n in sizes.negative]
        return [
            *_parts("lemma 14", balanced, plain, gamma_factor),
            *_parts("lemma 39", other, weights, gamma_factor),
        ]

    return Statement(
        id="shi2022.lemma-14",
        title="Moments of labels and patterns",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        hypotheses=_hypotheses,
        text=TEXTS["lemma-14"],
        control=Control("lemma 39 without the weights of its classes", lambda: statement(plain)),
        seeds=1,
        place="Lemma 14, appendix B.3; lemma 39, appendix F.6",
        references=("shi2022",),
    )


def _hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """A0 to A2 of the laws of lemma 14; those of lemma 39 are the same with other classes."""
    truths = [law.truth for law in laws(sizes)]
    balanced = all(abs(each.positive_share - 0.5) < TOLERANCE for each in truths)
    return [
        Hypothesis.condition("A0: the classes balance", balanced),
        Hypothesis.condition("A1: gamma > 0", all(each.label_covariance > 0 for each in truths)),
        Hypothesis.condition("A2", all(each.background_independent for each in truths)),
    ]


def _parts(
    name: str, each_law: list[Patterns], weights: Weights, gamma_factor: float
) -> list[Claim]:
    """The five conclusions, over all laws."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    largest = 0.0
    for law in each_law:
        truth, k, alpha = law.truth, law.k, weights(law)
        sd, p = float(truth.input_sd), truth.background_rate
        with jax.enable_x64(True):
            points = law.support()
            phi, y, mass = (np.asarray(each, float) for each in (points.x, points.y, points.weight))
        signed = mass * np.where(y > 0, alpha[1], alpha[0]) * y
        size = np.abs(signed) @ np.abs(phi)
        gamma = gamma_factor * truth.label_contrast
        found = {
            "E y = 0": [(float(signed.sum()), 0.0)],
            "E|y| = 1": [(float(np.abs(signed).sum()), 1.0)],
            "E|phi_j| = 2 sigma_phi² sigma~, j outside A": [
                (float(each), 2 * p * (1 - p) / sd) for each in mass @ np.abs(phi[:, k:])
            ],
            "E[y phi_j] = gamma/sigma~, j in A": [
                (float(each), gamma / sd) for each in signed @ phi[:, :k]
            ],
        }
        for told, cases in found.items():
            pairs.setdefault(told, []).extend(cases)
        largest = max(largest, float(size.max()) * sd)
    parts = [
        identity(
            f"{told}, {name}",
            *(np.array([case[i] for case in cases]) for i in (0, 1)),
            tolerance=TOLERANCE,
            scale=1.0 if "= 0" in told else 0.0,
        )
        for told, cases in pairs.items()
    ]
    return [*parts, exact_bound(f"sigma~ E|y phi_j|, all j, {name}", largest, 1.0)]


STATEMENT = statement()

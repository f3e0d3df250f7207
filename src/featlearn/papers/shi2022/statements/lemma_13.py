r"""Lemma 13: a few entries of phi and q do not move the law of <phi, q> much, by exact laws.

    |P(<phi, q> + nu >= b) - P(<phi_-B, q_-B> + nu >= b)|
        <= C_1 |t|/s + C_3 (sigma³ + sigma_phi² |q_-B|_3³/sigma~)/s³,      t = <phi_B, q_B> fixed,

s² = sigma_phi² |q_-B|² + sigma², nu ~ N(0, sigma²), all b; with sigma = 0 it is (29). The left side
is P(Z in [b-t, b)) of Z = <phi_-B, q_-B> + nu, and Berry and Esseen with Shevtsova's .56 twice give
C_1 = 1/sqrt(2 pi) (the proof has 2) and C_3 = 2 * .56 E|N|³ = 1.79, since E|phi|³ <= sigma_phi²/
sigma~. What is tried: equal coordinates, whose sum is binomial, so that one atom is as large as
with C_3 = .4; and many Gaussian ones, where the first term is most of the bound.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.stats import binom, norm

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.rademacher import interval_probability
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound, exact_bound

FIRST, THIRD = 0.4, 1.79
"""C_1 and C_3 of the run."""
RATES = (0.5, 0.2, 0.05)
NOISES = (0.0, 0.1, 0.5)
"""sigma over the standard deviation of <phi_-B, q_-B>."""
SHIFTS = (0.01, 0.2, 0.6)
"""t over s."""
Vector = Float[np.ndarray, " n"]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Numbers of coordinates outside B; every seed draws other vectors."""

    equal: tuple[int, ...] = (100, 1000)
    """Numbers of equal coordinates, whose sum is binomial."""
    many: int = 2000
    """Number of Gaussian coordinates; rates of 1/2, without noise."""

    def __post_init__(self) -> None:
        require(min(self.equal) >= 30, "equal", "at least 30", self.equal)
        require(self.many >= 100, "many", "at least 100", self.many)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The two terms of the bound without their constants."""

    shift: float
    cubes: float


def printed(terms: Terms) -> float:
    """The right side with the constants of the run."""
    return FIRST * terms.shift + THIRD * terms.cubes


def equal_differences(n: int) -> Iterator[tuple[float, Terms]]:
    """Largest difference over b and the terms of its bound for q = (1, …, 1), sigma~ = 1."""
    for p in RATES:
        atoms, mass = np.arange(n + 1.0), binom.pmf(np.arange(n + 1), n, p)
        sd = math.sqrt(p * (1 - p) * n)
        for noise in NOISES:
            sigma, s = noise * sd, sd * math.hypot(1, noise)
            terms = (sigma**3 + p * (1 - p) * n) / s**3
            for shift in SHIFTS:
                yield _largest(atoms, mass, sigma, shift * s), Terms(shift=shift, cubes=terms)


def many_differences(n: int, seed: int) -> Iterator[tuple[float, Terms]]:
    """The same for many Gaussian coordinates at rates of 1/2."""
    q = generator(seed, f"lemma-13 n={n}").normal(size=n)
    s = float(np.linalg.norm(q)) / 2
    cubes = float(np.sum(np.abs(q) ** 3)) / 4 / s**3
    for shift in SHIFTS:
        low = s * np.linspace(-1.0, 1.0, 41)
        chance = interval_probability(q / 2, low, low + shift * s)
        yield float(chance.max()), Terms(shift=shift, cubes=cubes)


def statement(right: Callable[[Terms], float] = printed) -> Statement[Sizes]:
    """The lemma; another `right` side is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = [
            exact_bound(f"difference over its bound, {n} equal coordinates", max(ratios), 1.0)
            for n in sizes.equal
            for ratios in (_ratios(equal_differences(n), right),)
        ]
        drawn = [_ratios(many_differences(sizes.many, seed), right) for seed in lab.seeds]
        name = f"difference over its bound, {sizes.many} Gaussian coordinates"
        worst = np.array([max(ratios) for ratios in drawn])
        return [*parts, bound(name, worst, 1.0, every=True, instances=len(drawn[0]))]

    return Statement(
        id="shi2022.lemma-13",
        title="A few entries do not move the law of <phi, q> much",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-13"],
        control=Control(
            "the bound has no term of third moments",
            lambda: statement(lambda terms: 2.0 * terms.shift),
        ),
        seeds=20,
        place="Lemma 13, appendix B.3",
        references=("shi2022",),
    )


def _ratios(found: Iterator[tuple[float, Terms]], right: Callable[[Terms], float]) -> list[float]:
    """Differences over their bounds, where the bound is below 1."""
    told = [(difference, right(terms)) for difference, terms in found]
    return [difference / limit for difference, limit in told if limit < 1]


def _largest(atoms: Vector, mass: Vector, sigma: float, t: float) -> float:
    """The largest P(Z in [b-t, b)) over b: at every atom without noise, else on a grid."""
    values, total = atoms, np.concatenate([[0.0], np.cumsum(mass)])
    if sigma == 0:
        tie = 1e-12 * float(np.abs(values).max())
        first = np.searchsorted(values, values - tie)
        last = np.searchsorted(values, values + t - tie)
        return float((total[last] - total[first]).max())
    mean, sd = float(mass @ values), math.sqrt(float(mass @ values**2) - float(mass @ values) ** 2)
    b = (mean + sd * np.linspace(-2.0, 2.0, 81))[:, None]
    inside = norm.cdf((b - values) / sigma) - norm.cdf((b - t - values) / sigma)
    return float((inside @ mass).max())


STATEMENT = statement()

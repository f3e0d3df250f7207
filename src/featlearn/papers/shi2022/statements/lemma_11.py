r"""Lemma 11: the background of a typical neuron is nearly Gaussian, and so often positive.

    S = sum_{l outside A} phi_l q_l,   s² = (D-k) sigma_phi² sigma_w²,   l = log(Dm/delta)
    P(S >= c_1 s) >= c_2 - C l^(3/2)/sqrt((D-k) sigma_phi² sigma~²)

The constants are not printed. Berry and Esseen with Shevtsova's .56 give, as E|phi|³ <= sigma_phi²
/sigma~ and |q|_3³ <= max|q| |q|² for the max and the norm of a typical neuron (lemma 9),

    |P(S >= x) - P(N >= x/sd S)| <= .56 |q|_3³/(sigma_phi sigma~ |q|³) <= 1.12 sqrt(l/(D-k))/…,

so that l^(1/2) does where l^(3/2) is printed, with c_1 = 1/4 and c_2 = 1 - Phi(sqrt 2/4). At
p_o = 1/2, as here, phi_l = ±1/(2 sigma~) and the law of S is that of a sum of signs, exactly.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.stats import norm

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.rademacher import interval_probability
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.second_step import DELTA
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Statement, bound

BERRY_ESSEEN = 0.56
START = 0.25
"""c_1 of the run."""
SHARE = float(norm.sf(math.sqrt(2) * START))
"""c_2 of the run: a typical neuron has sd S >= s/sqrt 2."""
GRID = np.linspace(-2.0, 2.0, 41)
"""Thresholds over the standard deviation of S at which the law is compared."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Typical neurons; every seed draws some at each D."""

    dictionary: tuple[int, ...] = (200, 600, 2000)
    """Numbers of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns."""
    m: int = 300
    """Half the width, which enters by its logarithm."""
    neurons: int = 4
    """Neurons a seed."""

    def __post_init__(self) -> None:
        require(min(self.dictionary) > self.k >= 1, "dictionary", "more than k", self.dictionary)
        require(self.m >= 1 and self.neurons >= 1, "m and neurons", "at least 1", self.neurons)


Variance = Callable[[Float[np.ndarray, " background"]], float]


def squared_norm(q: Float[np.ndarray, " background"]) -> float:
    """4 sigma~² times the variance of S, of a neuron of weights q."""
    return float(q @ q)


def statement(variance: Variance = squared_norm, share: float = SHARE) -> Statement[Sizes]:
    """The lemma; another variance of the Gaussian or another c_2 (`share`) is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        apart, least = [], []
        for seed in lab.seeds:
            worst, short = [], []
            for D in sizes.dictionary:
                rng, n = generator(seed, f"lemma-11 D={D}"), D - sizes.k
                for q in _typical(rng, n, D * sizes.m / DELTA, sizes.neurons):
                    sd = math.sqrt(variance(q))
                    x = np.append(GRID * sd, START * math.sqrt(n))
                    above = interval_probability(q, x, np.full(len(x), np.inf))
                    cube = float(np.sum(np.abs(q) ** 3)) / float(q @ q) ** 1.5
                    worst.append(np.abs(above - norm.sf(x / sd)).max() / cube)
                    short.append(above[-1] / (share - berry_esseen_gap(D, sizes)))
            apart.append(max(worst))
            least.append(min(short))
        many = sizes.neurons * len(sizes.dictionary)
        near, often = np.array(apart), np.array(least)
        name, floor = "|P(S >= x) - Gaussian| over |q|_3³/|q|³", "P(S >= s/4) over its floor"
        return [
            bound(name, near, BERRY_ESSEEN, every=True, instances=many),
            bound(floor, often, 1.0, side=">=", every=True, instances=many),
        ]

    return Statement(
        id="shi2022.lemma-11",
        title="The background of a typical neuron is positive with a constant probability",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=_hypotheses,
        text=TEXTS["lemma-11"],
        control=Control(
            "the Gaussian has a quarter of the variance",
            lambda: statement(lambda q: float(q @ q) / 4),
        ),
        seeds=8,
        place="Lemma 11, appendix B.2",
        references=("shi2022",),
    )


def _hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """The floor must say something at the smallest D."""
    gap = berry_esseen_gap(min(sizes.dictionary), sizes)
    return [Hypothesis(name="the floor is positive at every D", value=SHARE, side=">=", limit=gap)]


def berry_esseen_gap(D: int, sizes: Sizes) -> float:
    """1.12 sqrt(log(Dm/delta)/(D-k)), by which the law of S may be off a Gaussian."""
    return 2 * BERRY_ESSEEN * math.sqrt(math.log(D * sizes.m / DELTA) / (D - sizes.k))


def _typical(
    rng: np.random.Generator, n: int, inside: float, count: int
) -> list[Float[np.ndarray, " background"]]:
    """Neurons over sigma_w that lie in the set of lemma 9."""
    found: list[Float[np.ndarray, " background"]] = []
    while len(found) < count:
        q = rng.normal(size=n)
        if np.abs(q).max() <= math.sqrt(2 * math.log(inside)) and n / 2 <= q @ q <= 1.5 * n:
            found.append(q)
    return found


STATEMENT = statement()

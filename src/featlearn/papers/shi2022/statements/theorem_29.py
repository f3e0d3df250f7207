r"""Theorem 29: no linear model of norm B on N fixed features learns all parities.

    there is an A with  min_{||w|| <= B} E max(1 - y_A <Psi, w>, 0) >= 1 - sqrt(2N) B/2^k.

max(1 - u, 0) >= 1 - u, so the least loss is at least 1 - B |c_A|, c_A = E[y_A Psi]; where B sqrt N
<= 1 no margin exceeds 1, and it is that number exactly: B = 1/sqrt N here. By Bessel sum_A |c_A|²
<= N, so that over the sets of size k

    mean_A (least loss) >= 1 - B sqrt(N/C(D, k)),      which is more, as C(D, k) >= 16^k.

c_A is exact: by a Walsh-Hadamard transform over all 2^16 points (k = 1, D = 16: any features), and
for Fourier features cos(w.z + b) of the sets of three of 48 by E[prod_A z_j e^{i w.z}] = prod_A (i
sin w_j) prod_{not A} cos w_j. Both settings meet the hypotheses. The coordinates themselves, as
features at k = 1, attain the mean over A. Whatever is tried can contradict the theorem and not
prove it for every Psi; the two lines above do.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Reading, Statement, exact_bound

BITS = 16
"""D of the features that are evaluated at all points, with k = 1."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The features that are fixed first; every seed draws others."""

    features: int = 64
    """N."""
    dictionary: int = 48
    """D for Fourier features."""
    k: int = 3
    """Size of the sets for Fourier features."""

    def __post_init__(self) -> None:
        require(self.features >= 1, "features", "at least 1", self.features)
        require(1 <= self.k <= 3, "k", "1 to 3", self.k)
        require(self.k <= self.dictionary <= 64, "dictionary", "k to 64", self.dictionary)


def printed_gain(N: float, k: int) -> float:
    """sqrt(2N)/2^k: by how much B may bring the least loss below 1, for the worst A."""
    return math.sqrt(2 * N) / 2**k


def mean_gain(N: float, sets: int) -> float:
    """sqrt(N/C(D, k)): the same on average over A."""
    return math.sqrt(N / sets)


Correlations = Float[np.ndarray, "sets features"]
Gain = Callable[[float, int], float]


def of_tables(values: Float[np.ndarray, "points features"]) -> Correlations:
    """E[z_j Psi] for each j, by the fast transform of features given at all 2^16 points."""
    found = values.reshape(*(2,) * BITS, -1)
    means = [found.mean(axis=tuple(a for a in range(BITS) if a != j)) for j in range(BITS)]
    return np.array([(pair[1] - pair[0]) / 2 for pair in means])


def of_waves(
    w: Float[np.ndarray, "features inputs"], b: Float[np.ndarray, " features"], k: int
) -> Correlations:
    """E[prod_A z_j cos(w.z + b)] for every set A of size k."""
    tangents, base = np.tan(w), np.prod(np.cos(w), axis=1)
    turned = np.cos(b + k * math.pi / 2) * base
    sets = itertools.combinations(range(w.shape[1]), k)
    return np.array([turned * np.prod(tangents[:, list(A)], axis=1) for A in sets])


def tried(sizes: Sizes, seed: int) -> dict[str, tuple[int, Correlations]]:
    """By name: k, and the correlations of features with every parity of size k."""
    rng, N = generator(seed, "theorem-29"), sizes.features
    z = 2.0 * ((np.arange(2**BITS)[:, None] >> np.arange(BITS)[::-1]) & 1) - 1
    w, b = rng.normal(size=(N, BITS)), rng.normal(size=N)
    D = sizes.dictionary
    waves = rng.normal(size=(N, D)) / math.sqrt(D), rng.uniform(0, 2 * math.pi, N)
    return {
        "coordinates": (1, of_tables(z)),
        "signs of random sums": (1, of_tables(np.sign(z @ w.T + b))),
        "random tables": (1, of_tables(rng.choice([-1.0, 1.0], size=(2**BITS, N)))),
        f"Fourier features, sets of {sizes.k}": (sizes.k, of_waves(*waves, sizes.k)),
    }


def statement(gain: Gain = printed_gain, on_average: Gain = mean_gain) -> Statement[Sizes]:
    """The theorem; other gains are other claims."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        found: dict[str, list[tuple[float, float]]] = {}
        for seed in lab.seeds:
            for name, (k, c) in tried(sizes, seed).items():
                N, sets = c.shape[1], len(c)
                norms = np.linalg.norm(c, axis=1)
                ratios = norms.min() / gain(N, k), norms.mean() / on_average(N, sets)
                found.setdefault(name, []).append((float(ratios[0]), float(ratios[1])))
        parts = []
        for name, pairs in found.items():
            worst, mean = (max(pair[i] for pair in pairs) for i in (0, 1))
            parts += [
                exact_bound(f"1 - least loss of the worst A over its limit, {name}", worst, 1.0),
                exact_bound(f"1 - least loss over its limit, mean over A, {name}", mean, 1.0).under(
                    Reading.RUN
                ),
            ]
        return parts

    return Statement(
        id="shi2022.theorem-29",
        title="No linear model on fixed features learns all parities of uniform bits",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=_hypotheses,
        text=TEXTS["theorem-29"],
        control=Control(
            "the limits have lost N",
            lambda: statement(lambda N, k: printed_gain(1, k), lambda N, sets: mean_gain(1, sets)),
        ),
        seeds=3,
        place="Theorem 29, appendix C",
        references=("shi2022",),
    )


def _hypotheses(sizes: Sizes) -> list[Hypothesis]:
    return [
        Hypothesis(name="k <= D/16", value=sizes.k, side="<=", limit=sizes.dictionary / 16),
        Hypothesis.condition("k odd", sizes.k % 2 == 1),
    ]


STATEMENT = statement()

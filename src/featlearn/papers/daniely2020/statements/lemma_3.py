r"""Lemma 3: on the uniform half, irrelevant coordinates get next to no gradient.

    h(x) = u_j s'(w.x + b),  j not in A:     E_w |E_x[y h]|^2 <= 1 / C(d-1, k),

and so by Markov P_w(|E_x[u_j y s']| <= c / sqrt C(d-1, k)) >= 1 - 1/c for every c; the same for the
bias. x_j is read as the sign u_j, as the proof does (with x_j = u_j/sqrt d the claim is weaker).

The second moment is computed exactly: E_x[…] is 0 unless w is non-zero on all of A (and at j), and
then depends on the number of other non-zero weights, a binomial variable, alone. Daniely & Malach
(2020), section 4.1.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from featlearn._check import require
from featlearn.distributions import LeakyParity
from featlearn.experiments.lab import Lab
from featlearn.networks import RELU6
from featlearn.papers.daniely2020.neurons import draw
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, exact_bound, high_probability
from featlearn.training import parity_correlations

SPREADS = 12
"""Standard deviations of |J| that are summed over; what lies beyond weighs less than 1e-30."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked; the second moment needs no seeds."""

    d: tuple[int, ...] = (101, 10_001, 1_000_001)
    """Input dimensions."""
    k: tuple[int, ...] = (3, 7, 11)
    """Numbers of relevant bits."""
    neurons: int = 20_000
    """Neurons drawn a seed for the probabilities."""
    c: tuple[float, ...] = (1.5, 3.0, 10.0)
    """Values of c."""

    def __post_init__(self) -> None:
        require(all(k % 2 for k in self.k), "k", "odd numbers", self.k)
        require(min(self.d) > max(self.k) + 1, "d", f"more than k + 1 = {max(self.k) + 1}", self.d)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)
        require(min(self.c) > 0, "c", "positive numbers", self.c)


def size(d: int, k: int) -> float:
    """1 / sqrt C(d-1, k)."""
    return math.comb(d - 1, k) ** -0.5


def second_moments(d: int, k: int, half: str = "uniform") -> tuple[float, float]:
    """E_w |E_x[u_j y s']|^2 for an irrelevant j, and the same for the bias, on D1, exactly.

    On the leaky half, a control, only neurons with w = (1, …, 1) on A are counted.
    """
    mean, spread = (d - k) * 2 / 3, math.sqrt((d - k) * 2 / 9)
    low, high = (mean + sign * SPREADS * spread for sign in (-1, 1))
    N = np.arange(max(0, math.floor(low)), min(d - k, math.ceil(high)) + 1)
    on_A = np.ones((len(N), k), dtype=int)
    law = LeakyParity(d=d, k=k, half=half)
    found = parity_correlations(law, RELU6, on_A, N, np.full(len(N), 1 / (8 * k)))
    full = (2 / 3) ** k
    weight = binom.pmf(N, d - k, 2 / 3)
    # An irrelevant j is among the |J| = N non-zero ones with probability N/(d - k).
    coordinate = full * float(np.sum(weight * N / (d - k) * found.irrelevant**2))
    return coordinate, full * float(np.sum(weight * found.bias**2))


def statement(
    predict: Callable[[int, int], float] = size, half: str = "uniform"
) -> Statement[Sizes]:
    """The lemma; another `predict` is another size, and another `half` another distribution."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for d in sizes.d:
            for k in sizes.k:
                limit, at = predict(d, k), f"d={d}, k={k}"
                coordinate, bias = (math.sqrt(m) for m in second_moments(d, k, half))
                parts.append(
                    exact_bound(f"root mean square over w, coordinate, {at}", coordinate, limit)
                )
                parts.append(exact_bound(f"root mean square over w, bias, {at}", bias, limit))
        return parts + [_probability(sizes, lab.seeds, c, predict, half) for c in sizes.c]

    return Statement(
        id="daniely2020.lemma-3",
        title="On the uniform half an irrelevant coordinate gets next to no gradient",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-3"],
        control=Control("the leaky half instead", lambda: statement(half="leaky")),
        seeds=5,
        place="Lemma 3, section 4.1",
        references=("daniely2020",),
    )


def _probability(
    sizes: Sizes,
    seeds: Sequence[int],
    c: float,
    predict: Callable[[int, int], float],
    half: str,
) -> Claim:
    """At the first sizes, how often a neuron obeys; j is one of J, the case that can fail."""
    d, k = sizes.d[0], sizes.k[0]
    held = 0
    for seed in seeds:
        found = draw(d, k, sizes.neurons, seed).over(half)
        held += int(np.sum(np.abs(found.irrelevant) <= c * predict(d, k)))
    name = f"share of neurons within c = {c:g}, d={d}, k={k}"
    trials, at_least = len(seeds) * sizes.neurons, max(0.0, 1 - 1 / c)
    return high_probability(name, held, trials, at_least, of="neurons")


STATEMENT = statement()

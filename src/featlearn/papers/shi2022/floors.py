r"""The floors of theorem 2 and corollary 3, and the best bounded models to hold against them.

Features Psi in [-1, 1]^N are fixed first; a parity of k of D patterns is drawn after. For every
linear model of norm at most B, with hinge loss on the mixture p_o D(0) + (1 - p_o) D(1),

    some A:        loss >= p_o (1 - sqrt(2N) B / 2^k)            (printed)
    mean over A:   loss >= p_o (1 - B sqrt(N / C(D,k)))          (what the proof gives)

The second is stronger: parities of different A are orthonormal under D(0), so that the squared
correlations of one feature with all C(D,k) of them sum to at most 1 (Bessel).
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn.baselines import best_bounded
from featlearn.theory import Hypothesis


def printed_floor(p_o: float, N: int, B: float, k: int) -> float:
    """p_o (1 - sqrt(2N) B / 2^k); negative is empty."""
    return p_o * (1 - math.sqrt(2 * N) * B / 2**k)


def average_floor(p_o: float, N: int, B: float, k: int, D: int) -> float:
    """p_o (1 - B sqrt(N / C(D,k))); negative is empty.

    Example:
        >>> round(average_floor(0.5, 600, 354.0, 5, 100), 3)
        0.0
    """
    return p_o * (1 - B * math.sqrt(N / math.comb(D, k)))


def on_parity(k: int, D: int) -> list[Hypothesis]:
    """What theorem 2 and corollary 3 ask of the parity."""
    return [
        Hypothesis.condition("k is odd", k % 2 == 1, f"k = {k}"),
        Hypothesis(name="k > 3", value=k, side=">=", limit=4),
        Hypothesis(name="k <= D/16", value=k, side="<=", limit=D / 16),
    ]


@dataclass(frozen=True, kw_only=True)
class Mixtures:
    """Hidden bits of D_mix for many sets A at once: the same D(0) part, a D(1) part for each A."""

    uniform: Float[np.ndarray, "samples dictionary"]
    """The D(0) part: fair bits, the same for every A."""
    tied: Float[np.ndarray, "samples dictionary"]
    """Fair bits again, of which those in A are set alike for the D(1) part."""
    ends: Float[np.ndarray, " samples"]
    """All 0 or all 1, in the D(1) part."""

    def of(
        self, A: tuple[int, ...]
    ) -> tuple[Float[np.ndarray, "both dictionary"], Float[np.ndarray, " both"]]:
        """Hidden bits and parity labels at p_o = 1/2: halves of equal weight."""
        tied = self.tied.copy()
        tied[:, list(A)] = self.ends[:, None]
        phi = np.vstack([self.uniform, tied])
        return phi, np.where(phi[:, list(A)].sum(axis=1) % 2 == 1, 1.0, -1.0)


def draw_mixtures(samples: int, dictionary: int, rng: np.random.Generator) -> Mixtures:
    """Half the points from each part."""
    half = samples // 2
    bits = rng.integers(0, 2, (2, half, dictionary)).astype(float)
    return Mixtures(uniform=bits[0], tied=bits[1], ends=rng.integers(0, 2, half).astype(float))


def random_sets(
    dictionary: int, k: int, count: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    """Different subsets of size k, drawn at random; all of them if they are fewer."""
    if math.comb(dictionary, k) <= count:
        return list(itertools.combinations(range(dictionary), k))
    chosen: set[tuple[int, ...]] = set()
    while len(chosen) < count:
        chosen.add(tuple(sorted(rng.choice(dictionary, k, replace=False).tolist())))
    return sorted(chosen)


def best_losses(
    features: Float[np.ndarray, "samples N"],
    judged: Float[np.ndarray, "others N"],
    y: Float[np.ndarray, " samples"],
    y_judged: Float[np.ndarray, " others"],
    norms: tuple[float, ...],
) -> Float[np.ndarray, " norms"]:
    """Hinge loss on other points of the best model of each norm on the sample."""
    losses = []
    for B in norms:
        theta = best_bounded(features, y, bound=B, tolerance=1e-3).theta
        losses.append(float(np.maximum(1 - y_judged * (judged @ theta), 0).mean()))
    return np.array(losses)

r"""Neurons of Daniely & Malach's start, drawn by law: no array of length d is ever made.

A neuron enters the first step through its k weights on A, the number |J| of its non-zero weights
outside A, and its second-layer weight; all others are alike. So d = 10^6 with 10^5 neurons is
cheap:

    w_j uniform on {-1,0,1} (j in A),   |J| ~ Bin(d - k, 2/3),   a uniform on [-d/k, d/k].

After the first step (eta = 1, lambda = 1/2), with the correlations of `parity_correlations`,

    w_j = a alpha_j / sqrt d  (j in A),      a beta w_j / sqrt d  (j not in A),
    b = 1/(8k) + a E[y s'],                  a^(1) = E[y s].

A remark that the paper does not make: if sum_A w = 0 and k is odd, one of the w_j is 0, hence every
D1 expectation with all of A in its parity vanishes: such a neuron has *exactly* no weight outside A
and its old bias. Lemmas 3 and 4 are not needed for lemma 7.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from featlearn._streams import generator
from featlearn.distributions import LeakyParity
from featlearn.networks import RELU6
from featlearn.training import LabelCorrelations, parity_correlations


@dataclass(frozen=True, kw_only=True)
class Neurons:
    """Neurons before the first step, and the correlations that make the step."""

    d: int
    k: int
    on_A: Int[np.ndarray, "neurons k"]
    others: Int[np.ndarray, " neurons"]
    """|J|."""
    a: Float[np.ndarray, " neurons"]

    @property
    def b(self) -> float:
        """The bias at the start."""
        return 1 / (8 * self.k)

    @property
    def balanced(self) -> Bool[np.ndarray, " neurons"]:
        """Where sum_A w = 0."""
        return self.on_A.sum(axis=1) == 0

    @cached_property
    def mixture(self) -> LabelCorrelations:
        """Over D_A."""
        return self.over("mixture")

    def over(self, half: str) -> LabelCorrelations:
        """Over D_A, D1 or D2."""
        law = LeakyParity(d=self.d, k=self.k, half=half)
        biases = np.full(len(self.a), self.b)
        return parity_correlations(law, RELU6, self.on_A, self.others, biases)

    def where(self, chosen: Bool[np.ndarray, " neurons"]) -> "Neurons":
        """Some of the neurons."""
        return Neurons(
            d=self.d,
            k=self.k,
            on_A=self.on_A[chosen],
            others=self.others[chosen],
            a=self.a[chosen],
        )


def draw(d: int, k: int, count: int, seed: int) -> Neurons:
    """`count` independent neurons of the start.

    Example:
        >>> draw(10**6, 7, 5, seed=0).on_A.shape
        (5, 7)
    """
    rng = generator(seed, f"neurons d={d} k={k}")
    return Neurons(
        d=d,
        k=k,
        on_A=rng.integers(-1, 2, (count, k)),
        others=rng.binomial(d - k, 2 / 3, count),
        a=rng.uniform(-d / k, d / k, count),
    )


def central_trinomial(k: int) -> int:
    """How many of the 3^k ternary vectors of length k sum to 0.

    Example:
        >>> [central_trinomial(k) for k in (3, 5, 7, 9)]
        [7, 51, 393, 3139]
    """
    row = [1]
    for _ in range(k):
        padded = [0, 0, *row, 0, 0]
        row = [sum(padded[i : i + 3]) for i in range(len(row) + 2)]
    return row[k]

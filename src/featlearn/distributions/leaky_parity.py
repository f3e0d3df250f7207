r"""Parity of k bits on a mixture, one half of which reveals the bits (Daniely & Malach 2020).

    d   inputs (the paper's n)      A   the k relevant bits, k odd      u = x / scale, signs

    x in {±scale}^d, scale = 1/sqrt(d);      y = prod_{j in A} u_j;
    D1  "uniform"   all bits fair and independent,
    D2  "leaky"     the bits of A all equal, their common sign fair, the others fair,
    D_A "mixture"   (D1 + D2)/2.

The law is that of section 2 of the paper. On D2 every bit of A equals the label (k is odd), and
gradients detect this correlation. With chi_S = prod_{j in S} u_j and k odd,

    E chi_S = 1(S empty)/2 + 1(S in A, |S| even)/2,        E[y chi_S] = E chi_{S xor A}.

So every bit is fair, E[y u_j] = 1/2 on A and 0 elsewhere (k >= 3).
"""

import math
from collections.abc import Iterable

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_one_of
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.bits import every_sign, random_words, signs
from featlearn.distributions.packed import PackedBatch, Words, bits_at, with_bits

HALVES = ("mixture", "uniform", "leaky")
ENUMERABLE = 20
"""Largest d for which all 2^d points are written down."""


@record(numbers=("scale",))
class LeakyParity:
    """The mixture D_A of Daniely & Malach, or one of its halves D1 and D2."""

    d: int
    """Input dimension."""
    k: int
    """Number of relevant bits."""
    relevant: tuple[int, ...] = ()
    """The set A; empty for the first k bits."""
    half: str = "mixture"
    """"mixture" (D_A), "uniform" (D1) or "leaky" (D2)."""
    scale: float | None = None
    """Size of the entries of x; None for 1/sqrt(d)."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.d, "LeakyParity(k)", "1 <= k <= d", f"k={self.k}, d={self.d}")
        require(
            self.k % 2 == 1,
            "LeakyParity(k)",
            "an odd number of relevant bits",
            self.k,
            "With an even k the leaky half has one label only.",
        )
        require_one_of(self.half, HALVES, "LeakyParity(half)")
        if self.relevant:
            proper = len(set(self.relevant)) == self.k == len(self.relevant)
            require(
                proper and all(0 <= j < self.d for j in self.relevant),
                "LeakyParity(relevant)",
                f"{self.k} different bits from 0 to {self.d - 1}",
                self.relevant,
            )

    @property
    def A(self) -> tuple[int, ...]:
        """The places of the k relevant bits, counted from 0."""
        return self.relevant or tuple(range(self.k))

    @property
    def relevant_directions(self) -> Float[Array, "k inputs"]:
        """The basis vectors e_j for j in A, one per row, on whose span alone the label depends."""
        rows = jnp.zeros((self.k, self.d))
        return rows.at[jnp.arange(self.k), jnp.array(self.A)].set(1.0)

    @property
    def size(self) -> float | Float[Array, ""]:
        """The absolute value of the entries of x."""
        return 1 / math.sqrt(self.d) if self.scale is None else self.scale

    def of_half(self, half: str) -> "LeakyParity":
        """Return the law with the same bits and labels on D1, on D2 or on their mixture."""
        return LeakyParity(d=self.d, k=self.k, relevant=self.relevant, half=half, scale=self.scale)

    def of_relevant_bits(self) -> "LeakyParity":
        """Return the law of the relevant bits x_A alone, as a law in k dimensions.

        It suffices for learners that depend on no other bits.
        """
        scale = 1 / math.sqrt(self.d) if self.scale is None else self.scale
        return LeakyParity(d=self.k, k=self.k, half=self.half, scale=scale)

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent points with their labels.

        Each point takes d + 2 random signs: two of them choose the half and the common bit of D2.
        """
        u = signs(m, self.d + 2, key=key)
        on_A, columns = u[:, self.A], jnp.array(self.A)
        common = jnp.broadcast_to(u[:, self.d, None], on_A.shape)
        if self.half == "mixture":
            on_A = jnp.where(u[:, self.d + 1, None] > 0, on_A, common)
        elif self.half == "leaky":
            on_A = common
        u = u[:, : self.d].at[:, columns].set(on_A)
        return Batch(x=self.size * u, y=jnp.prod(on_A, axis=1))

    @property
    def packs(self) -> bool:
        """Whether points can be packed as bits: always True, because entries of x are ±size."""
        return True

    def packed(self, m: int, *, key: Key[Array, ""], words: Words = random_words) -> PackedBatch:
        """Return the points that `sample` gives for the same key, packed as bits."""
        drawn = words(m, self.d + 2, key)
        common, uniform = bits_at(drawn, [self.d, self.d + 1]).T
        leaky = with_bits(drawn, self.A, common)
        if self.half == "mixture":
            drawn = jnp.where(uniform[:, None] > 0, drawn, leaky)
        elif self.half == "leaky":
            drawn = leaky
        y = jnp.prod(bits_at(drawn, self.A), axis=1)
        return PackedBatch(d=self.d, words=drawn, y=y, size=self.size)

    def support(self) -> Batch:
        """Return every point with its label and probability, if d <= 20."""
        require(
            self.d <= ENUMERABLE,
            "LeakyParity.support()",
            f"d <= {ENUMERABLE}",
            self.d,
            "Sample instead.",
        )
        u = every_sign(self.d)
        on_A = u[:, self.A]
        equal = jnp.abs(on_A.sum(axis=1)) == self.k
        leaky = equal * 2.0 ** (self.k - 1)
        share = {"mixture": 0.5, "uniform": 0.0, "leaky": 1.0}[self.half]
        weight = ((1 - share) + share * leaky) * 2.0**-self.d
        return Batch(x=self.size * u, y=jnp.prod(on_A, axis=1), weight=weight)

    def label(self, x: Float[Array, "samples inputs"]) -> Float[Array, " samples"]:
        """Return the labels of given points x."""
        return jnp.prod(jnp.sign(x[:, self.A]), axis=1)

    def character(self, subset: Iterable[int]) -> float:
        """Return the exact mean of the product of u_j over j in `subset`.

        Example:
            >>> LeakyParity(d=9, k=3).character([0, 1]), LeakyParity(d=9, k=3).character([0, 5])
            (0.5, 0.0)
        """
        S = set(subset)
        uniform = float(not S)
        leaky = float(set(self.A) >= S and len(S) % 2 == 0)
        return {"mixture": (uniform + leaky) / 2, "uniform": uniform, "leaky": leaky}[self.half]

    def label_character(self, subset: Iterable[int]) -> float:
        """Return the exact mean of y times the product of u_j over j in `subset`.

        Example:
            >>> [LeakyParity(d=9, k=3).label_character([j]) for j in (0, 8)]
            [0.5, 0.0]
        """
        return self.character(set(subset) ^ set(self.A))

    @property
    def monotone_accuracy(self) -> float:
        """The best accuracy of a threshold on the sum of the relevant bits u_j.

        Learners that see only this sum, through a monotone function, get no further.

        Example:
            >>> LeakyParity(d=9, k=3).monotone_accuracy, LeakyParity(d=9, k=5).monotone_accuracy
            (0.8125, 0.84375)
        """
        k = self.k
        share = {"mixture": 0.5, "uniform": 0.0, "leaky": 1.0}[self.half]
        mass = [(1 - share) * math.comb(k, r) / 2**k for r in range(k + 1)]
        mass[0] += share / 2
        mass[k] += share / 2
        right = [
            sum(p for r, p in enumerate(mass) if (r < cut) == (r % 2 == 0)) for cut in range(k + 2)
        ]
        return max(*right, *(1 - value for value in right))

    @property
    def bayes_error(self) -> float:
        """The least error of any classifier: 0, because the label is a function of x."""
        return 0.0

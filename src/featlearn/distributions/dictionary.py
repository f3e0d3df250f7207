r"""The law of inputs that are sums of dictionary patterns (Shi, Wei & Liang 2022, section 3).

    d   inputs      D   patterns (columns of M)     k   relevant ones, the set A     s   sum_A phi~
    M   (d, D) dictionary with orthonormal or incoherent columns; A is {1, …, k} without loss
    P   the counts s for which y = +1               zeta ~ N(0, sigma^2 I_d), appendix F

    x~ = M phi~ + zeta,    phi~ in {0,1}^D,    y = +1 if s in P, else -1,
    x  = (x~ - E x~) / sigma~,                 sigma~^2 = the total variance of x~.

Every law of phi~ in this module is a finite mixture. In component c the count s has some law,
phi~_A is uniform given s, and the background bits (those outside A) are independent and equal to 1
with the same probability, their rate. So a law is given by the table joint[c][s] = P(component c,
count s) and the rates, and its means, covariances and so on are sums over that table.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_positive
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.bits import every_sign, signs

if TYPE_CHECKING:
    from featlearn.distributions.dictionary_truth import Truth

ENUMERABLE = 16
"""Largest D for which all 2^D hidden vectors are written down."""


@record(numbers=("matrix",))
class Patterns:
    """The law of labelled sums of patterns, given by a table; use `mixture` or `independent`."""

    d: int
    """Input dimension."""
    dictionary: int
    """D, the number of patterns."""
    k: int
    """Number of relevant patterns."""
    positive: tuple[int, ...]
    """P, the counts of relevant patterns that make the label +1."""
    joint: tuple[tuple[float, ...], ...]
    """P(component, count): a row a component, k + 1 columns; the entries sum to 1."""
    rates: tuple[float, ...]
    """The rate of a background bit in each component."""
    matrix: Float[Array, "inputs dictionary"] | None = None
    """M; None is the first D standard basis vectors, to which any orthonormal M can be rotated."""
    sigma: float = 0.0
    """Standard deviation of the noise zeta, per coordinate, before the normalisation."""

    def __post_init__(self) -> None:
        k, D = self.k, self.dictionary
        require(1 <= k <= D, "Patterns(k)", "1 <= k <= D", f"k={k}, D={D}")
        require(
            self.matrix is not None or self.d >= D,
            "Patterns(d)",
            "D <= d, for D orthonormal patterns in d dimensions",
            f"d={self.d}, D={D}",
            "Take an incoherent matrix for an overcomplete dictionary.",
        )
        inside = all(0 <= count <= k for count in self.positive)
        require(
            inside and len(set(self.positive)) == len(self.positive),
            "Patterns(positive)",
            f"different counts from 0 to k = {k}",
            self.positive,
        )
        table = np.array(self.joint)
        fits = table.shape == (len(self.rates), k + 1) and bool((table >= 0).all())
        require(
            fits and abs(float(table.sum()) - 1) < 1e-9,
            "Patterns(joint)",
            f"{len(self.rates)} rows of {k + 1} probabilities that sum to 1",
            f"shape {table.shape}, sum {table.sum():.6g}",
        )
        right = all(0 <= rate <= 1 for rate in self.rates)
        require(right, "Patterns(rates)", "probabilities", self.rates)
        require(self.sigma >= 0, "Patterns(sigma)", "a standard deviation", self.sigma)
        if isinstance(self.matrix, Array | np.ndarray):
            shape = self.matrix.shape
            require(shape == (self.d, D), "Patterns(matrix)", f"shape ({self.d}, {D})", shape)

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent labelled points."""
        of_cell, of_set, of_rest, of_noise = jax.random.split(key, 4)
        table = np.array(self.joint)
        edges = jnp.asarray(np.cumsum(table.ravel())[:-1], jnp.float32)
        cell = jnp.searchsorted(edges, jax.random.uniform(of_cell, (m,)), side="right")
        component, count = jnp.divmod(cell, self.k + 1)
        u = jax.random.uniform(of_set, (m, self.k))
        rank = (u[:, None, :] < u[:, :, None]).sum(axis=2)
        relevant = (rank < count[:, None]).astype(float)
        phi = jnp.concatenate([relevant, self._background(m, component, key=of_rest)], axis=1)
        noise = self.sigma * jax.random.normal(of_noise, (m, self.d)) if self.noisy else None
        return Batch(x=self.normalised(phi, noise), y=self.label_of(count))

    def support(self) -> Batch:
        """Return every point with its label and probability, if there is no noise and D <= 16."""
        require(
            not self.noisy and self.dictionary <= ENUMERABLE,
            "Patterns.support()",
            f"no noise and D <= {ENUMERABLE}",
            f"sigma={self.sigma}, D={self.dictionary}",
            "Sample instead.",
        )
        phi = (every_sign(self.dictionary) + 1) / 2
        count = phi[:, : self.k].sum(axis=1).astype(int)
        ones = phi[:, self.k :].sum(axis=1)
        of_set = jnp.asarray([math.comb(self.k, s) for s in range(self.k + 1)], phi.dtype)
        weight = jnp.zeros(len(phi), phi.dtype)
        for row, rate in zip(self.joint, self.rates, strict=True):
            rest = rate**ones * (1 - rate) ** (self.dictionary - self.k - ones)
            weight += (jnp.asarray(row, phi.dtype) / of_set)[count] * rest
        return Batch(x=self.normalised(phi), y=self.label_of(count), weight=weight)

    def normalised(
        self,
        phi: Float[Array, "samples dictionary"],
        noise: Float[Array, "samples inputs"] | None = None,
    ) -> Float[Array, "samples inputs"]:
        """Return the inputs x = (M phi~ + zeta - E x~) / sigma~ of given hidden vectors phi~."""
        truth = self.truth
        centred = phi - jnp.asarray(truth.mean_bits, phi.dtype)
        if self.matrix is None:
            x = jnp.pad(centred, ((0, 0), (0, self.d - self.dictionary)))
        else:
            x = centred @ self.matrix.T
        return (x if noise is None else x + noise) / truth.input_sd

    def label_of(self, count: Array) -> Float[Array, " samples"]:
        """Return the label for each number of relevant patterns in `count`."""
        table = [1.0 if s in self.positive else -1.0 for s in range(self.k + 1)]
        return jnp.asarray(table)[count]

    @property
    def noisy(self) -> bool:
        """Whether the inputs contain the noise zeta, that is whether sigma > 0."""
        return self.sigma > 0

    @property
    def truth(self) -> "Truth":
        """The closed forms of this law: means, gamma, sigma~, assumptions A0 to A2, the plateau."""
        from featlearn.distributions.dictionary_truth import Truth

        return Truth(self)

    @property
    def relevant_directions(self) -> Float[Array, "k inputs"]:
        """The columns M_j for j in A as rows; their span contains all that the label depends on."""
        return jnp.eye(self.k, self.d) if self.matrix is None else self.matrix[:, : self.k].T

    @property
    def direction(self) -> Float[Array, " inputs"]:
        """The sum of the relevant patterns M_j, the feature of lemma 5; it is not normalised."""
        if self.matrix is None:
            return (jnp.arange(self.d) < self.k).astype(float)
        return self.matrix[:, : self.k].sum(axis=1)

    @property
    def bayes_error(self) -> float:
        """The least error of any classifier: 0, because without noise x determines the label."""
        require(not self.noisy, "Patterns.bayes_error", "no noise", f"sigma={self.sigma}")
        return 0.0

    def with_negative_share(self, share: float) -> "Patterns":
        """Return the law with P(y = -1) = `share` and the same laws of x~ given y."""
        require(0 < share < 1, "negative", "a share of class -1 between 0 and 1", share)
        table = np.array(self.joint)
        positive = np.isin(np.arange(self.k + 1), self.positive)
        mass = float(table[:, positive].sum())
        require(0 < mass < 1, "positive", "two classes that both occur", f"P(y=1)={mass:.3g}")
        scale = np.where(positive, (1 - share) / mass, share / (1 - mass))
        return replace(self, joint=_rows(table * scale))

    def _background(
        self, m: int, component: Array, *, key: Key[Array, ""]
    ) -> Float[Array, "{m} rest"]:
        n = self.dictionary - self.k
        if set(self.rates) == {0.5}:
            return (signs(m, n, key=key) + 1) / 2
        rate = jnp.asarray(self.rates)[component][:, None]
        return (jax.random.uniform(key, (m, n)) < rate).astype(float)


def mixture(
    *,
    d: int,
    dictionary: int,
    k: int,
    p_o: float = 0.5,
    positive: Sequence[int] | None = None,
    matrix: Float[Array, "inputs dictionary"] | None = None,
    sigma: float = 0.0,
) -> Patterns:
    """Return the mixture p_o D(0) + (1 - p_o) D(1), by default with parity labels.

    It is the law of the lower bound and of table 1 in Shi, Wei & Liang (2022).

    In D(0) all bits are fair. In D(1) phi~_A is all 0 or all 1, each with probability 1/2, and each
    background bit is 1 with probability p_o / (2 - 2 p_o), so that it is 1 with probability p_o in
    the mixture. Assumption A2 (background bits are independent of all others) holds at p_o = 1/2
    only: for other p_o every background bit depends on the component.

    Example:
        >>> mixture(d=500, dictionary=100, k=5).truth.input_sd
        5.0
    """
    _require_rate(p_o)
    require(k >= 1, "k", "at least 1", k)
    fair = _binomial(k, 0.5) * p_o
    ends = np.zeros(k + 1)
    ends[[0, k]] = (1 - p_o) / 2
    return Patterns(
        d=d,
        dictionary=dictionary,
        k=k,
        positive=parity_counts(k) if positive is None else tuple(positive),
        joint=_rows(np.stack([fair, ends])),
        rates=(0.5, p_o / (2 - 2 * p_o)),
        matrix=matrix,
        sigma=sigma,
    )


def independent(
    *,
    d: int,
    dictionary: int,
    k: int,
    p_a: float = 0.5,
    p_o: float = 0.5,
    positive: Sequence[int] | None = None,
    matrix: Float[Array, "inputs dictionary"] | None = None,
    sigma: float = 0.0,
) -> Patterns:
    """Return the law with independent bits: those of A are 1 with probability p_a, others with p_o.

    With p_a = p_o = 1/2 it is the law that Shi et al. call "structure removed" (A1').
    """
    _require_rate(p_o)
    require(0 < p_a < 1, "p-a", "a rate between 0 and 1", p_a)
    require(k >= 1, "k", "at least 1", k)
    return Patterns(
        d=d,
        dictionary=dictionary,
        k=k,
        positive=parity_counts(k) if positive is None else tuple(positive),
        joint=_rows(_binomial(k, p_a)[None]),
        rates=(p_o,),
        matrix=matrix,
        sigma=sigma,
    )


def parity_counts(k: int) -> tuple[int, ...]:
    """Return the odd numbers up to k, the counts with label +1 for parity (example 2)."""
    return tuple(range(1, k + 1, 2))


def incoherent(d: int, dictionary: int, *, key: Key[Array, ""]) -> Float[Array, "{d} {dictionary}"]:
    """Return a (d, D) matrix whose columns are random unit vectors; D is `dictionary`.

    Its coherence mu = sqrt(d) max |<M_i, M_j>| is about sqrt(4 log D).
    """
    g = jax.random.normal(key, (d, dictionary))
    return g / jnp.linalg.norm(g, axis=0)


def coherence(matrix: Float[Array, "inputs dictionary"]) -> float:
    """Return the least mu with |<M_i, M_j>| <= mu / sqrt(d) for all columns i != j (appendix F).

    Example:
        >>> coherence(jnp.eye(4)[:, :3])
        0.0
    """
    products = np.abs(np.asarray(matrix.T @ matrix, float))
    np.fill_diagonal(products, 0.0)
    return float(math.sqrt(matrix.shape[0]) * products.max(initial=0.0))


def _require_rate(p_o: float) -> None:
    require_positive(p_o, "p-o")
    require(p_o <= 0.5, "p-o", "0 < p_o <= 1/2", p_o)


def _binomial(k: int, p: float) -> Float[np.ndarray, " counts"]:
    return np.array([math.comb(k, s) * p**s * (1 - p) ** (k - s) for s in range(k + 1)])


def _rows(table: Float[np.ndarray, "components counts"]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(p) for p in row) for row in table)

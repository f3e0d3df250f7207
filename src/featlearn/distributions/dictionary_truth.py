r"""Closed forms of a law of dictionary patterns, as sums over its table joint[c][s].

    joint[c][s] = P(component c, s relevant bits are 1),    pi_c = P(component c)
    p       = E[s]/k, the rate of a relevant bit            p_o = sum_c pi_c rate_c
    gamma   = Cov(y, phi~_i), i in A                        = (E[y s] - E[y] E[s]) / k
    sigma~² = tr(M C M^T) + d sigma²,    C = Cov(phi~)      (tr C for orthonormal columns)

The rate of a bit is the probability that it is 1. Given s the relevant bits are exchangeable, so
E[phi~_i phi~_j] = E[s(s-1)]/(k(k-1)). Two background bits have the covariance Var_c(rate); a
background bit and a relevant one have Cov_c(E[s|c]/k, rate). Both covariances are 0 unless the
components have different rates; assumption A2 fails if they have.

Appendix F has another gamma: gamma_F = (E[phi~_i | y=1] - E[phi~_i | y=-1]) / 2, for which
Cov(y, phi~_i) = 4 P(y=1) P(y=-1) gamma_F; the two are equal when the classes balance.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float

if TYPE_CHECKING:
    from featlearn.distributions.dictionary import Patterns

EXACT = 1e-12
"""Below this a probability or covariance counts as 0: the sums are in float64."""


@dataclass(frozen=True)
class Truth:
    """The closed forms of one law of dictionary patterns, the field `law`."""

    law: "Patterns"

    @property
    def table(self) -> Float[np.ndarray, "components counts"]:
        """The joint probabilities P(component, s): one row per component, one column per s."""
        return np.array(self.law.joint)

    @property
    def counts(self) -> Float[np.ndarray, " counts"]:
        """The probabilities P(s) that s relevant bits are 1, for s = 0, …, k."""
        return self.table.sum(axis=0)

    @property
    def labels(self) -> Float[np.ndarray, " counts"]:
        """The label y of each count s = 0, …, k of relevant bits."""
        return np.where(np.isin(np.arange(self.law.k + 1), self.law.positive), 1.0, -1.0)

    @property
    def positive_share(self) -> float:
        """The probability P(y = 1) of the label +1."""
        return float(self.counts[self.labels > 0].sum())

    @property
    def class_weights(self) -> tuple[float, float]:
        """The weights 1/(2 P(y = v)) that balance the classes v = -1 and v = +1 (appendix F)."""
        return 1 / (2 * (1 - self.positive_share)), 1 / (2 * self.positive_share)

    @property
    def relevant_rate(self) -> float:
        """The probability P(phi~_i = 1) of a relevant bit, i in A."""
        return float(self.counts @ np.arange(self.law.k + 1)) / self.law.k

    @property
    def background_rate(self) -> float:
        """The probability p_o = P(phi~_i = 1) of a background bit, i outside A."""
        return float(self.table.sum(axis=1) @ np.array(self.law.rates))

    @property
    def mean_bits(self) -> Float[np.ndarray, " dictionary"]:
        """The mean E phi~ of the hidden vector, one entry per pattern."""
        on = np.arange(self.law.dictionary) < self.law.k
        return np.where(on, self.relevant_rate, self.background_rate)

    @property
    def label_covariance(self) -> float:
        """The covariance gamma = Cov(y, phi~_i) of the label with a relevant bit, i in A."""
        s = np.arange(self.law.k + 1)
        y, p = self.labels, self.counts
        return float(p @ (y * s) - (p @ y) * (p @ s)) / self.law.k

    @property
    def label_contrast(self) -> float:
        """The gamma_F of appendix F: (E[phi~_i | y=1] - E[phi~_i | y=-1]) / 2 for i in A."""
        share = self.positive_share
        return self.label_covariance / (4 * share * (1 - share))

    @property
    def covariance(self) -> Float[np.ndarray, "dictionary dictionary"]:
        """The D by D covariance matrix Cov(phi~) of the hidden vector."""
        k, D = self.law.k, self.law.dictionary
        s, p, q = np.arange(k + 1), self.relevant_rate, self.background_rate
        weight, rates = self.table.sum(axis=1), np.array(self.law.rates)
        both = float(self.counts @ (s * (s - 1))) / (k * (k - 1)) if k > 1 else p**2
        C = np.full((D, D), float(weight @ rates**2) - q**2)
        C[:k, k:] = C[k:, :k] = float((self.table @ s) @ rates) / k - p * q
        C[:k, :k] = both - p**2
        np.fill_diagonal(C, np.where(np.arange(D) < k, p * (1 - p), q * (1 - q)))
        return C

    @property
    def input_sd(self) -> float | Float[Array, ""]:
        """The root sigma~ of the total variance of x~; a JAX tracer if the matrix M is one."""
        k, D, M = self.law.k, self.law.dictionary, self.law.matrix
        noise = self.law.d * self.law.sigma**2
        if M is None:
            p, q = self.relevant_rate, self.background_rate
            return math.sqrt(k * p * (1 - p) + (D - k) * q * (1 - q) + noise)
        if isinstance(M, jax.core.Tracer):
            return jnp.sqrt(jnp.sum((M.T @ M) * self.covariance.astype(M.dtype)) + noise)
        exact = np.asarray(M, float)
        return math.sqrt(float(np.sum((exact.T @ exact) * self.covariance)) + noise)

    @property
    def monotone_plateau(self) -> float:
        """The best accuracy of a classifier that is monotone in the count s: a threshold on s.

        The threshold may predict +1 above or below it. For the law of table 1 of Shi et al. the
        accuracy is 27/32; fixed features that see only the sum of the patterns get no further.
        """
        signed = self.counts * self.labels
        above = np.concatenate([np.cumsum(signed[::-1])[::-1], [0.0]])
        margin = 2 * above - signed.sum()
        return float(0.5 + 0.5 * np.abs(margin).max())

    @property
    def balanced(self) -> bool:
        """Whether assumption A0 holds: both classes have probability 1/2."""
        return abs(self.positive_share - 0.5) < EXACT

    @property
    def correlated(self) -> bool:
        """Whether assumption A1 holds: gamma > 0, where gamma is the same for all bits of A."""
        return self.label_covariance > EXACT

    @property
    def background_independent(self) -> bool:
        """Whether assumption A2 holds: background bits are independent of all other bits.

        It holds if all components that occur have the same background rate.
        """
        weight, rates = self.table.sum(axis=1), np.array(self.law.rates)
        return bool(np.ptp(rates[weight > 0]) < EXACT)

    @property
    def unstructured(self) -> bool:
        """Whether assumption A1' holds: all bits are fair and independent."""
        k = self.law.k
        fair = np.array([math.comb(k, s) / 2**k for s in range(k + 1)])
        rates = np.array(self.law.rates)[self.table.sum(axis=1) > 0]
        return bool(np.abs(self.counts - fair).max() < EXACT and np.abs(rates - 0.5).max() < EXACT)

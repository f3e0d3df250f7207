r"""Both feature-learning steps over the whole population, neuron by neuron, exactly.

    q1 = eta1 a0 T(q0, b0),    b1 = b0 + eta1 a0 T_b,    a1 = a0 + eta1 T_a       (step 1, lemma 18)
    q2 = eta2 a1 T(q1, b1),    b2 = b1 + eta2 a1 T_b,    a2 = eta2 T_a            (step 2, lemma 20)

because 1 - 2 eta lambda = 0, and as long as y g < 1 everywhere (lemma 19), which the step of the
paper makes true by a factor of 10^5. No sample is involved: this is what the lemmas speak of.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.stats import norm

from featlearn._streams import generator
from featlearn.distributions import Patterns, mixture
from featlearn.training.pattern_step import FirstStep, first_step


@dataclass(frozen=True, kw_only=True)
class TwoSteps:
    """Some neurons of a network of width 2m through both steps."""

    law: Patterns
    eta1: float
    smoothing: float
    a: Float[np.ndarray, " neurons"]
    b: Float[np.ndarray, " neurons"]
    """As they start."""
    one: FirstStep
    two: FirstStep
    b_after: Float[np.ndarray, " neurons"]
    """After the first step."""

    @property
    def gamma(self) -> float:
        """Cov(y, phi~_i)."""
        return self.law.truth.label_covariance

    @property
    def sd(self) -> float:
        """sigma~."""
        return float(self.law.truth.input_sd)

    @property
    def beta_two(self) -> Float[np.ndarray, " neurons"]:
        """beta of lemma 20, which sees the initial bias only: P(0 < b + xi < 1)."""
        return norm.cdf(self.b / self.smoothing) - norm.cdf((self.b - 1) / self.smoothing)


def two_steps(*, dictionary: int, k: int, m: int, neurons: int, seed: int) -> TwoSteps:
    """Draw neurons as the paper does, and take lemma 23's two steps."""
    law = mixture(d=dictionary, dictionary=dictionary, k=k)
    truth = law.truth
    gamma, sd = truth.label_covariance, float(truth.input_sd)
    eta1, smoothing = gamma**2 * sd / (k * m**3), k**-1.5
    rng = generator(seed, f"two steps D={dictionary} k={k}")
    q = rng.normal(size=(neurons, dictionary)) / k
    b = rng.normal(size=neurons) / k**2
    a = rng.normal(size=neurons) * sd**2 / (gamma * k**2)
    one = first_step(q, b, law, smoothing)
    b_after = b + eta1 * a * one.T_b
    two = first_step(eta1 * a[:, None] * one.T, b_after, law, smoothing)
    return TwoSteps(
        law=law, eta1=eta1, smoothing=smoothing, a=a, b=b, one=one, two=two, b_after=b_after
    )


def signal_to_noise(
    T: Float[np.ndarray, "neurons dictionary"], k: int
) -> Float[np.ndarray, " neurons"]:
    """|mean over A| over the root mean square outside A, of the components of every neuron."""
    return np.abs(T[:, :k].mean(axis=1)) / np.sqrt(np.mean(T[:, k:] ** 2, axis=1))

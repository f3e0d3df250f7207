r"""Labels on hidden codes: a list of binary vectors, half of them +1 (Shi et al. 2022, E.3.1).

    d   inputs      D   patterns      k   relevant ones      C   (codes, k) binary vectors

phi~_A is one of the codes, uniformly; y is the label of the code; the other D - k bits are fair.
x = (phi~ - E phi~) / sigma~ in the first D of d coordinates, sigma~^2 the total variance. This is
the component D(1) of the mixture with more than two codes.
"""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.bits import signs


@record(numbers=("codes", "labels"))
class Codes:
    """Hidden codes with labels; `random_codes` draws them."""

    d: int
    """Input dimension."""
    dictionary: int
    """D, the number of patterns."""
    codes: Float[Array, "codes k"]
    """Zeros and ones, a row a code."""
    labels: Float[Array, " codes"]
    """The label of each code, -1 or +1."""

    def __post_init__(self) -> None:
        k, D = self.codes.shape[1], self.dictionary
        require(1 <= k <= D, "Codes(codes)", "1 <= k <= D", f"k={k}, D={D}")
        require(self.d >= D, "Codes(d)", "D <= d", f"d={self.d}, D={D}")

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent labelled points."""
        of_code, of_rest = jax.random.split(key)
        chosen = (jax.random.uniform(of_code, (m,)) * len(self.codes)).astype(int)
        rest = signs(m, self.dictionary - self.codes.shape[1], key=of_rest) / 2
        phi = jnp.concatenate([self.codes[chosen] - self.codes.mean(axis=0), rest], axis=1)
        x = jnp.pad(phi, ((0, 0), (0, self.d - self.dictionary))) / self.input_sd
        return Batch(x=x, y=self.labels[chosen])

    @property
    def input_sd(self) -> Float[Array, ""]:
        """sigma~: each bit has the variance of a coin of its own rate."""
        p = self.codes.mean(axis=0)
        return jnp.sqrt(jnp.sum(p * (1 - p)) + (self.dictionary - len(p)) / 4)

    @property
    def label_covariance(self) -> Float[Array, " k"]:
        """Cov(y, phi~_i), one a relevant bit: there is no common gamma."""
        return self.labels @ self.codes / len(self.labels) - self.labels.mean() * self.codes.mean(0)

    @property
    def means(self) -> Float[Array, "clusters inputs"]:
        """E[x | code], a row a code."""
        centred = self.codes - self.codes.mean(axis=0)
        return jnp.pad(centred, ((0, 0), (0, self.d - centred.shape[1]))) / self.input_sd

    @property
    def bayes_error(self) -> float:
        """Different codes are different inputs, so the best error is 0."""
        return 0.0


def random_codes(*, d: int, dictionary: int, k: int, per_label: int, key: Key[Array, ""]) -> Codes:
    """`per_label` fair random codes for each label, as in E.3.1."""
    codes = (signs(2 * per_label, k, key=key) + 1) / 2
    labels = jnp.where(jnp.arange(2 * per_label) < per_label, 1.0, -1.0)
    return Codes(d=d, dictionary=dictionary, codes=codes, labels=labels)

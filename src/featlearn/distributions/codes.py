r"""The law of labelled hidden codes: binary vectors, half of them +1 (Shi et al. 2022, E.3.1).

    d   inputs      D   patterns      k   relevant ones, the set A     C   (codes, k) binary vectors

The hidden vector phi~ has D bits. Those of A are one of the codes, drawn uniformly; y is the label
of that code; the other D - k bits are fair. x = (phi~ - E phi~) / sigma~ in the first D of d
coordinates, where sigma~^2 is the total variance. This generalises the component D(1) of
`dictionary.mixture`, which has two codes (all 0 and all 1), to more codes.
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
    """The law of inputs made of labelled hidden codes; `random_codes` draws the codes."""

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
        """The root sigma~ of the total variance of phi~, by which inputs are divided.

        A relevant bit that is 1 in a share p of the codes has the variance p (1 - p), any other bit
        1/4.
        """
        p = self.codes.mean(axis=0)
        return jnp.sqrt(jnp.sum(p * (1 - p)) + (self.dictionary - len(p)) / 4)

    @property
    def label_covariance(self) -> Float[Array, " k"]:
        """The covariances Cov(y, phi~_i) of the label with the relevant bits, one for each i."""
        return self.labels @ self.codes / len(self.labels) - self.labels.mean() * self.codes.mean(0)

    @property
    def means(self) -> Float[Array, "clusters inputs"]:
        """The cluster centres E[x | code], one row per code."""
        centred = self.codes - self.codes.mean(axis=0)
        return jnp.pad(centred, ((0, 0), (0, self.d - centred.shape[1]))) / self.input_sd

    @property
    def bayes_error(self) -> float:
        """The least error of any classifier: 0, because different codes give different inputs."""
        return 0.0


def random_codes(*, d: int, dictionary: int, k: int, per_label: int, key: Key[Array, ""]) -> Codes:
    """Return `Codes` with `per_label` codes of fair random bits for each label, as in E.3.1."""
    codes = (signs(2 * per_label, k, key=key) + 1) / 2
    labels = jnp.where(jnp.arange(2 * per_label) < per_label, 1.0, -1.0)
    return Codes(d=d, dictionary=dictionary, codes=codes, labels=labels)

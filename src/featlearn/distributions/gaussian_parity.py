r"""A mixture of 2^k Gaussians labelled by parity (Shi, Wei & Liang 2022, appendix E.3.2).

    x = sum_i eps_i M_i + g,    g ~ N(0, sigma_r^2 (k/d) I_d),    y = prod_i eps_i,

with k orthonormal M_i (the first k basis vectors, without loss) and fair signs eps. The noise then
has the mean squared length sigma_r^2 k, and every centre has the squared length k.
"""

import dataclasses
import math

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_positive
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.bits import every_sign, signs


@record()
class GaussianParity:
    """The law of Gaussian clusters at the corners of a k-dimensional cube, labelled by parity."""

    d: int
    """Input dimension."""
    k: int
    """Number of signs that make the label; there are 2^k centres."""
    sigma_r: float = 1.0
    """Length of the noise over that of a centre."""

    def __post_init__(self) -> None:
        require(
            1 <= self.k <= self.d, "GaussianParity(k)", "1 <= k <= d", f"k={self.k}, d={self.d}"
        )
        require_positive(self.sigma_r, "GaussianParity(sigma_r)")

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent labelled points."""
        of_signs, of_noise = jax.random.split(key)
        eps = signs(m, self.k, key=of_signs)
        g = self.sigma * jax.random.normal(of_noise, (m, self.d))
        return Batch(x=g.at[:, : self.k].add(eps), y=jnp.prod(eps, axis=1))

    @property
    def sigma(self) -> float:
        """The standard deviation of each coordinate of the noise, sigma_r sqrt(k/d)."""
        return self.sigma_r * math.sqrt(self.k / self.d)

    @property
    def noise_sd(self) -> float:
        """The standard deviation sigma of each coordinate of the Gaussian noise, in any basis."""
        return self.sigma

    def in_dimensions(self, d: int) -> "GaussianParity":
        """Return the law with the same signal and the same sigma of the noise in d dimensions."""
        return dataclasses.replace(self, d=d, sigma_r=self.sigma * math.sqrt(d / self.k))

    @property
    def relevant_directions(self) -> Float[Array, "k inputs"]:
        """The first k basis vectors as rows, whose span contains all that the label depends on."""
        return jnp.eye(self.k, self.d)

    @property
    def means(self) -> Float[Array, "clusters inputs"]:
        """The 2^k cluster centres, one per row."""
        return jnp.pad(every_sign(self.k), ((0, 0), (0, self.d - self.k)))

    @property
    def mean_labels(self) -> Float[Array, " clusters"]:
        """The label of each of the centres in `means`, which is the product of its signs."""
        return jnp.prod(every_sign(self.k), axis=1)

    @property
    def bayes_error(self) -> float:
        """The least error of any classifier, namely of the product of the signs of x_1, …, x_k.

        This rule is wrong when the noise flips an odd number of the k signs. A sign is flipped with
        probability q = Phi(-1/sigma), so the error is (1 - (1 - 2q)^k) / 2.
        """
        q = 0.5 * math.erfc(1 / (math.sqrt(2) * self.sigma))
        return (1 - (1 - 2 * q) ** self.k) / 2

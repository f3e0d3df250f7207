r"""Test error on Gaussian clusters: from a sample, and by a bound (certificate) beyond sampling.

    x ~ N(mu, sigma^2 I)      f(x) = sum_j a_j relu(w_j.x)      y the clean label of the cluster

The mean of f has a closed form: with u_j = <w_j, mu> and s_j = sigma ||w_j||,

    E f(x) = sum_j a_j (u_j Phi(u_j/s_j) + s_j phi(u_j/s_j)).

f is Lipschitz with L = ||a|| ||W||_op, because |f(x) - f(x')| <= ||a|| ||W(x - x')||, and a
Lipschitz function of Gaussians concentrates (Borell; Tsirelson, Ibragimov & Sudakov):

    P(y f(x) <= 0) <= exp(-(E y f)^2/(2 L^2 sigma^2))    where E y f > 0,    else <= 1.

The bound can prove errors as small as 1e-50 or 1e-200; a sample of N points cannot show errors
below 3/N. All clusters have equal weight, so the bound on the total error is the mean of the bounds
of the clusters.

**Odd and even.** relu(z) = z/2 + |z|/2, so the odd part (f(x) - f(-x))/2 = <sum_j a_j w_j, x>/2
is linear. If x and -x have the same law, even and odd functions are orthogonal: the odd part is the
best linear fit of f in L^2, and E f_even^2/E f^2 is the fraction of f that no linear function has.
(All this is for networks without biases.)
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.special import logsumexp, ndtr
from jaxtyping import Float, Key

from featlearn._record import bound, record
from featlearn.distributions import Clusters
from featlearn.networks import Params, TwoLayer
from featlearn.training import Quantity
from featlearn.training.data import points_at_once

SLICE_BYTES = 64 * 2**20
EXACT = 256
"""At most so many eigenvalues are computed; of more, only a bound on the largest."""
SQUARINGS = 9
"""The bound is at most m^(1/1024) times the largest eigenvalue of m: 0.7 % at m = 1000."""
LARGE = 1500
"""Beyond so many rows one squaring has to do, for a factor of m^(1/4)."""
ROUNDING = 1e-4
"""What float32 may take off the bound; it is added."""


def expected_relu(
    mean: Float[Array, "clusters neurons"], sd: Float[Array, " neurons"]
) -> Float[Array, "clusters neurons"]:
    """Return E relu(mean + sd g) for a standard normal g.

    Example:
        >>> found = expected_relu(jnp.array([[0.0, -2.0]]), jnp.array([1.0, 0.0]))
        >>> [round(float(value), 4) for value in found[0]]
        [0.3989, 0.0]
    """
    t = mean / jnp.where(sd > 0, sd, 1.0)
    smooth = mean * ndtr(t) + sd * jnp.exp(-(t**2) / 2) / jnp.sqrt(2 * jnp.pi)
    return jnp.where(sd > 0, smooth, jnp.maximum(mean, 0))


def expected_margins(
    params: Params,
    means: Float[Array, "clusters inputs"],
    labels: Float[Array, " clusters"],
    sigma: float | Float[Array, ""],
) -> Float[Array, " clusters"]:
    """Return E y f(x) for each cluster N(mean, sigma^2 I), where f is a sum of ReLU neurons."""
    sd = sigma * jnp.linalg.norm(params.w, axis=1)
    return labels * (expected_relu(means @ params.w.T, sd) @ params.a)


def lipschitz(params: Params) -> Float[Array, ""]:
    """Return L = ||a|| ||W||_op, by the eigenvalues of the smaller of W W^T and W^T W.

    If that matrix has more than `EXACT` rows, an upper bound is returned instead; see
    `largest_eigenvalue_bound`.
    """
    w = params.w
    size = jnp.max(jnp.abs(w)) + np.finfo(w.dtype).tiny
    unit = w / size
    products = unit @ unit.T if w.shape[0] <= w.shape[1] else unit.T @ unit
    if len(products) <= EXACT:
        square = jnp.maximum(jnp.linalg.eigvalsh(products)[-1], 0)
    else:
        square = largest_eigenvalue_bound(products, SQUARINGS if len(products) <= LARGE else 1)
    return jnp.linalg.norm(params.a) * size * jnp.sqrt(square)


def largest_eigenvalue_bound(
    P: Float[Array, "m m"], squarings: int = SQUARINGS
) -> Float[Array, ""]:
    """Return ||P^q||_F^(1/q) with q = 2^squarings, for P with eigenvalues >= 0.

    This is the q-th root of (sum lambda^2q)^(1/2), so it is at least the largest eigenvalue and
    at most m^(1/2q) times that. At m = 1000 these few products are four times as fast as all
    eigenvalues.

    Example:
        >>> round(float(largest_eigenvalue_bound(jnp.diag(jnp.array([3.0, 1.0, 0.5])))), 2)
        3.0
    """
    norm = jnp.linalg.norm(P)
    power, logarithm = P / norm, jnp.log(norm)
    for k in range(1, squarings + 1):
        power = power @ power
        norm = jnp.linalg.norm(power)
        power, logarithm = power / norm, logarithm + jnp.log(norm) / 2**k
    return jnp.exp(logarithm) * (1 + ROUNDING)


def certified_exponents(
    margins: Float[Array, " clusters"], constant: Float[Array, ""], sigma: float | Float[Array, ""]
) -> Float[Array, " clusters"]:
    """Return h = (E y f)^2/(2 L^2 sigma^2), or 0 where E y f <= 0.

    The error on a cluster is at most exp(-h).
    """
    return jnp.maximum(margins, 0) ** 2 / (2 * (constant * sigma) ** 2)


def log10_certificate(exponents: Float[Array, " clusters"]) -> Float[Array, ""]:
    """Return log10 of the mean of exp(-exponent) over the clusters, without underflow.

    Example:
        >>> float(log10_certificate(jnp.array([1000.0, 1000.0]))).__round__(2)
        -434.29
    """
    return (logsumexp(-exponents) - jnp.log(len(exponents))) / jnp.log(10.0)


@record(numbers=("law", "network"))
class ClusterTest:
    """Records the error on fresh points with clean labels, its certified bound, and linearity."""

    samples: int = 1000
    """Number of fresh points."""
    law: Clusters | None = None
    """A law of clusters with Gaussian noise."""
    network: TwoLayer | None = None
    """Two layers of ReLU neurons without biases."""
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        each = ("cluster",)
        return {
            "test_accuracy": Quantity(
                dims=(), meaning="share of fresh points whose clean label is that of f(x)"
            ),
            "cluster_accuracy": Quantity(dims=each, meaning="the same for each cluster"),
            "expected_margin": Quantity(dims=each, meaning="margin E y f(x), in closed form"),
            "log10_certificate": Quantity(
                dims=(), meaning="log10 of a bound of the test error, by Lipschitz concentration"
            ),
            "even_share": Quantity(
                dims=(), meaning="E f_even^2/E f^2: the share of f that no linear function has"
            ),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays; points are drawn in slices, so that memory stays bounded."""
        law = bound(self.law, "ClusterTest", "a law")
        network = bound(self.network, "ClusterTest", "a network")
        size = points_at_once(self.samples, law.d, params, SLICE_BYTES)

        def judge(i: Array) -> tuple[Array, Array, Array, Array]:
            draw = law.draw(size, key=jax.random.fold_in(key, i))
            z = network.preactivations(params, draw.x)
            f, back = (network.readout(params, network.activation.value(v)) for v in (z, -z))
            use = jnp.arange(size) + i * size < self.samples
            member = use & (jnp.arange(len(law.mean_labels))[:, None] == draw.cluster)
            right = (member & (draw.clean * f > 0)).sum(axis=1)
            even, whole = ((f + back) / 2) ** 2, f**2
            return right, member.sum(axis=1), _over(even, use), _over(whole, use)

        found = jax.lax.map(judge, jnp.arange(-(-self.samples // size)))
        right, seen, even, whole = (each.sum(axis=0) for each in found)
        margins = expected_margins(params, law.means, law.mean_labels, law.sigma)
        exponents = certified_exponents(margins, lipschitz(params), law.sigma)
        return {
            "test_accuracy": right.sum() / self.samples,
            "cluster_accuracy": right / seen,
            "expected_margin": margins,
            "log10_certificate": log10_certificate(exponents),
            "even_share": even / whole,
        }


def _over(values: Float[Array, " samples"], use: Array) -> Float[Array, ""]:
    return jnp.where(use, values, 0).sum()

r"""Clusters at opposite ends of orthonormal directions, labelled like XOR, with flipped labels.

    d   inputs       k   directions mu_1 … mu_k, orthonormal        2k   clusters, centres ±mu_i
    z   noise: log-concave, mean 0, covariance sigma^2 I            x = mu + z

A cluster is drawn uniformly. Its *clean* label is +1 for ±mu_1, -1 for ±mu_2, and so on in turn;
k = 2 is the distribution of Frei, Chatterji & Bartlett (2022, section 2). The observed label is
the clean one, flipped with probability eta(x), whose mean is `flips`:

random        eta(x) = flips, a number for all clusters or one for each
adversarial   eta(x) is 0 or 1: a point is flipped if its noise coordinate z_i exceeds the
              (1 - flips)-quantile of its law, where mu_i is the next direction: such noise
              points most towards the next centre

The laws of z/sigma are "gaussian"; "ball", uniform on the ball of radius sqrt(d + 2); "cube",
uniform on [-sqrt 3, sqrt 3]^d; "laplace", with independent coordinates of density
exp(-sqrt2 |t|)/sqrt2; or a function of (m, d, key) that returns `m` vectors z/sigma. z_i is a
coordinate in the standard basis, to which the default directions belong.

The rule sgn(|mu_1.x| - |mu_2.x|) of appendix D is wrong on a clean label with a probability that
has a closed form for Gaussian noise. Turn the plane by 45 degrees: in the cluster mu_1, s and t =
(mu_1 ± mu_2).x/sqrt2 are independent N(1/sqrt2, sigma^2), and the rule is wrong where s t < 0. So
with q = 1/(sigma sqrt 2),

    p = 2 Phi(q) Phi(-q),      and with random flips the error is   mean(eta + (1 - 2 eta) p).

The rule is the Bayes rule for Gaussian noise: the log-likelihood ratio of the clean labels is
log cosh(mu_1.x/sigma^2) - log cosh(mu_2.x/sigma^2), which has the sign of |mu_1.x| - |mu_2.x|.
"""

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.special import betainc, ndtr
from jaxtyping import Bool, Float, Int, Key

from featlearn._check import require, require_one_of, require_positive
from featlearn._record import record
from featlearn.distributions.batch import Batch, Distribution

NOISES = ("gaussian", "ball", "cube", "laplace")
CORRUPTIONS = ("random", "adversarial")
PROBES = 4096
"""Points on which a noise of the user's own is examined."""

Noise = Callable[[int, int, Key[Array, ""]], Array]


@record(numbers=("x", "y", "clean", "cluster"))
class Draw:
    """Sampled points with their clean labels and clusters, which a learner does not see."""

    x: Float[Array, "samples inputs"]
    y: Float[Array, " samples"]
    clean: Float[Array, " samples"]
    """The label before any flip."""
    cluster: Int[Array, " samples"]
    """The place of its centre in `means`."""

    @property
    def noisy(self) -> Bool[Array, " samples"]:
        """Whether each point has a flipped label; Frei et al. call the set of such points N."""
        return self.y != self.clean

    @property
    def batch(self) -> Batch:
        """The points with their observed labels, which is what a learner sees."""
        return Batch(x=self.x, y=self.y)


@runtime_checkable
class HasCentres(Distribution, Protocol):
    """A law of points around labelled centres."""

    @property
    def means(self) -> Float[Array, "clusters inputs"]:
        """The cluster centres, one per row."""
        ...

    @property
    def mean_labels(self) -> Float[Array, " clusters"]:
        """The label of each centre before any flip."""
        ...


@runtime_checkable
class DrawsClusters(Distribution, Protocol):
    """A law of points in clusters whose sampler also returns the cluster of each point."""

    @property
    def mean_labels(self) -> Float[Array, " clusters"]:
        """The label of each cluster before any flip."""
        ...

    def draw(self, m: int, *, key: Key[Array, ""]) -> Draw:
        """Draw `m` points with their observed labels, clean labels and clusters."""
        ...


@record(numbers=("sigma", "flips", "directions"))
class Clusters:
    """The law of clusters around ±mu_1, …, ±mu_k with noise and flipped labels."""

    d: int
    """Input dimension."""
    sigma: float
    """Standard deviation of the noise, per coordinate."""
    flips: float | tuple[float, ...] = 0.0
    """Probability of a flip: one for all, or one a cluster in the order of `means`."""
    k: int = 2
    """Number of directions; there are 2k clusters."""
    noise: str | Noise = "gaussian"
    """"gaussian", "ball", "cube", "laplace", or a function of (m, d, key) that draws unit noise."""
    corruption: str = "random"
    """Which labels are flipped: "random", or "adversarial" (the points that lean furthest)."""
    directions: Float[Array, "k inputs"] | None = None
    """Orthonormal rows; None is the first k of the standard basis."""

    def __post_init__(self) -> None:
        require(2 <= self.k <= self.d, "Clusters(k)", "2 <= k <= d", f"k={self.k}, d={self.d}")
        require_positive(self.sigma, "Clusters(sigma)")
        require_one_of(self.corruption, CORRUPTIONS, "Clusters(corruption)")
        self._require_flips()
        if self.directions is not None:
            self._require_orthonormal(np.asarray(self.directions))
        if callable(self.noise):
            _require_isotropic(self.noise, self.d)
            fair = self.corruption == "random"
            require(fair, "Clusters(corruption)", "'random' for a noise of your own", "adversarial")
        else:
            require_one_of(self.noise, NOISES, "Clusters(noise)")

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent points with their observed labels, some of which are flipped."""
        return self.draw(m, key=key).batch

    def draw(self, m: int, *, key: Key[Array, ""]) -> Draw:
        """Return the points of `sample` for the same key, with their clean labels and clusters.

        Example:
            >>> draw = Clusters(d=2, sigma=0.1, flips=0.2).draw(1000, key=jax.random.key(0))
            >>> 150 < int(draw.noisy.sum()) < 250
            True
        """
        return _draw(self, m, key)

    @property
    def means(self) -> Float[Array, "clusters inputs"]:
        """The cluster centres, in the order +mu_1, -mu_1, +mu_2, -mu_2, …"""
        mu = jnp.eye(self.k, self.d) if self.directions is None else self.directions
        return jnp.stack([mu, -mu], axis=1).reshape(2 * self.k, self.d)

    @property
    def relevant_directions(self) -> Float[Array, "k inputs"]:
        """The rows mu_1, …, mu_k, whose span contains all that the clean label depends on."""
        return self.means[::2]

    @property
    def mean_labels(self) -> Float[Array, " clusters"]:
        """The clean label of each cluster: +1, +1, -1, -1, +1, +1, …"""
        return 1.0 - 2.0 * ((jnp.arange(2 * self.k) // 2) % 2)

    @property
    def second_moment(self) -> float | Float[Array, ""]:
        """The mean squared length of a point, E ||x||^2 = 1 + d sigma^2."""
        return 1 + self.d * self.sigma**2

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The names of the clusters, in the order of `means`, and of the directions, for tables."""
        directions = tuple(f"mu{i + 1}" for i in range(self.k))
        clusters = tuple(f"{sign}{name}" for name in directions for sign in "+-")
        return {"cluster": clusters, "direction": directions}

    @property
    def noise_sd(self) -> float | Float[Array, ""] | None:
        """The standard deviation sigma if the noise is Gaussian, and None for any other noise.

        Gaussian noise has the same law in every orthonormal basis. The value is also None if labels
        are flipped adversarially and `directions` are given, for flips depend on the standard basis
        then.
        """
        turnable = self.directions is None or self.corruption == "random"
        return self.sigma if self.noise == "gaussian" and turnable else None

    def in_dimensions(self, d: int) -> "Clusters":
        """Return the law of the same clusters and noise in d dimensions.

        The directions are then the first k standard basis vectors.
        """
        return dataclasses.replace(self, d=d, directions=None)

    def classify(self, x: Float[Array, "samples inputs"]) -> Float[Array, " samples"]:
        """Return the margin of the rule of Frei et al., appendix D; its sign predicts the label.

        The margin is max |mu_i.x| over the directions of label +1, less the same maximum over the
        directions of label -1. For k = 2 a network of four ReLU neurons can compute it.
        """
        along = jnp.abs(x @ self.means[::2].T)
        return along[:, ::2].max(axis=1) - along[:, 1::2].max(axis=1)

    @property
    def flip_rate(self) -> float:
        """The mean probability of a flip over the clusters."""
        return float(np.mean(self.flips))

    @property
    def classifier_error(self) -> float:
        """The probability, for Gaussian noise, that the sign of `classify` is not the clean label.

        For k = 2 it has a closed form. For an even k > 2 it is an integral over s of P(max over the
        +1 directions <= s) against the density of the max over the -1 directions, for a point of a
        cluster with label +1; an even k makes the two labels alike.
        """
        require(self.noise == "gaussian", "Clusters.classifier_error", "Gaussian noise", self.noise)
        from scipy.integrate import quad
        from scipy.stats import norm

        sigma = float(self.sigma)
        if self.k == 2:
            q = 1 / (sigma * math.sqrt(2))
            return float(2 * norm.cdf(q) * norm.cdf(-q))
        require(self.k % 2 == 0, "Clusters.classifier_error", "an even k", self.k)
        half = self.k // 2

        def away(s: float) -> float:
            """Return P(max over the +1 directions <= s) for a point with label +1."""
            own = norm.cdf((s - 1) / sigma) - norm.cdf((-s - 1) / sigma)
            return float(own * (2 * norm.cdf(s / sigma) - 1) ** (half - 1))

        def density(s: float) -> float:
            """Return the density at s of the largest of `half` absolute Gaussians."""
            low = 2 * norm.cdf(s / sigma) - 1
            return float(half * low ** (half - 1) * 2 * norm.pdf(s / sigma) / sigma)

        integral = quad(lambda s: away(s) * density(s), 0, 12 * sigma, epsabs=1e-12, limit=200)
        return float(integral[0])

    @property
    def floor(self) -> float:
        """The error of `classify` on observed labels, for Gaussian noise and random flips."""
        random = self.corruption == "random"
        require(random, "Clusters.floor", "random flips", self.corruption)
        eta, p = np.asarray(self.flips, float), self.classifier_error
        return float(np.mean(eta + (1 - 2 * eta) * p))

    def _require_flips(self) -> None:
        count = np.size(self.flips)
        each = np.ndim(self.flips) == 0 or count == 2 * self.k
        require(each, "Clusters(flips)", f"one number, or {2 * self.k}: one a cluster", count)
        least, most = float(np.min(self.flips)), float(np.max(self.flips))
        require(
            least >= 0 and most < 0.5,
            "Clusters(flips)",
            "probabilities from 0 to below 1/2",
            most if least >= 0 else least,
            "From 1/2 on the labels carry no trace of the clean ones.",
        )

    def _require_orthonormal(self, mu: np.ndarray) -> None:
        expected = f"{self.k} orthonormal rows of length {self.d}"
        shaped = mu.shape == (self.k, self.d)
        require(shaped, "Clusters(directions)", expected, f"an array of shape {mu.shape}")
        error = float(np.abs(mu @ mu.T - np.eye(self.k)).max())
        require(
            error < 1e-4,
            "Clusters(directions)",
            expected,
            f"rows whose products differ from 0 and 1 by {error:.2g}",
            "Orthonormalise them by a QR factorisation.",
        )


@functools.partial(jax.jit, static_argnums=1)
def _draw(clusters: Clusters, m: int, key: Key[Array, ""]) -> Draw:
    """Draw points for `Clusters.draw`, in one compiled function."""
    of_cluster, of_noise, of_flip = jax.random.split(key, 3)
    cluster = jax.random.randint(of_cluster, (m,), 0, 2 * clusters.k)
    unit = _unit_noise(clusters.noise, m, clusters.d, of_noise)
    x = clusters.means[cluster] + clusters.sigma * unit
    clean = clusters.mean_labels[cluster]
    rate = jnp.broadcast_to(jnp.asarray(clusters.flips, x.dtype), (2 * clusters.k,))[cluster]
    if clusters.corruption == "random":
        chance = jax.random.uniform(of_flip, (m,), x.dtype)
    else:
        following = (cluster // 2 + 1) % clusters.k
        lean = jnp.take_along_axis(unit, following[:, None], axis=1)[:, 0]
        chance = _upper_tail(clusters.noise, lean, clusters.d)
    return Draw(x=x, y=jnp.where(chance < rate, -clean, clean), clean=clean, cluster=cluster)


def _unit_noise(noise: str | Noise, m: int, d: int, key: Key[Array, ""]) -> Float[Array, "{m} {d}"]:
    """Return `m` noise vectors of mean 0 and covariance I."""
    if callable(noise):
        return noise(m, d, key)
    if noise == "gaussian":
        return jax.random.normal(key, (m, d))
    if noise == "cube":
        return math.sqrt(3) * jax.random.uniform(key, (m, d), minval=-1.0, maxval=1.0)
    if noise == "laplace":
        return jax.random.laplace(key, (m, d)) / math.sqrt(2)
    of_direction, of_radius = jax.random.split(key)
    g = jax.random.normal(of_direction, (m, d))
    radius = jax.random.uniform(of_radius, (m, 1)) ** (1 / d) * math.sqrt(d + 2)
    return radius * g / jnp.linalg.norm(g, axis=1, keepdims=True)


def _upper_tail(
    noise: str | Noise, z: Float[Array, " samples"], d: int
) -> Float[Array, " samples"]:
    """Return P(t > z), where t is one coordinate of unit noise in d dimensions."""
    if noise == "gaussian":
        return ndtr(-z)
    if noise == "cube":
        return (1 - z / math.sqrt(3)) / 2
    if noise == "laplace":
        half = jnp.exp(-math.sqrt(2) * jnp.abs(z)) / 2
        return jnp.where(z > 0, half, 1 - half)
    shape = (d + 1) / 2.0
    return betainc(shape, shape, jnp.clip((1 - z / math.sqrt(d + 2)) / 2, 0, 1))


def _require_isotropic(noise: Noise, d: int) -> None:
    """Raise `InputError` unless a user's noise function has mean 0 and covariance I.

    Means and variances are estimated from `PROBES` vectors along the axes and along as many random
    directions (at most 64). A deviation of eight standard errors is allowed.
    """
    of_noise, of_directions = jax.random.split(jax.random.key(0))
    z = np.asarray(noise(PROBES, d, of_noise), float)
    shaped = z.shape == (PROBES, d)
    require(shaped, "Clusters(noise)", f"an array of shape {(PROBES, d)}", f"shape {z.shape}")
    g = np.asarray(jax.random.normal(of_directions, (d, min(d, 64))), float)
    along = np.concatenate([z, z @ (g / np.linalg.norm(g, axis=0))], axis=1)
    mean, variance = along.mean(0), along.var(0)
    spread = np.sqrt(np.maximum(((along - mean) ** 4).mean(0) - variance**2, 0) / PROBES)
    centred = bool(np.all(np.abs(mean) <= 8 * np.sqrt(variance / PROBES) + 1e-6))
    round_ = bool(np.all(np.abs(variance - 1) <= 8 * spread + 1e-6))
    require(
        centred and round_,
        "Clusters(noise)",
        "mean 0 and covariance I",
        f"means up to {np.abs(mean).max():.2g}, variances {variance.min():.2g} to "
        f"{variance.max():.2g}",
    )

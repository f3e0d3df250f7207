r"""The expectations E s(z) s(z') and E s'(z) s'(z') for jointly Gaussian pre-activations z, z'.

The pre-activations z and z' have the mean m, the variances v and v', and the covariance c. For
s(z) = sum_i c_i relu(z - k_i) both expectations are sums over pairs of hinges k_i. For X, Y
standard normal with correlation r and thresholds h, l each term is

    P(X > h, Y > l)          = L(h, l; r)                                  (Owen's T function)
    E (X - h)_+ (Y - l)_+    = (r + h l) L - l phi(h) Q((l - r h)/q) - h phi(l) Q((h - r l)/q)
                               + q/(2 pi) exp(-(h^2 - 2 r h l + l^2)/(2 q^2)),    q^2 = 1 - r^2

where phi is the density of N(0, 1) and Q its upper tail. These formulas are exact. Any other
activation is integrated by Gauss-Hermite quadrature in two dimensions, z = m + sqrt(v) u, z' = m +
sqrt(v') (r u + q w): exact for polynomials, and for smooth activations up to an error that falls
geometrically in the number of nodes.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.special import ndtr, owens_t

from featlearn.networks import Activation

NODES = 32
"""Of the quadrature, in each of the two dimensions."""

Vector = Float[np.ndarray, " samples"]
Covariance = Float[np.ndarray, "samples others"]
Sums = tuple[jax.Array, jax.Array]
_TINY = 1e-150
_FLOOR = 1e-12


def pair_expectations(
    s: Activation,
    mean: float,
    variance: Vector,
    other_variance: Float[np.ndarray, " others"],
    covariance: Covariance,
) -> tuple[Covariance, Covariance]:
    """Return the matrices E s(z) s(z') and E s'(z) s'(z') for all pairs of points.

    Rows are the points of `variance`, columns those of `other_variance`.

    Example:
        >>> from featlearn.networks import RELU
        >>> one = np.ones(1)
        >>> [float(v[0, 0].round(4)) for v in pair_expectations(RELU, 0.0, one, one, np.eye(1))]
        [0.5, 0.5]
    """
    sd = np.maximum(np.sqrt(variance), _FLOOR)[:, None]
    other_sd = np.maximum(np.sqrt(other_variance), _FLOOR)
    r = np.clip(covariance / (sd * other_sd), -1, 1)
    if s.hinges:
        return _of_hinges(s.hinges, mean, sd, other_sd, r)
    return _by_quadrature(s, mean, sd, other_sd, r)


def both_above(h: np.ndarray, l: np.ndarray, r: np.ndarray) -> np.ndarray:  # noqa: E741
    """Return P(X > h, Y > l) for standard normals of correlation r (Owen 1956, equation 2.1).

    Example:
        >>> zero = np.zeros(1)
        >>> both_above(zero, zero, np.array([0.5])).round(6)  # 1/4 + arcsin(r)/(2 pi)
        array([0.333333])
    """
    a, b = (np.where(t == 0, _TINY, -t) for t in (h, l))
    q = np.sqrt((1 - r) * (1 + r))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slopes = (b - r * a) / (a * q), (a - r * b) / (b * q)
    # 0/0 happens only for a = ±b at r = ±1, where the limit of the slope is 0.
    first, second = (np.nan_to_num(slope, nan=0.0) for slope in slopes)
    return (ndtr(a) + ndtr(b) - (a * b < 0)) / 2 - owens_t(a, first) - owens_t(b, second)


def _of_hinges(
    hinges: tuple[tuple[float, float], ...],
    mean: float,
    sd: np.ndarray,
    other_sd: np.ndarray,
    r: Covariance,
) -> tuple[Covariance, Covariance]:
    r = np.clip(r, -1 + 1e-15, 1 - 1e-15)
    q = np.sqrt((1 - r) * (1 + r))
    values, slopes = np.zeros_like(r), np.zeros_like(r)
    for c, k in hinges:
        for c2, k2 in hinges:
            h = np.broadcast_to((k - mean) / sd, r.shape)
            l = np.broadcast_to((k2 - mean) / other_sd, r.shape)  # noqa: E741
            both = both_above(h, l, r)
            meet = ((h - l) ** 2 + 2 * (1 - r) * h * l) / (2 * q**2)
            product = (
                (r + h * l) * both
                - l * _density(h) * ndtr((r * h - l) / q)
                - h * _density(l) * ndtr((r * l - h) / q)
                + q / (2 * np.pi) * np.exp(-np.maximum(meet, 0))
            )
            values += c * c2 * sd * other_sd * product
            slopes += c * c2 * both
    return values, slopes


def _density(t: np.ndarray) -> np.ndarray:
    return np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)


def _by_quadrature(
    s: Activation, mean: float, sd: np.ndarray, other_sd: np.ndarray, r: Covariance
) -> tuple[Covariance, Covariance]:
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights = weights / weights.sum()
    u, w = (grid.ravel() for grid in np.meshgrid(nodes, nodes, indexing="ij"))
    both = np.outer(weights, weights).ravel()

    with jax.enable_x64(True):
        q = jnp.sqrt((1 - r) * (1 + r))

        def add(total: Sums, node: jax.Array) -> tuple[Sums, None]:
            z = jnp.asarray(mean + sd * node[0])
            z2 = jnp.asarray(mean + other_sd * (r * node[0] + q * node[1]))
            values = s.value(z) * s.value(z2)
            slopes = s.derivative(z) * s.derivative(z2)
            return (total[0] + node[2] * values, total[1] + node[2] * slopes), None

        zero = jnp.zeros_like(q)
        total, _ = jax.lax.scan(add, (zero, zero), jnp.stack([u, w, both], axis=1))
    return np.asarray(total[0]), np.asarray(total[1])

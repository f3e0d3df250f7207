r"""Parities of k directions hidden in noise; for k = 2 the law is the XOR of Glasgow (2023).

    d   inputs          k   relevant directions         Q   (d, d) orthonormal rows, the basis

Of the coordinates u = Q x the first k are the signal and the others are noise. All are independent
with mean 0 and variance 1, and the label is

    y = sign * u_1 u_2 ... u_k     (the sign of this product, if the signal is Gaussian).

The signal and the noise are each Boolean (fair signs) or Gaussian. With both Boolean and Q = I, x
is uniform on the cube {-1,1}^d (Glasgow, section 2); with any other Q, on a rotated cube (Remark
2.1).
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_one_of
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.bits import every_sign, random_words, signs
from featlearn.distributions.packed import PackedBatch, Words, bits_at

LAWS = ("boolean", "gaussian")
NAMED = 10
"""Largest k for which all 2^k clusters have names."""
ENUMERABLE = 20
"""Largest d for which all 2^d points are written down."""


@record(numbers=("basis",))
class Parity:
    """The law of points labelled by the parity of k coordinates in an orthonormal basis."""

    d: int
    """Input dimension."""
    k: int = 2
    """Number of bits that make the label."""
    sign: int = -1
    """y = sign * u_1...u_k; Glasgow's XOR has -1."""
    signal: str = "boolean"
    """The law of these k coordinates: "boolean" (fair signs) or "gaussian"."""
    noise: str = "boolean"
    """The law of the other coordinates: "boolean" or "gaussian"."""
    basis: Float[Array, "inputs inputs"] | None = None
    """Orthonormal rows; None is the standard basis."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.d, "Parity(k)", "1 <= k <= d", f"k={self.k}, d={self.d}")
        require(self.sign in (-1, 1), "Parity(sign)", "1 or -1", self.sign)
        require_one_of(self.signal, LAWS, "Parity(signal)")
        require_one_of(self.noise, LAWS, "Parity(noise)")
        require_basis(self.basis, self.d, "Parity(basis)")

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent points x = Q^T u with their labels."""
        of_signal, of_noise = jax.random.split(key)
        if self.signal == self.noise == "boolean":
            u = signs(m, self.d, key=of_noise)
        else:
            parts = (
                _draw(self.signal, m, self.k, of_signal),
                _draw(self.noise, m, self.d - self.k, of_noise),
            )
            u = jnp.concatenate(parts, axis=1)
        return Batch(x=u if self.basis is None else u @ self.basis, y=self._label(u))

    @property
    def packs(self) -> bool:
        """Whether points can be packed as bits, that is whether every x is a vector of signs."""
        return self.signal == self.noise == "boolean" and self.basis is None

    def packed(self, m: int, *, key: Key[Array, ""], words: Words = random_words) -> PackedBatch:
        """Return the points that `sample` gives for the same key as bits, if they are signs."""
        drawn = words(m, self.d, jax.random.split(key)[1])
        return PackedBatch(d=self.d, words=drawn, y=self._label(bits_at(drawn, range(self.k))))

    def support(self) -> Batch:
        """Return every point with its label and probability, for Boolean laws with d <= 20."""
        require(
            self.signal == self.noise == "boolean" and self.d <= ENUMERABLE,
            "Parity.support()",
            f"Boolean signal and noise and d <= {ENUMERABLE}",
            f"signal={self.signal!r}, noise={self.noise!r}, d={self.d}",
            "Sample instead.",
        )
        u = every_sign(self.d)
        x = u if self.basis is None else u @ self.basis
        return Batch(x=x, y=self._label(u), weight=jnp.full(len(u), 1 / len(u)))

    def label(self, x: Float[Array, "samples inputs"]) -> Float[Array, " samples"]:
        """Return the labels of given points x."""
        return self._label(x @ self.directions.T)

    @property
    def directions(self) -> Float[Array, "k inputs"]:
        """The k relevant unit directions, which are the first k rows of Q."""
        return jnp.eye(self.k, self.d) if self.basis is None else self.basis[: self.k]

    @property
    def relevant_directions(self) -> Float[Array, "k inputs"]:
        """The orthonormal rows whose span contains all that the label depends on: `directions`."""
        return self.directions

    @property
    def means(self) -> Float[Array, "clusters inputs"]:
        """The 2^k cluster centres mu = Q^T (u_1, …, u_k, 0, …, 0) for signs u_1, …, u_k.

        Up to a factor they are the means of x given the signs of the signal.

        For k = 2 they are in the order +mu1, -mu1, +mu2, -mu2 of Glasgow, with mu1 = q1 - q2 and
        mu2 = q1 + q2 for the rows q1, q2 of Q.
        """
        if self.k == 2:
            corners = jnp.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
        else:
            corners = every_sign(self.k)
        return corners @ self.directions

    @property
    def mean_labels(self) -> Float[Array, " clusters"]:
        """The label of each of the centres in `means`."""
        return self.label(self.means)

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The names of the clusters, in the order of `means`, for tables."""
        if self.k == 2:
            return {"cluster": ("+mu1", "-mu1", "+mu2", "-mu2")}
        if self.k > NAMED:
            return {}
        signs_of = ["".join("-+"[i >> j & 1] for j in range(self.k)) for i in range(2**self.k)]
        return {"cluster": tuple(signs_of)}

    @property
    def noise_sd(self) -> float | None:
        """The standard deviation 1 if the noise is Gaussian; None if it is Boolean.

        Gaussian noise has the same law in every orthonormal basis, Boolean noise has not.
        """
        return 1.0 if self.noise == "gaussian" else None

    def in_dimensions(self, d: int) -> "Parity":
        """Return the same law in d dimensions: first the signal, then the noise coordinates."""
        return dataclasses.replace(self, d=d, basis=None)

    @property
    def bayes_error(self) -> float:
        """The least error of any classifier: 0, because the label is a function of x."""
        return 0.0

    def _label(self, u: Float[Array, "samples _"]) -> Float[Array, " samples"]:
        return self.sign * jnp.prod(jnp.sign(u[:, : self.k]), axis=1)


def rotation(d: int, *, key: Key[Array, ""]) -> Float[Array, "{d} {d}"]:
    """Return an orthogonal d by d matrix drawn uniformly (from the Haar measure).

    It is the transposed factor Q in the QR factorisation of a Gaussian matrix, with the signs that
    make the diagonal of R positive.
    """
    Q, R = jnp.linalg.qr(jax.random.normal(key, (d, d)))
    return (Q * jnp.sign(jnp.diag(R))).T


def require_basis(basis: object, d: int, where: str) -> None:
    """Raise `InputError` if `basis` is an array whose rows are not d orthonormal vectors."""
    if not isinstance(basis, Array | np.ndarray):
        return
    require(
        basis.shape == (d, d),
        where,
        f"{d} orthonormal rows of length {d}",
        f"an array of shape {basis.shape}",
    )
    error = float(jnp.abs(basis @ basis.T - jnp.eye(d)).max())
    require(
        error < 1e-4,
        where,
        f"{d} orthonormal rows",
        f"rows whose products differ from 0 and 1 by {error:.2g}",
        "Take `rotation(d, key=...)` or orthonormalise by a QR factorisation.",
    )


def _draw(law: str, m: int, n: int, key: Key[Array, ""]) -> Float[Array, "{m} {n}"]:
    return signs(m, n, key=key) if law == "boolean" else jax.random.normal(key, (m, n))

r"""Three ways to compute a fit: by the kernel, by stored features, or by maps without either.

    kernel      n <= N, or only a kernel:   f = f0 + K(x, sample) c        an n x n matrix
    features    N < n:                      f = f0 + phi(x) theta          phi formed, n x N
    operator    both too large to form:     theta -> theta . phi and its adjoint, by JAX

Here n is the number of points and N that of features. For squared loss, with W the diagonal matrix
of the weights of the points, r = y - f0 and the penalty lam |theta|^2, the equations are

    kernel      (W^1/2 K W^1/2 + 2 lam I) u = W^1/2 r,     c = W^1/2 u
    features    (phi^T W phi + 2 lam I) theta = phi^T W r

Other losses need features; in the kernel form these are the rows of the Cholesky factor of K.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from featlearn._check import InputError
from featlearn.baselines.convex import Formed, Problem, minimise
from featlearn.baselines.family import Family, Numbers, features, gram
from featlearn.baselines.ridge import shifted_solutions
from featlearn.training import Loss

LARGEST = 20_000
"""Largest n of which an n x n matrix is formed."""

FORMED = 2**28
"""Largest number of entries of a formed n x N matrix (2 GiB)."""

JITTER = 1e-10
"""What `kernel_factor` adds to the diagonal of K, in units of its mean."""

FORMS = ("kernel", "features", "operator")

Vector = Float[np.ndarray, " N"]
Outputs = Float[np.ndarray, " samples"]
Points = Float[np.ndarray, "samples inputs"]


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """A sample in float64: its points, labels, offsets f0(x) and weights."""

    x: Points
    y: Outputs
    offset: Outputs
    weight: Outputs


@dataclass(frozen=True, kw_only=True)
class Solution:
    """The solution for one regulariser, and whether the solver converged."""

    lam: float
    coefficients: Vector
    outputs: Outputs
    """f on the sample."""
    converged: bool
    status: str


def cheapest_form(family: Family, n: int) -> str:
    """Return the form in which `family` is fitted to n points at the least cost.

    Example:
        >>> from featlearn.baselines import linear, rbf
        >>> cheapest_form(rbf(1.0), 500), cheapest_form(linear(10), 500)
        ('kernel', 'features')
    """
    N = family.dimension
    if N is None or n <= N:
        if n <= LARGEST:
            return "kernel"
        if N is None:
            raise InputError(
                f"fit({family.name!r})",
                f"at most {LARGEST} points for a kernel without features",
                n,
                "Take fewer points, or random features of the same kernel.",
            )
        return "operator"
    return "features" if n * N <= FORMED and N <= LARGEST else "operator"


def kernel_factor(
    family: Family, x: Float[Numbers, "samples inputs"]
) -> Float[np.ndarray, "samples samples"]:
    """Return a matrix L with L L^T = K(x, x); its rows serve as features of the points x.

    Before the factorisation `JITTER` times the mean diagonal entry is added to the diagonal of K,
    so that repeated points do not make it fail.
    """
    return _factor(gram(family, x, x), family.name)


def squared_path(
    family: Family, form: str, sample: Labelled, lams: Sequence[float], tolerance: float, of: Loss
) -> list[Solution]:
    """Return the ridge solutions for every regulariser in `lams`, in closed form."""
    w, r = sample.weight, sample.y - sample.offset
    if form == "operator":
        return convex_path(family, form, sample, lams, tolerance, of)
    if form == "kernel":
        M = gram(family, sample.x, sample.x)
        if np.all(w == w[0]):
            root: Any = 1.0
            A, v, shifts = M, r, [2 * lam / w[0] for lam in lams]
        else:
            root = np.sqrt(w)
            A, v, shifts = root[:, None] * M * root, root * r, [2 * lam for lam in lams]
    else:
        M, root = features(family, sample.x), 1.0
        A, v, shifts = (M * w[:, None]).T @ M, M.T @ (w * r), [2 * lam for lam in lams]
    solutions = []
    for lam, found in zip(lams, shifted_solutions(A, v, shifts), strict=True):
        c = root * found.solution
        told = f"Linear system solved to a relative residual of {found.residual:.1g}."
        solutions.append(
            Solution(
                lam=lam,
                coefficients=c,
                outputs=sample.offset + M @ c,
                converged=found.found,
                status=told if found.found else told + " That is not enough: raise lam.",
            )
        )
    return solutions


def convex_path(
    family: Family, form: str, sample: Labelled, lams: Sequence[float], tolerance: float, of: Loss
) -> list[Solution]:
    """Return the minimisers of a convex loss for every regulariser in `lams`.

    Each minimisation starts from the solution for the regulariser before.
    """
    K = gram(family, sample.x, sample.x) if form == "kernel" else None
    if K is not None:
        design: Formed | Operator = Formed(matrix=_factor(K, family.name))
    elif form == "features":
        design = Formed(matrix=features(family, sample.x))
    else:
        design = Operator(family=family, x=sample.x)
    problem = Problem(
        design=design, loss=of, y=sample.y, offset=sample.offset, weight=sample.weight
    )
    solutions: list[Solution] = []
    theta = None
    for lam in lams:
        found = minimise(problem, lam, tolerance=tolerance, start=theta)
        theta = found.theta
        ok = found.gap <= tolerance
        told = (
            f"Objective within {found.gap:.1g} of its minimum after {found.iterations} iterations"
        )
        if K is None:
            c, change = theta, design.forward(theta)
        else:
            assert isinstance(design, Formed)
            c = solve_triangular(design.matrix, theta, lower=True, trans="T")
            change = K @ c
        solutions.append(
            Solution(
                lam=lam,
                coefficients=c,
                outputs=sample.offset + change,
                converged=ok,
                status=told + ("." if ok else f"; asked for was {tolerance:g}: raise lam."),
            )
        )
    return solutions


@dataclass(frozen=True, kw_only=True)
class Operator:
    """The map theta -> theta . phi on a sample and its adjoint, without storing phi."""

    family: Family
    x: Points

    @property
    def matrix(self) -> None:
        """The feature matrix, which is None because it is not stored."""
        return None

    @property
    def dimension(self) -> int:
        """The number N of features, which is the length of theta."""
        assert self.family.dimension is not None
        return self.family.dimension

    @functools.cached_property
    def _push(self) -> Callable[[Numbers, Numbers], Array]:
        return jax.jit(self.family.push)

    @functools.cached_property
    def _pull(self) -> Callable[[Numbers, Numbers], Array]:
        """The compiled map (v, x) -> Phi(x)^T v, which is the transpose of `push`."""

        def pull(v: Array, x: Array) -> Array:
            zero = jnp.zeros(self.dimension, x.dtype)
            return jax.vjp(lambda theta: self.family.push(theta, x), zero)[1](v)[0]

        return jax.jit(pull)

    def _slices(self) -> Iterator[slice]:
        rows = self.family.rows
        return (slice(start, start + rows) for start in range(0, len(self.x), rows))

    def forward(self, theta: Vector) -> Outputs:
        """Multiply the feature matrix Phi of the sample by theta, in slices of rows."""
        with jax.enable_x64(True):
            return np.concatenate([self._push(theta, self.x[part]) for part in self._slices()])

    def back(self, v: Outputs) -> Vector:
        """Multiply the transpose of the feature matrix Phi by v, in slices of rows."""
        total = np.zeros(self.dimension)
        with jax.enable_x64(True):
            for part in self._slices():
                total += np.asarray(self._pull(v[part], self.x[part]))
        return total


def _factor(
    K: Float[np.ndarray, "samples samples"], name: str
) -> Float[np.ndarray, "samples samples"]:
    for jitter in (JITTER, 100 * JITTER, 10_000 * JITTER):
        raised = K.copy()
        raised[np.diag_indices_from(raised)] += jitter * np.mean(np.diag(K))
        try:
            return np.asarray(cholesky(raised, lower=True, overwrite_a=True, check_finite=False))
        except LinAlgError:
            continue
    raise InputError(f"kernel_factor({name!r})", "a positive semi-definite kernel", "another one")

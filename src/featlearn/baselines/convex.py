r"""The minimum of a convex loss on fixed features, with a bound of the distance to it.

    P(theta) = sum_i w_i l(f_i, y_i) + lam |theta|^2,        f = f0 + Phi theta

Phi is the matrix of features, w_i are the weights of the points and f0 is a fixed offset. P is
strongly convex with constant 2 lam, so P(theta) - min P <= |grad P|^2 / (4 lam); this bound is
called the *gap*. The hinge loss has no gradient at its kink and is replaced by h_mu, which is
quadratic on an interval of length mu, for mu = 0.1, 0.01, … The line alpha (1 - y f) with
alpha = |h_mu'| lies below the hinge loss. At f the difference and the gap are

    hinge - alpha (1 - y f) >= 0,      gap = |grad P_mu|^2 / (4 lam) + the mean difference.

This is a gap of the hinge loss itself, and mu is reduced until it is below the tolerance. The
solver is Newton's method if Phi is stored as a matrix with at most 1024 columns, else L-BFGS
(scipy). It can start from the minimiser for another lam.
"""

import functools
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from featlearn._check import require
from featlearn.training import Loss
from featlearn.training.losses import HINGE

Vector = Float[np.ndarray, " N"]
Outputs = Float[np.ndarray, " samples"]

NEWTON = 1024
"""Up to this many formed features a step solves Newton's equations."""

_WIDTHS = tuple(10.0**-power for power in range(1, 9))
_STEPS = {"newton": 100, "lbfgs": 3000}


@runtime_checkable
class Design(Protocol):
    """The feature matrix Phi of a sample as a linear map with its adjoint.

    It need not be stored as a matrix.
    """

    @property
    def matrix(self) -> Float[np.ndarray, "samples N"] | None:
        """The matrix Phi if it is stored, else None."""
        ...

    @property
    def dimension(self) -> int:
        """The number N of features, which is the length of theta."""
        ...

    def forward(self, theta: Vector) -> Outputs:
        """Multiply the design matrix Phi by theta."""
        ...

    def back(self, v: Outputs) -> Vector:
        """Multiply the transpose of the design matrix Phi by v."""
        ...


@dataclass(frozen=True, kw_only=True)
class Formed:
    """A design whose feature matrix Phi is stored as an array."""

    matrix: Float[np.ndarray, "samples N"]

    @property
    def dimension(self) -> int:
        """The number N of features, which is the length of theta."""
        return self.matrix.shape[1]

    def forward(self, theta: Vector) -> Outputs:
        """Multiply the design matrix Phi by theta."""
        return self.matrix @ theta

    def back(self, v: Outputs) -> Vector:
        """Multiply the transpose of the design matrix Phi by v."""
        return self.matrix.T @ v


@dataclass(frozen=True, kw_only=True)
class Problem:
    """The objective P except for lam: features, loss, labels, offset f0 and weights."""

    design: Design
    loss: Loss
    y: Outputs
    offset: Outputs
    weight: Outputs

    def __post_init__(self) -> None:
        require(
            self.loss != HINGE or bool(np.all(np.abs(self.y) == 1)),
            "fit(batch): labels for the hinge loss",
            "-1 and 1",
            np.unique(self.y + 0.0)[:5],
        )


@dataclass(frozen=True, kw_only=True)
class Minimum:
    """An approximate minimiser of P and a bound of how far P is above its minimum."""

    theta: Vector
    gap: float
    """Upper bound of P(theta) - min P."""
    smooth_gap: float
    """The same for the smooth stand-in of the loss."""
    iterations: int
    smooth: Loss
    """The loss, or its smooth stand-in of the last round."""


@functools.cache
def smoothed_hinge(mu: float) -> Loss:
    """Return the smoothed hinge loss h_mu as a record with its value and derivative.

    With the margin m = y f it is 0 for m > 1, (1 - m)^2/(2 mu) for 1 - mu < m <= 1, and
    1 - m - mu/2 below.

    Example:
        >>> h = smoothed_hinge(0.5)
        >>> [float(h.value(jnp.float32(f), jnp.float32(1))) for f in (1.0, 0.5, 0.0)]
        [0.0, 0.25, 0.75]
    """

    def value(f: Array, y: Array) -> Array:
        short = jnp.clip(1 - y * f, 0)
        return jnp.where(short < mu, short**2 / (2 * mu), short - mu / 2)

    def derivative(f: Array, y: Array) -> Array:
        return -y * jnp.clip((1 - y * f) / mu, 0, 1)

    return Loss(name=f"hinge smoothed over {mu:g}", value=value, derivative=derivative)


def minimise(problem: Problem, lam: float, *, tolerance: float, start: Vector | None) -> Minimum:
    """Return an approximate minimiser of P for a given lam > 0, starting from `start` or from 0."""
    theta = np.zeros(problem.design.dimension) if start is None else start
    if problem.loss != HINGE:
        return _smooth_minimum(problem, problem.loss, lam, theta, tolerance)
    best, used = None, 0
    for mu in _WIDTHS:
        found = _smooth_minimum(problem, smoothed_hinge(mu), lam, theta, tolerance / 4)
        theta, used = found.theta, used + found.iterations
        if best is None or found.gap < best.gap:
            best = found
        if best.gap <= tolerance or found.smooth_gap > tolerance:
            break
    assert best is not None
    return Minimum(
        theta=best.theta,
        gap=best.gap,
        smooth_gap=best.smooth_gap,
        iterations=used,
        smooth=best.smooth,
    )


def _smooth_minimum(
    problem: Problem, smooth: Loss, lam: float, start: Vector, tolerance: float
) -> Minimum:
    small = problem.design.matrix is not None and problem.design.dimension <= NEWTON
    descend = _newton if small else _lbfgs
    theta, iterations = descend(problem, smooth, lam, start, np.sqrt(4 * lam * tolerance))
    f = problem.offset + problem.design.forward(theta)
    below, slope = minorant(problem.loss, smooth, f, problem.y)
    g = problem.design.back(problem.weight * slope) + 2 * lam * theta
    smooth_gap = float(g @ g) / (4 * lam)
    apart = float(problem.weight @ (values_of(problem.loss, f, problem.y)[0] - below))
    return Minimum(
        theta=theta,
        gap=smooth_gap + apart,
        smooth_gap=smooth_gap,
        iterations=iterations,
        smooth=smooth,
    )


def minorant(loss: Loss, smooth: Loss, f: Outputs, y: Outputs) -> tuple[Outputs, Outputs]:
    """Return, for every point, a line that lies below the convex `loss`: its value and slope at f.

    The slope is the derivative of `smooth` at f. If `loss` is smooth, the line is its tangent. For
    the hinge loss and a label ±1, the line of slope -alpha y with 0 <= alpha <= 1 is
    alpha (1 - y f).
    """
    values, slope, _ = values_of(smooth, f, y)
    return (slope * (f - y) if loss == HINGE else values), slope


def _newton(
    problem: Problem, loss: Loss, lam: float, start: Vector, goal: float
) -> tuple[Vector, int]:
    """Minimise P by Newton's method and return theta and the number of steps.

    A step is halved until P falls by a tenth of what its derivative along the step predicts. The
    iteration ends when the gradient has at most the norm `goal`.
    """
    phi, y, w = problem.design.matrix, problem.y, problem.weight
    assert phi is not None
    theta, f = start, problem.offset + phi @ start
    values, slope, curve = values_of(loss, f, y)
    P = float(w @ values) + lam * float(theta @ theta)
    for step in range(_STEPS["newton"]):
        g = phi.T @ (w * slope) + 2 * lam * theta
        if np.linalg.norm(g) <= goal:
            return theta, step
        bent = np.flatnonzero(w * curve > 0)
        part = phi[bent] * np.sqrt((w * curve)[bent])[:, None]
        H = part.T @ part
        H[np.diag_indices_from(H)] += 2 * lam
        move = -cho_solve(cho_factor(H, lower=True, check_finite=False), g)
        change, length, promised = phi @ move, 1.0, float(g @ move)
        for _ in range(40):
            there = theta + length * move
            values, slope, curve = values_of(loss, f + length * change, y)
            new = float(w @ values) + lam * float(there @ there)
            if new <= P + 0.1 * length * promised:
                break
            length /= 2
        else:
            return theta, step
        theta, f, P = there, f + length * change, new
    return theta, _STEPS["newton"]


def _lbfgs(
    problem: Problem, loss: Loss, lam: float, start: Vector, goal: float
) -> tuple[Vector, int]:
    def both(theta: Vector) -> tuple[float, Vector]:
        f = problem.offset + problem.design.forward(theta)
        values, slope, _ = values_of(loss, f, problem.y)
        g = problem.design.back(problem.weight * slope) + 2 * lam * theta
        return float(problem.weight @ values) + lam * float(theta @ theta), g

    each = goal / np.sqrt(len(start))
    options = {"maxiter": _STEPS["lbfgs"], "maxfun": 2 * _STEPS["lbfgs"], "maxcor": 20}
    found = minimize(
        both, start, jac=True, method="L-BFGS-B", options={**options, "gtol": each, "ftol": 0.0}
    )
    return found.x, int(found.nit)


def values_of(loss: Loss, f: Outputs, y: Outputs) -> tuple[Outputs, Outputs, Outputs]:
    """Return the loss and its first and second derivatives in f at every point, in float64."""
    with jax.enable_x64(True):
        value, slope, curve = _jitted(loss, jnp.asarray(f), jnp.asarray(y))
    return np.asarray(value), np.asarray(slope), np.asarray(curve)


@functools.partial(jax.jit, static_argnums=0)
def _jitted(loss: Loss, f: Array, y: Array) -> tuple[Array, Array, Array]:
    slope, curve = jax.jvp(lambda u: loss.derivative(u, y), (f,), (jnp.ones_like(f),))
    return loss.value(f, y), slope * jnp.ones_like(f), curve * jnp.ones_like(f)

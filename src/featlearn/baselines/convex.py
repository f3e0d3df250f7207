r"""The optimum of a convex loss on fixed features, with a certificate of how near it is.

    P(theta) = sum_i w_i l(f_i, y_i) + lam |theta|^2,        f = f0 + Phi theta

P is strongly convex with constant 2 lam, so P(theta) - min P <= |grad P|^2 / (4 lam): the *gap*.
The hinge loss has no gradient at its kink and is replaced by h_mu, quadratic over a width mu, for
mu = 0.1, 0.01, … A line of slope -alpha y under the hinge loss, alpha = |h_mu'|, lies below it by

    hinge - alpha (1 - y f) >= 0   at f,      gap = |grad P_mu|^2 / (4 lam) + the mean of that,

and mu falls until the gap, which is that of the hinge loss itself, is below the tolerance. Up to
1024 formed features the steps are Newton's, above that L-BFGS (scipy); warm starts along a path.
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
    """Phi on the sample, as a linear map and its adjoint; formed or not."""

    @property
    def matrix(self) -> Float[np.ndarray, "samples N"] | None:
        """Phi, if it is formed."""
        ...

    @property
    def dimension(self) -> int:
        """N."""
        ...

    def forward(self, theta: Vector) -> Outputs:
        """Multiply the design matrix Phi by theta."""
        ...

    def back(self, v: Outputs) -> Vector:
        """Multiply the transpose of the design matrix Phi by v."""
        ...


@dataclass(frozen=True, kw_only=True)
class Formed:
    """Phi as a matrix."""

    matrix: Float[np.ndarray, "samples N"]

    @property
    def dimension(self) -> int:
        """N."""
        return self.matrix.shape[1]

    def forward(self, theta: Vector) -> Outputs:
        """Multiply the design matrix Phi by theta."""
        return self.matrix @ theta

    def back(self, v: Outputs) -> Vector:
        """Multiply the transpose of the design matrix Phi by v."""
        return self.matrix.T @ v


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Everything about P but lam."""

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
    """A minimiser and how near the minimum it is known to be."""

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
    """h_mu: 0 above margin 1, (1 - m)^2/(2 mu) down to 1 - mu, 1 - m - mu/2 below.

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
    """The minimiser of P for a given lam > 0, from `start` or from 0."""
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
    """A line under the convex `loss` at every point: its value at f and its slope.

    The slope is that of `smooth` at f. A smooth loss touches its own tangent; under the hinge loss
    of a label ±1 the line of slope -alpha y, 0 <= alpha <= 1, is alpha (1 - y f).
    """
    values, slope, _ = values_of(smooth, f, y)
    return (slope * (f - y) if loss == HINGE else values), slope


def _newton(
    problem: Problem, loss: Loss, lam: float, start: Vector, goal: float
) -> tuple[Vector, int]:
    """Newton's steps, each halved until P falls by a tenth of what its slope promises."""
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
    """l, l' and l'' at every point, in float64."""
    with jax.enable_x64(True):
        value, slope, curve = _jitted(loss, jnp.asarray(f), jnp.asarray(y))
    return np.asarray(value), np.asarray(slope), np.asarray(curve)


@functools.partial(jax.jit, static_argnums=0)
def _jitted(loss: Loss, f: Array, y: Array) -> tuple[Array, Array, Array]:
    slope, curve = jax.jvp(lambda u: loss.derivative(u, y), (f,), (jnp.ones_like(f),))
    return loss.value(f, y), slope * jnp.ones_like(f), curve * jnp.ones_like(f)

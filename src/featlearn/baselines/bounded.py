r"""The least loss of a linear model of bounded norm on fixed features (Shi et al., theorem 2).

    minimise  L(theta) = sum_i w_i l(theta . phi_i, y_i)    over    |theta| <= B

Take a theta with |theta| <= B and, for every point, a line that lies below the loss; let l_i be the
value of the line at the output of theta, and v_i its slope (`minorant`). With
g = sum_i w_i v_i phi_i, convexity gives the certificate

    min L >= sum_i w_i l_i - (theta.g + B |g|).

The solution minimises L + lam |theta|^2 for some lam (`convex.minimise`). The norm of this
minimiser falls as lam grows, and lam is found by bisection.
"""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require, require_positive
from featlearn.baselines.convex import Formed, Minimum, Problem, minimise, minorant, values_of
from featlearn.baselines.family import Numbers
from featlearn.training import Loss
from featlearn.training import loss as loss_named

_ROUNDS = 60


@dataclass(frozen=True, kw_only=True)
class Bounded:
    """The best model of bounded norm that was found, and an interval for the least loss."""

    theta: Float[np.ndarray, " N"]
    value: float
    """Its mean loss: an upper end of the interval."""
    floor: float
    """No model of norm at most B has a smaller mean loss than this."""
    converged: bool
    status: str
    """What happened, in a sentence."""

    @property
    def norm(self) -> float:
        """The norm |theta| of the model, which is at most the bound B."""
        return float(np.linalg.norm(self.theta))


def best_bounded(
    features: Float[Numbers, "samples N"],
    y: Float[Numbers, " samples"],
    *,
    bound: float,
    loss: str | Loss = "hinge",
    weight: Float[Numbers, " samples"] | None = None,
    tolerance: float = 1e-4,
) -> Bounded:
    """Return the model theta . phi of least mean loss with |theta| <= `bound`.

    Its loss is within `tolerance` of the least one; if the solver gave up, `converged` is False.

    Args:
        features: a row phi_i a point; for a kernel, the rows of `kernel_factor`.
        y: labels.
        bound: B.
        loss: a convex loss, by name or as a record.
        weight: probabilities of the points; equal ones if None.
        tolerance: of `value` - `floor`, in units of the loss.

    Example:
        >>> best = best_bounded(np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), bound=0.25)
        >>> round(best.value, 3), round(best.norm, 3)
        (0.75, 0.25)
    """
    require_positive(bound, "best_bounded(bound)")
    require_positive(tolerance, "best_bounded(tolerance)")
    phi, labels = np.asarray(features, dtype=np.float64), np.asarray(y, dtype=np.float64)
    require(len(phi) == len(labels), "best_bounded(y)", f"{len(phi)} labels", len(labels))
    w = np.full(len(phi), 1 / len(phi)) if weight is None else np.asarray(weight, np.float64)
    problem = Problem(
        design=Formed(matrix=phi),
        loss=loss_named(loss),
        y=labels,
        offset=np.zeros(len(w)),
        weight=w,
    )

    best = _judged(problem, np.zeros(phi.shape[1]), bound, None)
    g = phi.T @ (w * values_of(problem.loss, np.zeros(len(w)), labels)[1])
    # Above `high` the optimum has |theta| <= |g| / (2 lam) < B; below `low` the penalty is nothing.
    high = max(float(np.linalg.norm(g)) / (2 * bound), tolerance / bound**2)
    low, start, rounds = tolerance / (8 * bound**2), None, 0
    for rounds in range(1, _ROUNDS + 1):
        lam = low if rounds == 1 else math.sqrt(low * high)
        found = minimise(problem, lam, tolerance=tolerance / 8, start=start)
        start = found.theta
        new = _judged(problem, found.theta, bound, found)
        best = dataclasses.replace(
            new if new.value < best.value else best, floor=max(best.floor, new.floor)
        )
        inside = np.linalg.norm(found.theta) <= bound
        if best.value - best.floor <= tolerance or (rounds == 1 and inside):
            break
        low, high = (low, lam) if inside else (lam, high)
    gap = best.value - best.floor
    converged = gap <= tolerance
    text = f"{best.value:.6g} is within {gap:.2g} of the least loss, after {rounds} regularisers"
    more = "." if converged else f"; asked for was {tolerance:g}: the solver gave up."
    return dataclasses.replace(best, converged=converged, status=text + more)


def _judged(
    problem: Problem, theta: Float[np.ndarray, " N"], bound: float, found: Minimum | None
) -> Bounded:
    """Return theta, scaled down to norm `bound` if it is longer, with its loss and a lower bound.

    The lower bound of the least loss is that of the module's certificate, or -inf if `found` is
    None.
    """
    theta = theta * min(1.0, bound / max(float(np.linalg.norm(theta)), 1e-300))
    f = problem.design.forward(theta)
    value = float(problem.weight @ values_of(problem.loss, f, problem.y)[0])
    floor = -math.inf
    if found is not None:
        below, slope = minorant(problem.loss, found.smooth, f, problem.y)
        g = problem.design.back(problem.weight * slope)
        bracket = float(theta @ g) + bound * float(np.linalg.norm(g))
        floor = float(problem.weight @ below) - bracket
    return Bounded(theta=theta, value=value, floor=floor, converged=False, status="")

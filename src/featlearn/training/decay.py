r"""Weight decay, coupled or decoupled. Both kinds are for the penalty lambda ||params||^2.

coupled      g <- g + 2 lambda params, then the rule        (part of the loss, "L2")
decoupled    params <- (1 - 2 eta lambda) params - move     (beside the rule, "AdamW")

For plain gradient descent both are the same. A library that writes the penalty as half of
weight_decay times ||params||^2 has weight_decay = 2 lambda.
"""

import jax
from jax import Array
from jaxtyping import PyTree

from featlearn._check import InputError, require
from featlearn._record import record
from featlearn.training.gradient import map_parts
from featlearn.training.rules import Rule


def keep(eta: float, lam: float) -> float:
    """Return the factor 1 - 2 eta lambda, and exactly 0 where 2 eta lambda is 1 up to rounding.

    A difference computed in float32 would leave 1e-7 of the old weights, which swamps small
    first steps.

    Example:
        >>> keep(0.1, 1 / (2 * 0.1)), keep(0.5, 0.1)
        (0.0, 0.9)
    """
    factor = 1 - 2 * eta * lam
    return 0.0 if abs(factor) < 1e-15 else factor


@record(numbers=("lam",))
class CoupledDecay:
    """Coupled decay: g <- g + 2 lambda params, before the update rule sees the gradient g."""

    lam: float | dict[str, float]
    """lambda of all trained parts, or by part ("w", "a", …); parts not named do not decay."""

    def __post_init__(self) -> None:
        _require_lambdas(self.lam, "CoupledDecay(lam)")

    def added(self, gradient: PyTree, params: PyTree) -> PyTree:
        """Return the gradient of the loss plus its penalty; a gradient None stays None."""

        def add(part: str, slope: Array, value: Array) -> Array:
            lam = self.lam.get(part) if isinstance(self.lam, dict) else self.lam
            return slope if lam is None else slope + 2 * lam * value

        moving = jax.tree.map(
            lambda slope, value: None if slope is None else value,
            gradient,
            params,
            is_leaf=lambda leaf: leaf is None,
        )
        return map_parts(add, gradient, moving)


@record(numbers=("lam",))
class DecoupledDecay:
    """Decoupled decay: params <- (1 - 2 eta lambda) params - move, with the move of the rule."""

    lam: float | dict[str, float]
    """lambda of all trained parts, or by part ("w", "a", …); parts not named do not decay."""

    def __post_init__(self) -> None:
        _require_lambdas(self.lam, "DecoupledDecay(lam)")

    def factors(self, rule: Rule, parts: tuple[str, ...]) -> dict[str, float]:
        """Return 1 - 2 eta lambda for each part; refuse rules of optax, which have no eta."""
        eta = getattr(rule, "eta", None)
        if eta is None:
            hint = "Take a rule that decays itself, such as optax.adamw."
            raise InputError("DecoupledDecay", "a rule with a step size", type(rule).__name__, hint)
        lams = self.lam if isinstance(self.lam, dict) else dict.fromkeys(parts, self.lam)
        return {part: keep(eta, lam) for part, lam in lams.items()}


Decay = CoupledDecay | DecoupledDecay


def _require_lambdas(lam: float | dict[str, float], where: str) -> None:
    for each in lam.values() if isinstance(lam, dict) else (lam,):
        require(0 <= each < float("inf"), where, "numbers of at least 0", each)

r"""Weight decay, by name and formula. Both are for the penalty lambda ||params||^2.

coupled      g <- g + 2 lambda params, then the rule        (part of the loss, "L2")
decoupled    params <- (1 - 2 eta lambda) params - move     (beside the rule, "AdamW")

For plain descent they are the same. A library that writes the penalty as half of weight_decay times
||params||^2 has weight_decay = 2 lambda.
"""

import jax
from jax import Array
from jaxtyping import PyTree

from featlearn._check import InputError, require
from featlearn._record import record
from featlearn.training.gradient import map_parts
from featlearn.training.rules import Rule


def keep(eta: float, lam: float) -> float:
    """1 - 2 eta lambda, and exactly 0 where 2 eta lambda is 1 up to rounding.

    A difference in float32 would leave 1e-7 of the old weights, which swamps small first steps.

    Example:
        >>> keep(0.1, 1 / (2 * 0.1)), keep(0.5, 0.1)
        (0.0, 0.9)
    """
    factor = 1 - 2 * eta * lam
    return 0.0 if abs(factor) < 1e-15 else factor


@record(numbers=("lam",))
class CoupledDecay:
    """g <- g + 2 lambda params, before the rule."""

    lam: float | dict[str, float]
    """lambda of all trained parts, or by part ("w", "a", …); parts not named do not decay."""

    def __post_init__(self) -> None:
        _require_lambdas(self.lam, "CoupledDecay(lam)")

    def added(self, gradient: PyTree, params: PyTree) -> PyTree:
        """The gradient of the loss with its penalty; a part without a gradient keeps none."""

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
    """params <- (1 - 2 eta lambda) params - move, the rule not knowing of it."""

    lam: float | dict[str, float]
    """lambda of all trained parts, or by part ("w", "a", …); parts not named do not decay."""

    def __post_init__(self) -> None:
        _require_lambdas(self.lam, "DecoupledDecay(lam)")

    def factors(self, rule: Rule, parts: tuple[str, ...]) -> dict[str, float]:
        """1 - 2 eta lambda of each part; a rule of optax has its own decay and is refused."""
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

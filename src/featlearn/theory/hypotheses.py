"""Hypotheses of statements as numbers: each is an inequality "value SIDE constant^power *
limit".
"""

import math
from dataclasses import dataclass

from featlearn._check import require_one_of
from featlearn._choices import SIDES, Side
from featlearn.theory.text import Reading

ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """One inequality of a statement at one setting: value SIDE constant^power * limit.

    Example:
        m >= C d/theta^2 at m = 400, d = 100, theta = 1 allows every C up to 4:

        >>> h = Hypothesis(name="m >= C d/theta^2", value=400, side=">=", limit=100, constant="C")
        >>> h.factor(2.0), h.factor(8.0), h.allowed
        (0.5, 2.0, (0.0, 4.0))
    """

    name: str
    """As the paper writes it."""
    value: float
    """The left side, at this setting."""
    side: Side
    """"<=" or ">=": value SIDE constant^power * limit."""
    limit: float
    """The right side, without its constant."""
    constant: str = ""
    """The symbol, in the statement's text, of the constant that multiplies the limit; "" if none
    does."""
    power: float = 1.0
    """The power of the constant."""
    note: str = ""
    """What a reader should know beside the numbers."""
    readings: tuple[Reading, ...] = ()
    """The readings that require this hypothesis; empty means all."""
    is_condition: bool = False
    """Whether it is a yes-or-no condition, which no change of a number can satisfy."""

    def __post_init__(self) -> None:
        require_one_of(self.side, SIDES, f"Hypothesis {self.name}: side")

    @classmethod
    def condition(cls, name: str, met: bool, note: str = "") -> "Hypothesis":
        """Return a yes-or-no condition, such as "only the first layer is trained", as a
        hypothesis.
        """
        value = float(met)
        return cls(name=name, value=value, side=">=", limit=1.0, note=note, is_condition=True)

    def factor(self, constant: float = 1.0) -> float:
        """Return the factor by which the inequality is missed with this constant; it is at most 1
        if the inequality holds.
        """
        limit = self.limit * constant**self.power if self.constant else self.limit
        above, below = (self.value, limit) if self.side == "<=" else (limit, self.value)
        if above <= below:
            return above / below if below > 0 and above > 0 else 0.0
        return above / below if below > 0 else math.inf

    def met(self, constant: float = 1.0) -> bool:
        """Return whether the inequality holds with this constant, up to rounding."""
        return self.factor(constant) <= 1 + ROUNDING

    @property
    def allowed(self) -> tuple[float, float]:
        """The interval of the values of the constant with which the inequality holds."""
        if not self.constant:
            return (0.0, math.inf) if self.met() else (math.inf, 0.0)
        if self.limit <= 0 or self.value <= 0:
            met = self.met(1.0)
            return (0.0, math.inf) if met else (math.inf, 0.0)
        end = (self.value / self.limit) ** (1 / self.power)
        up = (self.side == ">=") == (self.power > 0)  # larger constants ask for more
        return (0.0, end) if up else (end, math.inf)

    def is_required_by(self, reading: Reading) -> bool:
        """Return whether the given reading requires this hypothesis."""
        return not self.readings or reading in self.readings


def window(hypotheses: tuple[Hypothesis, ...], constant: str) -> tuple[float, float]:
    """Return the interval of the values of a constant that all hypotheses allow; it is empty if low
    > high.

    Example:
        >>> low = Hypothesis(
        ...     name="a >= 1/(2 C)", value=1, side=">=", limit=0.5, constant="C", power=-1
        ... )
        >>> high = Hypothesis(name="n >= C log n", value=8, side=">=", limit=2, constant="C")
        >>> window((low, high), "C")
        (0.5, 4.0)
    """
    ends = [each.allowed for each in hypotheses if each.constant == constant]
    return max((low for low, _ in ends), default=0.0), min(
        (high for _, high in ends), default=math.inf
    )

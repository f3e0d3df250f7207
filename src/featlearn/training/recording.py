"""What to keep of a trajectory, and at which steps; never every weight unless asked."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jax import Array
from jaxtyping import Key

from featlearn._check import require


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A recorded number: the names of its axes, and what it means in words."""

    dims: tuple[str, ...]
    meaning: str


@runtime_checkable
class Measurement(Protocol):
    """params -> named arrays: a frozen record whose numbers are traced."""

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The arrays it returns, described."""
        ...

    def measure(self, params: Any, *, key: Key[Array, ""]) -> dict[str, Array]:
        """The arrays; `key` is the same at every step of a seed."""
        ...


@dataclass(frozen=True, kw_only=True)
class Recording:
    """The measurements to take and the steps to take them at."""

    measurements: tuple[Measurement, ...]
    steps: tuple[int, ...]
    """Increasing; counted over all phases, 0 being the start."""
    keep_weights: bool = False
    """Also keep the parameters themselves at every recorded step."""
    of_sample: tuple[Measurement, ...] = ()
    """More measurements, whose key is the one that the training sample was drawn with."""

    def __post_init__(self) -> None:
        increasing = all(a < b for a, b in zip(self.steps, self.steps[1:], strict=False))
        require(
            len(self.steps) > 0 and increasing and self.steps[0] >= 0,
            "Recording(steps)",
            "at least one step, increasing from 0 or more",
            self.steps,
        )

    @property
    def quantities(self) -> dict[str, Quantity]:
        """All that is recorded, described."""
        everything = (*self.measurements, *self.of_sample)
        return {name: q for each in everything for name, q in each.quantities.items()}


def log_spaced(total: int, count: int) -> tuple[int, ...]:
    """About `count` whole steps from 0 to `total`, evenly spaced in log(1 + t).

    Example:
        >>> log_spaced(100, 8)
        (0, 1, 3, 6, 13, 26, 51, 100)
    """
    require(total >= 0, "log_spaced(total)", "total >= 0", total)
    require(count >= 2, "log_spaced(count)", "at least 2 records", count)
    points = np.expm1(np.linspace(0, np.log1p(total), count))
    return tuple(sorted({int(t) for t in np.rint(points)}))

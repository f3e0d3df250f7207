"""Reductions of recorded arrays to one number per seed. A summary is a list of reductions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from featlearn._check import require, require_one_of
from featlearn._choices import SIDES
from featlearn.measurements.events import Condition, Side, crossing

if TYPE_CHECKING:
    import xarray as xr


@runtime_checkable
class Reduction(Protocol):
    """The interface of a reduction: it has a name and returns one number per seed."""

    @property
    def name(self) -> str:
        """The name of the reduction in the summary."""
        ...

    def reduce(self, dataset: "xr.Dataset") -> np.ndarray:
        """Return one number per seed; NaN for a seed without a number."""
        ...


@dataclass(frozen=True, kw_only=True)
class Last:
    """The value at the last recorded step: the mean, minimum or maximum over its other axes."""

    quantity: str
    """The recorded quantity."""
    name: str = ""
    """The name in the summary; by default that of the quantity."""
    by: str = "mean"
    """How the other axes are reduced: "mean", "min" or "max"."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.quantity)
        require(self.by in ("mean", "min", "max"), "Last(by)", "'mean', 'min' or 'max'", self.by)

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the recorded quantities that this reduction reads."""
        return (self.quantity,)

    def reduce(self, dataset: "xr.Dataset") -> np.ndarray:
        """Return the value at the last recorded step, for each seed."""
        end = _quantity(dataset, self.quantity).isel(step=-1)
        return np.asarray(_over(end, ("seed",), self.by).values)


@dataclass(frozen=True, kw_only=True)
class Best:
    """The largest value of a quantity over all recorded steps."""

    quantity: str
    """The recorded quantity."""
    name: str
    """The name in the summary."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the recorded quantities that this reduction reads."""
        return (self.quantity,)

    def reduce(self, dataset: "xr.Dataset") -> np.ndarray:
        """Return the largest value over the recorded steps, for each seed."""
        values = _over(_quantity(dataset, self.quantity), ("seed", "step"), "mean")
        return np.asarray(values.max("step").values)


@dataclass(frozen=True, kw_only=True)
class Reaches:
    """A condition: a quantity is at or beyond a level, at all positions of its other axes."""

    quantity: str
    """The recorded quantity."""
    level: float
    """The level that it has to reach."""
    side: Side = ">="
    """">=" for at least the level, "<=" for at most."""

    def __post_init__(self) -> None:
        require_one_of(self.side, SIDES, "Reaches(side)")


@dataclass(frozen=True, kw_only=True)
class Crossing:
    """The first time at which all conditions hold, interpolated between records; NaN if never."""

    name: str
    """The name in the summary."""
    when: tuple[Reaches, ...]
    """The conditions, all of which have to hold."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the recorded quantities that this reduction reads."""
        return tuple(each.quantity for each in self.when)

    def reduce(self, dataset: "xr.Dataset") -> np.ndarray:
        """Return the time of the event for each seed; see the function `crossing`."""
        conditions: list[Condition] = []
        for each in self.when:
            worst = "min" if each.side == ">=" else "max"
            values = _over(_quantity(dataset, each.quantity), ("seed", "step"), worst)
            ordered = values.transpose("seed", "step").values.astype(float)
            conditions.append((ordered, each.level, each.side))
        return crossing(dataset["step"].values, conditions)


@dataclass(frozen=True, kw_only=True)
class Computed:
    """A reduction by any function of the recorded arrays that returns one number per seed."""

    name: str
    """The name in the summary."""
    function: Callable[["xr.Dataset"], object]
    """Recorded arrays (an xarray.Dataset) -> one number per seed."""

    def reduce(self, dataset: "xr.Dataset") -> np.ndarray:
        """Return the values of the function, which must have one number per seed."""
        values, seeds = np.asarray(self.function(dataset)), len(dataset["seed"])
        require(
            values.shape == (seeds,),
            f"Computed({self.name!r})",
            f"one number per seed, shape ({seeds},)",
            f"shape {values.shape}",
            "Keep the axis seed, and .values of what is left.",
        )
        return values


def last(*quantities: str) -> tuple[Last, ...]:
    """Return one reduction for each quantity: its value at the last recorded step."""
    return tuple(Last(quantity=name) for name in quantities)


def _quantity(dataset: "xr.Dataset", name: str) -> "xr.DataArray":
    known = sorted(map(str, dataset.data_vars))
    require(name in dataset, "summary", "one of " + ", ".join(known), repr(name))
    return dataset[name]


def _over(values: "xr.DataArray", kept: tuple[str, ...], by: str) -> "xr.DataArray":
    others = [dim for dim in values.dims if dim not in kept]
    found: xr.DataArray = getattr(values, by)(others) if others else values
    return found

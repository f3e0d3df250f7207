"""What a run gives back: labelled arrays, their summary, and how it came about."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic

import numpy as np

from featlearn._check import InputError
from featlearn._choices import Origin
from featlearn.experiments.engine import pinned
from featlearn.experiments.named import Built
from featlearn.experiments.showing import as_html, as_text, curves
from featlearn.results.statistics import standard_error

if TYPE_CHECKING:
    import xarray as xr

    from featlearn.distributions import Batch
    from featlearn.experiments.experiment import Experiment, PlannedRun


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A quantity over seeds: the mean of those that reached it, and its standard error."""

    values: tuple[float | None, ...]
    """One a seed; None where an event was never reached or a number is not finite."""

    @property
    def reached(self) -> int:
        """How many seeds have a value."""
        return len(self._known)

    @property
    def mean(self) -> float | None:
        """The mean of the known values."""
        return float(np.mean(self._known)) if self._known else None

    @property
    def stderr(self) -> float | None:
        """The standard error of that mean; None with fewer than two values."""
        return standard_error(self._known) if self.reached >= 2 else None

    def document(self) -> dict[str, object]:
        """As it stands in JSON."""
        return {
            "mean": self.mean,
            "stderr": self.stderr,
            "values": list(self.values),
            "reached": self.reached,
        }

    @property
    def _known(self) -> list[float]:
        return [value for value in self.values if value is not None]


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Generic[Built]):
    """Labelled arrays of every recorded step, their summary, and where they are stored."""

    id: str
    config: Built
    seeds: tuple[int, ...]
    dataset: "xr.Dataset"
    summary: dict[str, Estimate]
    status: Origin
    """"computed", "read" (all of it from the store), "adopted" (read, of other source that compiles
    to the same program) or "completed" (some of it)."""
    path: Path | None

    @property
    def hash(self) -> str:
        """The name of what was run: twelve digits of its description, where it can be described."""
        try:
            return self.experiment.key.name
        except InputError:
            return "unnamed"

    @property
    def experiment(self) -> "Experiment | PlannedRun":
        """The experiment that was run."""
        return self.config.experiment()

    @property
    def diverged(self) -> dict[int, int]:
        """Seed -> the step after which a parameter was not finite; empty if all went well."""
        at = self.dataset["diverged_at"]
        return {int(s): int(t) for s, t in zip(at["seed"], at, strict=True) if math.isfinite(t)}

    def sample(self, seed: int = 0, points: int | None = None) -> "Batch":
        """The points that a seed was trained on, or the first so many of them."""
        with pinned():
            batch: Batch = self.experiment.sample(seed, points)  # type: ignore[union-attr]
        return batch

    def plot(self, name: str, *, seed: int | None = None, **style: object) -> object:
        """Draw a recorded quantity over steps with matplotlib: a line a seed, or a neuron.

        Args:
            name: what was recorded; `dataset` lists it.
            seed: this seed alone; where a line is a neuron, the first if none is given.
            style: handed on to xarray's `plot.line`: ax, yscale, color, …; the name of an axis and
                a place on it (direction="mu1") select that place.
        """
        return curves(self.dataset, name, seed, **style)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

"""The result of a run: labelled arrays, their summary, and how and where they were computed."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic

import numpy as np

from featlearn._check import InputError
from featlearn._choices import Origin
from featlearn.experiments.display import as_html, as_text, curves, require_seed
from featlearn.experiments.engine import pinned
from featlearn.experiments.named import Built
from featlearn.results.statistics import standard_error

if TYPE_CHECKING:
    import xarray as xr

    from featlearn.distributions import Batch
    from featlearn.experiments.experiment import Experiment, PlannedRun


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A quantity estimated over seeds: the mean over the seeds that have a value, and its standard
    error.
    """

    values: tuple[float | None, ...]
    """One value per seed; None if an event was never reached or a number is not finite."""

    @property
    def reached(self) -> int:
        """The number of seeds that have a value."""
        return len(self._known)

    @property
    def mean(self) -> float | None:
        """The mean over the seeds that have a value; None if none has."""
        return float(np.mean(self._known)) if self._known else None

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean; None if fewer than two seeds have a value."""
        return standard_error(self._known) if self.reached >= 2 else None

    def document(self) -> dict[str, object]:
        """Return the estimate as a dictionary for a JSON document."""
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
    """The id of a named experiment, or a name made from its parts."""
    config: Built
    """The configuration, or the experiment itself where it has none."""
    seeds: tuple[int, ...]
    """The seeds, in the order of the axis `seed`."""
    dataset: "xr.Dataset"
    """All that was recorded, with labelled axes."""
    summary: dict[str, Estimate]
    """Name -> one number per seed, with its mean and error."""
    status: Origin
    """"computed", "read" (all seeds came from the store), "adopted" (read from other code that
    compiles to the same program) or "completed" (some seeds came from the store)."""
    path: Path | None
    """The folder in the store; None if nothing was stored."""

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that identify the experiment; "unnamed" if it cannot be
        described.
        """
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
        """Map each diverged seed to the step after which a parameter was not finite; empty if no
        seed diverged.
        """
        at = self.dataset["diverged_at"]
        return {int(s): int(t) for s, t in zip(at["seed"], at, strict=True) if math.isfinite(t)}

    def sample(self, seed: int = 0, points: int | None = None) -> "Batch":
        """Return the points that a seed was trained on, or only the first `points` of them."""
        require_seed(seed, self.seeds, "sample(seed)")
        with pinned():
            batch: Batch = self.experiment.sample(seed, points)  # type: ignore[union-attr]
        return batch

    def plot(self, name: str, *, seed: int | None = None, **style: object) -> object:
        """Draw a recorded quantity over steps with matplotlib: one line per seed, or per neuron.

        It draws into the current axes and returns the lines. A notebook shows them; in a script,
        call `matplotlib.pyplot.figure()` between two drawings and `show()` or `savefig` after them.

        Args:
            name: a recorded quantity; `dataset` lists them.
            seed: draw only this seed; with one line per neuron, None means the first seed.
            style: options of xarray's `plot.line` (ax, yscale, color, …); an axis name selects a
                position on that axis (direction="mu1").
        """
        return curves(self.dataset, name, seed, **style)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

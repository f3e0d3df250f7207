r"""Which settings explain several printed numbers together: a Student likelihood, a common scale.

    x_c   printed number of cell c          mu_c(s), e_c(s)   prediction of setting s, and its error
    tau   the common misfit: what no setting explains, the same for all cells

    log L(s, tau) = sum over runs r of the mean over cells c of r of
                    log t_4((x_c - mu_c) / sqrt(tau² + e_c²)) - log sqrt(tau² + e_c²)

Cells of one run depend on one another, so that a run counts as one observation. Settings come in
units that share nothing but tau; each takes its best setting. All numbers are in points: accuracies
in per cent, cosines times 100.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

FREEDOM = 4
SCALES = np.geomspace(0.25, 32.0, 29)
"""The misfit scales that are tried, in points."""


@dataclass(frozen=True, kw_only=True)
class PaperCell:
    """A printed number with the run that it comes from."""

    name: str
    table: str
    run: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What a setting gives for a cell."""

    mean: float
    error: float


Predictions = Mapping[str, Prediction]
"""Cell -> prediction."""
Unit = Mapping[str, Predictions]
"""Setting -> its predictions."""


@dataclass(frozen=True, kw_only=True)
class JointFit:
    """The best setting of every unit, and the misfit that is left."""

    settings: dict[str, str]
    scale: float
    log_likelihood: float
    runners_up: dict[str, tuple[str, float]]
    """Unit -> its second-best setting, and by how much its log likelihood is lower."""


def log_likelihood(cells: Iterable[PaperCell], found: Predictions, scale: float) -> float:
    """The log likelihood of one setting; cells that it says nothing about are left out."""
    runs: dict[str, list[float]] = {}
    for cell in cells:
        if cell.name in found:
            spread = math.hypot(scale, found[cell.name].error)
            gap = (cell.value - found[cell.name].mean) / spread
            value = _log_density(gap) - math.log(spread)
            runs.setdefault(cell.run, []).append(value)
    return sum(float(np.mean(each)) for each in runs.values())


def _log_density(gap: float) -> float:
    """The logarithm of Student's density with `FREEDOM` degrees of freedom."""
    n = FREEDOM
    constant = math.lgamma((n + 1) / 2) - math.lgamma(n / 2) - 0.5 * math.log(n * math.pi)
    return constant - (n + 1) / 2 * math.log1p(gap**2 / n)


def fit(cells: list[PaperCell], units: Mapping[str, Unit]) -> JointFit:
    """Take the best setting of every unit and the best common scale."""

    def scored(scale: float) -> dict[str, dict[str, float]]:
        return {
            unit: {name: log_likelihood(cells, each, scale) for name, each in readings.items()}
            for unit, readings in units.items()
        }

    every = [(scale, scored(float(scale))) for scale in SCALES]
    scale, best = max(every, key=lambda each: sum(max(unit.values()) for unit in each[1].values()))
    settings = {unit: max(scores, key=lambda name: scores[name]) for unit, scores in best.items()}
    runners = {}
    for unit, scores in best.items():
        others = sorted(((value, name) for name, value in scores.items()), reverse=True)
        if len(others) > 1:
            runners[unit] = (others[1][1], others[0][0] - others[1][0])
    total = sum(best[unit][name] for unit, name in settings.items())
    return JointFit(settings=settings, scale=float(scale), log_likelihood=total, runners_up=runners)


def predictions(chosen: JointFit, units: Mapping[str, Unit]) -> dict[str, Prediction]:
    """What the best settings give for every cell."""
    found: dict[str, Prediction] = {}
    for unit, name in chosen.settings.items():
        found.update(units[unit][name])
    return found


def half_width(chosen: JointFit, found: Prediction, level: float = 0.95) -> float:
    """The half-width of the interval in which a printed number is expected."""
    import scipy.stats

    spread = math.hypot(chosen.scale, found.error)
    return float(scipy.stats.t.ppf((1 + level) / 2, FREEDOM)) * spread

"""The settings among which the recipe "validated" chooses, fixed before anything was run with them.

A setting is (early, unit): `early` multiplies eta2 and sd(b) of theorem 26, `unit` is the later
step size in the method's own unit (`recipe.natural_eta`). The paper's start has early = 1.
Random features, the tangent kernel and the read-outs take the paper's number of steps; "converged"
gives NTK `CONVERGED` times as many at the chosen setting; a solver stands for the convergence of
the others.
"""

from dataclasses import dataclass

VALIDATION_SEEDS = (2000, 2001, 2002)
"""The seeds on which settings are chosen: starts, samples and held-out points of their own."""
JUDGED_SEEDS = (0, 1, 2, 3, 4)
MORE_SEEDS = (5, 6, 7, 8, 9)
"""Added where the half-width of an accuracy over the first five exceeds 3 points."""
CONVERGED = 4
"""How many times the paper's number of steps the recipe "converged" has."""


@dataclass(frozen=True, kw_only=True, order=True)
class StepSetting:
    """A point of the grid."""

    early: float
    unit: float


def _grid(early: tuple[float, ...], units: tuple[float, ...]) -> tuple[StepSetting, ...]:
    return tuple(StepSetting(early=each, unit=unit) for each in early for unit in units)


GRID: dict[tuple[str, bool], tuple[StepSetting, ...]] = {
    ("network", True): _grid((1.0, 10.0), (0.1, 0.3, 1.0, 3.0)),
    ("ntk", True): _grid((1.0, 10.0), (1.0, 3.0, 10.0, 30.0)),
    ("random-features", True): _grid((1.0, 10.0), (1.0, 3.0, 10.0, 30.0, 100.0)),
    ("one-step", True): _grid((10.0,), (0.1, 1.0, 10.0)),
    ("two-step", True): _grid((1.0, 10.0), (0.3, 1.0, 3.0)),
    ("network", False): _grid((1.0, 10.0), (0.3, 3.0)),
    ("ntk", False): _grid((1.0,), (3.0, 30.0)),
    ("random-features", False): _grid((1.0,), (3.0, 30.0)),
}
"""(method, whether the input has structure) -> settings, in the order in which ties are broken."""


def settings(method: str, structure: bool, *, quick: bool = False) -> tuple[StepSetting, ...]:
    """The settings of a method; at the quick size the last half of them, every other one.

    Example:
        >>> [len(settings("network", True, quick=each)) for each in (False, True)]
        [8, 2]
    """
    every = GRID[method, structure]
    return every[len(every) // 2 :: 2] if quick and len(every) > 2 else every


def validation_seeds(*, quick: bool = False) -> tuple[int, ...]:
    """The seeds on which settings are chosen."""
    return VALIDATION_SEEDS[:1] if quick else VALIDATION_SEEDS

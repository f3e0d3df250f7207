r"""Theorem 6: gradient flow on the disjoint PolyNet spends nearly all its time near chance.

T(.49)/T(0) >= 1 - O(n'^(1 - k/2)), k >= 3, n' = n/k bits a block. The flow is a scalar equation
(`polynet.py`), solved in closed form and compared with a numerical solution; the order is read off
as the slope of log(1 - T(.49)/T(0)) between the two largest n'.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.barak2022.polynet import flat_share, time_of
from featlearn.papers.barak2022.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Kind,
    Statement,
    exact_bound,
    identity,
    trend,
)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Blocks of several sizes, and numbers of blocks."""

    block: tuple[int, ...] = (101, 1001, 10001, 100001, 1000001)
    """Bits a block (n')."""
    k: tuple[int, ...] = (3, 4, 5, 6)
    """Blocks."""
    error: float = 0.49
    """The error that is still near chance."""

    def __post_init__(self) -> None:
        require(len(self.block) >= 2, "block", "two sizes at least", self.block)
        require(min(self.k) >= 3, "k", "at least 3", self.k)
        require(0 < self.error < 0.5, "error", "between 0 and 1/2", self.error)


def numerical_time(v: float, k: int) -> float:
    """When dv/dt = v^(k-1) from v = 1 reaches v, by a solver."""

    def reached(t: float, y: Sequence[float] | np.ndarray) -> float:
        return float(y[0] - v)

    reached.terminal = True  # type: ignore[attr-defined]
    end = 1.01 / (k - 2)
    found = solve_ivp(
        lambda t, y: y ** (k - 1), (0, end), [1.0], events=reached, rtol=1e-10, atol=1e-12
    )
    return float(found.t_events[0][0])


def statement(power: float = 0.5) -> Statement[Sizes]:
    """The claim with 1 - O(n'^(1 - power k))."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        parts, shown = [], []
        for k in config.k:
            parts.append(
                identity(
                    f"t(v = 5), k = {k}", numerical_time(5.0, k), time_of(5.0, k), tolerance=1e-7
                )
            )
            left = np.array([1 - flat_share(n, k, config.error) for n in config.block])
            x = np.log(np.array(config.block, float))
            slope = float(np.log(left[-1] / left[-2]) / (x[-1] - x[-2]))
            parts.append(
                exact_bound(f"exponent of 1 - T(.49)/T(0), k = {k}", slope, 1 - power * k + 0.01)
            )
            ratio = left / np.exp((1 - power * k) * x)
            name = f"its constant, largest over smallest block, k = {k}"
            parts.append(exact_bound(name, float(ratio[-1] / ratio[0]), 1.25))
            predicted = ratio[0] * np.exp((1 - power * k) * x)
            label = f"1 - T(.49)/T(0), k = {k}"
            shown.append(
                trend(label, "n'", config.block, left[:, None], predicted, logarithmic=True)
            )
        least = min(flat_share(config.block[-1], k, config.error) for k in config.k)
        found = {"T(.49)/T(0), largest block": FittedConstant(value=least)}
        return Evidence(parts=tuple(parts), constants=found, trends=tuple(shown))

    return Statement(
        id="barak2022.theorem-6",
        title="The disjoint PolyNet spends nearly all its time near chance",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["theorem-6"],
        control=Control("the power 1 - .55 k", lambda: statement(power=0.55)),
        seeds=1,
        place="Theorem 6",
        references=("barak2022",),
    )


STATEMENT = statement()

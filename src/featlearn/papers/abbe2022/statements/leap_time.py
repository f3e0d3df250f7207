r"""The time to learn is bounded, logarithmic or a power of d, by the leap.

A neuron in R^d starts with u of size d^-1/2. A leap of L bits at once needs, for the bits that are
missing, du_i/dt ~ product of L - 1 others:

    L <= 1, no tie    T bounded             L = 2, or a tie that must break    T = a + b log d
    L >= 3            T = a + b d^((L-2)/2)

derived here for the flow; the paper's claim is about samples, d^max(L-1, 1) up to logarithms. It is
measured on the flow of neurons that start where those of a network in R^d do: d is a number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.abbe2022.flows import time_to_learn
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound, trend

DELTA = 0.2
"""How much of the rate may change over the dimensions and still count as a line."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Three classes of targets and their dimensions."""

    bounded: str = "x1 + x1*x2 + x1*x2*x3"
    """A merged staircase."""
    logarithmic: tuple[str, ...] = ("x1 + x1*x2*x3", "x1*x2", "x1 + x2 + x1*x3 + x2*x4")
    """Leap 2 from a step, leap 2, a tie."""
    power: str = "x1*x2*x3"
    """Leap 3."""
    d: tuple[float, ...] = (1e4, 1e6, 1e8)
    """Dimensions of the first two classes, equally far apart in log d."""
    d_power: tuple[float, ...] = (1e4, 1e5, 1e6)
    """Dimensions of the third."""
    neurons: int = 64
    """Neurons of a flow."""

    def __post_init__(self) -> None:
        require(len(self.d) == 3, "d", "three dimensions", self.d)
        require(len(self.d_power) == 3, "d-power", "three dimensions", self.d_power)


def times(target: str, d: Sequence[float], lab: Lab, neurons: int) -> np.ndarray:
    """T of every dimension (rows) and seed."""
    return np.array(
        [lab.each_seed(time_to_learn, target=target, d=float(n), neurons=neurons) for n in d]
    )


def statement(per_leap: float = 0.5, log_power: float = 1.0) -> Statement[Sizes]:
    """The claim: T ~ (log d)^log_power at leap 2, T ~ d^(per_leap (L - 2)) beyond."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        flat = times(config.bounded, config.d, lab, config.neurons)
        parts = [bound(f"{config.bounded}: T over T at the least d", flat[-1] / flat[0], 1.05)]
        shown = [trend(config.bounded, "d", config.d, flat, logarithmic=True)]
        x = np.log(np.array(config.d)) ** log_power
        for target in config.logarithmic:
            T = times(target, config.d, lab, config.neurons)
            rates = np.diff(T, axis=0) / np.diff(x)[:, None]
            name = f"{target}: change of dT/d log d, as a share"
            parts.append(bound(name, np.abs(rates[-1] / rates[0] - 1), DELTA))
            shown.append(trend(target, "d", config.d, T, logarithmic=True))
        T = times(config.power, config.d_power, lab, config.neurons)
        x = np.array(config.d_power) ** per_leap
        rates = np.diff(T, axis=0) / np.diff(x)[:, None]
        name = f"{config.power}: change of dT/dd^{per_leap:g}, as a share"
        parts.append(bound(name, np.abs(rates[-1] / rates[0] - 1), DELTA))
        shown.append(trend(config.power, "d", config.d_power, T, logarithmic=True))
        return Evidence(parts=tuple(parts), trends=tuple(shown))

    return Statement(
        id="abbe2022.leap-time",
        title="The time to learn is bounded, logarithmic or a power of d, by the leap",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["leap-time"],
        control=Control("d^(L-2) in the place of its root", lambda: statement(per_leap=1.0)),
        seeds=12,
        place="Leap complexity (abbe2023); in time, derived",
        references=("abbe2022", "abbe2023"),
    )


STATEMENT = statement()

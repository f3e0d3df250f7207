r"""Decades of d: what was found at each, and the power of the log with which it grows between them.

    q = [log v_2 - log v_1] / [log log d_2 - log log d_1]        v   a mean over seeds

with Welch's interval: the two ends have their own seeds, in number and in spread.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn.figures.record import Series
from featlearn.theory.estimates import student


@dataclass(frozen=True, kw_only=True)
class Decades:
    """What was found at one m/d: a tuple of seeds for every d, NaN where it was never reached."""

    ratio: float
    d: tuple[int, ...]
    samples: tuple[Float[np.ndarray, " seeds"], ...]
    """Over d."""
    T1: tuple[Float[np.ndarray, " seeds"], ...]
    ended: tuple[Float[np.ndarray, " seeds"], ...]
    """The end of phase 1 by the letter of lemma 4.1."""


def power(
    d: tuple[int, int],
    values: tuple[Float[np.ndarray, " seeds"], Float[np.ndarray, " others"]],
) -> tuple[float, float, tuple[float, float] | None]:
    """q with its standard error and its 95 % interval (Welch) over the seeds that got there.

    Example:
        >>> q, error, ci = power((10, 100), (np.array([2.0, 2.0]), np.array([8.0, 8.0])))
        >>> round(q, 6), error
        (2.0, 0.0)
    """
    logs = [np.log(each[np.isfinite(each)]) for each in values]
    if min(len(each) for each in logs) == 0:
        return math.nan, math.nan, None
    apart = math.log(math.log(d[1]) / math.log(d[0]))
    q = float(logs[1].mean() - logs[0].mean()) / apart
    if min(len(each) for each in logs) < 2:
        return q, math.nan, None
    parts = [each.var(ddof=1) / len(each) for each in logs]
    error = math.sqrt(sum(parts)) / apart
    below = sum(part**2 / (len(each) - 1) for part, each in zip(parts, logs, strict=True))
    half = student(0.975, sum(parts) ** 2 / below) * error if below else 0.0
    return q, error, (q - half, q + half)


def mean_of(
    values: Float[np.ndarray, " seeds"],
) -> tuple[float, float, tuple[float, float] | None]:
    """The mean of the seeds that got there, its standard error and its 95 % interval."""
    known = values[np.isfinite(values)]
    if len(known) < 2:
        return float(known.mean()) if len(known) else math.nan, math.nan, None
    error = float(known.std(ddof=1) / math.sqrt(len(known)))
    mean, half = float(known.mean()), student(0.975, len(known) - 1) * error
    return mean, error, (mean - half, mean + half)


def band(each: Decades, quantity: str, role: str) -> Series:
    """A quantity against d: mean over seeds, band from the least to the most, or missing."""
    low, mean, high = np.full((3, len(each.d)), np.nan)
    for i, values in enumerate(getattr(each, quantity)):
        known = values[np.isfinite(values)]
        if len(known):
            low[i], mean[i], high[i] = known.min(), known.mean(), known.max()
    x, name = np.array(each.d, float), f"m/d = {each.ratio:g}"
    return Series(name=name, x=x, y=mean, low=low, high=high, role=role)

r"""Flows of a staircase network as functions of plain numbers: what statements and items ask for.

The network is that of `staircase.py`: s = sigmoid(. - 1/2), a uniform on [-1, 1], |w| = 1, so
that a neuron in R^d starts with u ~ N(0, I/d) and s = 1. All of w, a and b move. Time is eta times
steps.
"""

import math

import numpy as np
from jaxtyping import Float

import featlearn as fl
from featlearn._streams import generator
from featlearn.papers.abbe2022.staircase import SHIFT, activation_of
from featlearn.training import FlowPath, Neurons, solve_flow, spread_evenly

POINTS = 250
"""Times at which a path is looked at, geometrically spaced."""


def finite_start(k: int, d: float, neurons: int, seed: int) -> Neurons:
    """Neurons of a network in R^d as the flow sees them: u ~ N(0, I/d)."""
    rng = generator(seed, "start of the flow")
    return Neurons(
        a=rng.uniform(-1, 1, neurons),
        u=rng.normal(size=(neurons, k)) / math.sqrt(d),
        s=np.full(neurons, math.sqrt(max(1 - k / d, 0.0))),
        b=np.full(neurons, SHIFT),
        weight=np.full(neurons, 1 / neurons),
    )


def path_at_infinity(
    target: str, times: Float[np.ndarray, " times"], *, projected: bool = False, neurons: int = 48
) -> FlowPath:
    """The limit itself: u = 0, and a on the nodes of Gauss and Legendre."""

    law = fl.Boolean(d=20, target=target)
    return solve_flow(
        law.target,
        activation_of("sigmoid"),
        spread_evenly(law.k, s=1.0, b=SHIFT, neurons=neurons),
        times,
        projection=law.ties.projection(law.k) if projected else None,
    )


def path_in_dimension(
    target: str, d: float, seed: int, times: Float[np.ndarray, " times"], neurons: int
) -> FlowPath:
    """The flow of neurons that start where those of a network in R^d do."""

    h = fl.distributions.target_of(target)
    return solve_flow(
        h,
        activation_of("sigmoid"),
        finite_start(h.k, d, neurons, seed),
        times,
        tolerance=1e-6,
        smallest=1e-11,
    )


def time_to_learn(
    target: str, d: float, seed: int, *, level: float = 0.1, neurons: int = 64, horizon: float = 1e5
) -> float:
    """When the error is first the share `level` of the variance; NaN if not by the horizon.

    The horizon is approached tenfold at a time, so that early answers are cheap.
    """
    end = 300.0
    while True:
        times = np.concatenate([[0.0], np.geomspace(1.0, min(end, horizon), POINTS)])
        path = path_in_dimension(target, d, seed, times, neurons)
        found = first_below(times, path.error / path.target.variance, level)
        if not math.isnan(found) or end >= horizon:
            return found
        end *= 10


def first_below(
    times: Float[np.ndarray, " times"], values: Float[np.ndarray, " times"], level: float
) -> float:
    """The first time at which the values are at most the level, between two of them; NaN if never.

    Example:
        >>> first_below(np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.6, 0.2]), 0.4)
        1.5
    """
    below = np.flatnonzero(values <= level)
    if not len(below):
        return math.nan
    i = int(below[0])
    if i == 0:
        return float(times[0])
    share = (values[i - 1] - level) / (values[i - 1] - values[i])
    return float(times[i - 1] + share * (times[i] - times[i - 1]))

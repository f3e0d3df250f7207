"""How far a run of SGD is from the flow without dimension, as a function of plain numbers."""

import math

import numpy as np
import xarray as xr
from jaxtyping import Float

from featlearn.experiments.experiment import Experiment
from featlearn.experiments.lab import Lab
from featlearn.measurements import BitParts, recorded_output
from featlearn.papers.abbe2022.flows import path_at_infinity
from featlearn.papers.abbe2022.staircase import Staircase, activation_of

LOOKS = 25
"""Equally spaced looks at a run."""


def watched(d: int, width: int, eta: float, batch: int, *, target: str, last: float) -> Experiment:
    """SGD until eta t = last, its neurons recorded at equally spaced steps."""
    steps = max(1, round(last / eta))
    config = Staircase(
        formula=target, d=d, width=width, eta=eta, steps=steps, batch_ratio=batch / d
    )
    at = np.unique(np.linspace(0, steps, min(LOOKS, steps + 1)).astype(int))
    return config.experiment().replace(record=(BitParts(),), summary=(), at=tuple(map(int, at)))


def distances(dataset: xr.Dataset, eta: float, target: str) -> Float[np.ndarray, " seeds"]:
    """The largest root-mean-square difference over time of SGD's mean output from the flow's."""
    times = dataset["step"].values * eta
    flow = path_at_infinity(target, times.astype(float))
    apart = recorded_output(dataset, activation_of("sigmoid")) - flow.output
    worst: Float[np.ndarray, " seeds"] = np.sqrt((apart**2).mean(axis=2)).max(axis=1)
    return worst


def distance(
    d: int, width: int, eta: float, batch: int, *, target: str, last: float, lab: Lab
) -> Float[np.ndarray, " seeds"]:
    """Run and compare; one number a seed."""
    experiment = watched(d, width, eta, batch, target=target, last=last)
    return distances(lab.run(experiment).dataset, eta, target)


def bound_shape(d: float, width: float, eta: float, batch: float, k: int) -> float:
    """The bound without its e^(K T^7): starts, neurons, noise of the batches."""
    starts = math.sqrt((k + math.log(d)) / d)
    neurons = math.sqrt(math.log(width) / width)
    noise = math.sqrt(max((d + math.log(width)) / batch, 1.0) * eta)
    return starts + neurons + noise

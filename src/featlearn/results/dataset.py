"""Records of a trajectory as labelled arrays: (seed, step, neuron, cluster, …)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from featlearn.training import Quantity

Record = Mapping[str, np.ndarray]


def to_dataset(
    trajectories: Mapping[int, Mapping[int, Record]],
    quantities: Mapping[str, Quantity],
    labels: Mapping[str, tuple[str, ...]],
) -> xr.Dataset:
    """One dataset for several seeds of one configuration.

    Args:
        trajectories: seed -> step -> name -> array.
        quantities: the axes and the meaning of every name; kept weights need none.
        labels: what the places along an axis are called, kept as attributes of the dataset.
    """
    seeds = sorted(trajectories)
    steps = sorted(trajectories[seeds[0]])
    variables: dict[str, Any] = {}
    for name, example in trajectories[seeds[0]][steps[0]].items():
        values = np.stack([[trajectories[s][t][name] for t in steps] for s in seeds])
        described = quantities.get(name)
        dims = described.dims if described else _weight_dims(name, example)
        attributes = {"meaning": described.meaning} if described else {"meaning": "weights"}
        variables[name] = (("seed", "step", *dims), values, attributes)
    coordinates = {"seed": np.array(seeds), "step": np.array(steps)}
    return xr.Dataset(variables, coordinates, {f"{k}_labels": list(v) for k, v in labels.items()})


def _weight_dims(name: str, example: np.ndarray) -> tuple[str, ...]:
    """Axes of a kept array of weights: neuron and input for the parts of two layers."""
    if name.removeprefix("weights_") in ("w", "a", "b"):
        return ("neuron", "input")[: example.ndim]
    return tuple(f"{name}_{axis}" for axis in range(example.ndim))

"""Turn the records of training runs into labelled arrays: (seed, step, neuron, cluster, …)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from featlearn.training import Quantity

Record = Mapping[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Trajectory:
    """The records of one seed's training."""

    records: Mapping[int, Record]
    """step -> name -> array."""
    diverged: int | None = None
    """The first step after which it could not be computed with, where there is one."""


def to_dataset(
    trajectories: Mapping[int, Trajectory],
    quantities: Mapping[str, Quantity],
    labels: Mapping[str, tuple[str, ...]],
) -> xr.Dataset:
    """Join the records of several seeds of one configuration in one dataset.

    A seed that diverged has NaN at all later steps; `diverged_at` is the step at which it
    diverged.

    Args:
        trajectories: seed -> its records.
        quantities: name -> axes and meaning.
        labels: axis -> the names of its positions, by which users select them.
    """
    seeds = sorted(trajectories)
    longest = max((trajectories[seed].records for seed in seeds), key=len)
    steps = sorted(longest)
    sizes: dict[str, int] = {}
    variables: dict[str, tuple[object, ...]] = {}
    for name, example in longest[steps[0]].items():
        values = np.stack(
            [[_value(trajectories[s].records.get(t), name, example) for t in steps] for s in seeds]
        )
        described = quantities[name]
        sizes |= dict(zip(described.dims, np.shape(example), strict=True))
        variables[name] = (
            ("seed", "step", *described.dims),
            values,
            {"meaning": described.meaning},
        )
    coordinates: dict[str, np.ndarray | tuple[str, np.ndarray, dict[str, str]]] = {
        "seed": np.array(seeds),
        "step": np.array(steps),
    }
    coordinates |= {
        axis: np.array(labels[axis])
        for axis, size in sizes.items()
        if len(labels.get(axis, ())) == size
    }
    ends = [trajectories[seed].diverged for seed in seeds]
    at = np.array([np.nan if end is None else float(end) for end in ends])
    coordinates["diverged_at"] = ("seed", at, {"meaning": "step at which it diverged"})
    return xr.Dataset(variables, coordinates)


def _value(record: Record | None, name: str, example: np.ndarray) -> np.ndarray:
    if record is not None:
        return record[name]
    kind = example.dtype if np.issubdtype(example.dtype, np.floating) else np.float32
    return np.full(np.shape(example), np.nan, kind)

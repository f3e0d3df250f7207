"""An experiment put together: what to run, how to label it, how to sum it up."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
import xarray as xr
from jax import Array
from jaxtyping import Key

from featlearn._source import source_digest
from featlearn.training import Dynamics, Network, Plan, Quantity, Recording, Trainable

Summary = dict[str, np.ndarray]
"""Quantity -> one number a seed; NaN where an event was never reached."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """Distribution + network + training (inside the phases) + recording."""

    network: Network
    phases: tuple[Dynamics, ...]
    recording: Recording
    summarise: Callable[[xr.Dataset], Summary]
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What the places along an axis are called."""

    @property
    def plan(self) -> Plan:
        """What the loop needs."""
        return Plan(init=self._init, phases=self.phases, recording=self.recording)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """All that is recorded, described."""
        return self.recording.quantities

    def _init(self, key: Key[Array, ""]) -> Any:
        return _initial(self.network, key, source_digest())


@dataclass(frozen=True, kw_only=True)
class Planned:
    """An experiment whose plan is made by another engine than ours, such as torch."""

    plan: Trainable
    quantities: dict[str, Quantity]
    summarise: Callable[[xr.Dataset], Summary]
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)


@functools.partial(jax.jit, static_argnums=2)
def _initial(network: Network, key: Key[Array, ""], source: str) -> Any:
    """The initial parameters, in one compiled program for all networks of equal shape."""
    return network.init(key=key)

r"""Runs of XOR looked at after every step: what the statements about training are judged on.

T1   end of phase 1        S   heavy neurons at T1        gamma~_mu   margin that S carries at mu
"""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Bool, Float

from featlearn.experiments.lab import Lab
from featlearn.measurements import first_step, smallest_zeta
from featlearn.measurements.signal import Parts
from featlearn.papers.glasgow2023.xor import XOR, Xor

RHO = 0.5
"""The working heavy set: ||w_perp|| + ||w_opp|| <= rho ||w_sig||."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class XorRun:
    """The run of XOR that a statement is judged on."""

    d: int = 64
    """Input dimension."""
    width: int = 100
    """Number of neurons."""
    theta: float = 0.3
    """Radius of the initial neurons, and size of the initial second layer."""
    eta: float = 0.2
    """Step size."""
    batch_ratio: float = 12.0
    """Fresh samples per step, divided by d."""

    def xor(self, **more: Any) -> Xor:
        """The experiment, with more of its fields."""
        return Xor(
            d=self.d,
            width=self.width,
            theta=self.theta,
            eta=self.eta,
            batch_ratio=self.batch_ratio,
            **more,
        )


def watch(
    config: Xor, lab: Lab, seeds: Sequence[int] | None = None, *, frozen: bool = False
) -> xr.Dataset:
    """All measurements of XOR after every step, of the lab's seeds or of others.

    With `frozen` the first layer is not trained: a control, in which no feature is learned.
    """
    dense = dataclasses.replace(config, records=every_step(config.total_steps))
    if frozen:
        experiment = dense.experiment()
        network = dataclasses.replace(experiment.network, trained=("a",))
        return lab.run(experiment.replace(network=network), seeds=seeds).dataset
    return lab.run(dataclasses.replace(XOR, config=dense), seeds=seeds).dataset


def every_step(steps: int) -> int:
    """So many log-spaced records leave out no step.

    Example:
        >>> from featlearn.training import log_spaced
        >>> len(log_spaced(300, every_step(300)))
        301
    """
    return 2 * math.ceil((steps + 1) * math.log1p(steps)) + 2


def phase_1_end(data: xr.Dataset, theta: float) -> Float[np.ndarray, " seeds"]:
    """T1 of every seed: 0.1 of the neurons found at every centre, E||w_perp + w_opp||^2 small."""
    over = (data["found"] >= 0.1).all("cluster") & (data["rest"] <= 4 * theta**2)
    return first_step(over.values, data["step"].values)


def heavy_at(data: xr.Dataset, seed: int, step: int) -> Bool[np.ndarray, " neurons"]:
    """The working heavy set of a seed at a step."""
    one = data.isel(seed=seed).sel(step=step)
    return (one["orthogonal"] + one["opposite"] <= RHO * one["signal"]).values


def carried(
    data: xr.Dataset, seed: int, heavy: Bool[np.ndarray, " neurons"]
) -> Float[np.ndarray, "steps clusters"]:
    """gamma~_mu over time, of a fixed set of neurons."""
    one = data.isel(seed=seed)
    a, u1, u2 = (one[name].values.astype(float) for name in ("a", "along_mu1", "along_mu2"))
    sides = [(a >= 0) * u1, (a >= 0) * -u1, (a < 0) * u2, (a < 0) * -u2]
    each = np.stack([np.maximum(side, 0) for side in sides], axis=1)
    return math.sqrt(2) * np.mean(each * np.abs(a)[:, None] * heavy, axis=-1)


def zetas(data: xr.Dataset, seed: int, steps: Sequence[int], H: float) -> Float[np.ndarray, " n"]:
    """The smallest zeta of definition 4.2 at some steps of a seed."""
    names = ("along_mu1", "along_mu2", "signal", "opposite", "orthogonal")
    found = []
    for step in steps:
        one = data.isel(seed=seed).sel(step=step)
        parts = Parts(**{name: jnp.asarray(one[name].values) for name in names})
        found.append(float(_zeta(parts, jnp.asarray(one["a"].values), H)))
    return np.array(found)


_zeta = jax.jit(smallest_zeta)

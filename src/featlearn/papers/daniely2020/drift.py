"""Trajectories of the literal schedule with their weights: what lemmas 13 and 14 are about."""

from dataclasses import dataclass, replace

import numpy as np
import xarray as xr
from jaxtyping import Float

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.parity import LITERAL


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The networks that are trained; every seed is one for each eta and lambda."""

    d: int = 101
    """Input dimension."""
    k: int = 7
    """Number of relevant bits."""
    width: int = 100
    """Number of neurons, twins counted."""
    steps: int = 200
    """Steps after the first (T)."""
    batch: int = 1000
    """Fresh samples per step; the bounds hold for the gradient of any distribution."""
    eta: tuple[float, ...] = (0.035, 0.3)
    """Step sizes; 0.035 is k^2/(T sqrt q)."""
    lam: tuple[float, ...] = (0.0, 0.0693)
    """Weight decays; 0.0693 is k/d."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1 and self.k <= self.d, "k", f"an odd number up to {self.d}", self.k)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(self.steps >= 2, "steps", "at least 2", self.steps)
        require(self.batch >= 1, "batch", "at least 1", self.batch)
        require(min(self.eta) > 0 and max(self.eta) <= 0.5, "eta", "in (0, 1/2]", self.eta)
        require(min(self.lam) >= 0 and max(self.lam) <= 0.5, "lam", "in [0, 1/2]", self.lam)


@dataclass(frozen=True, kw_only=True)
class Drift:
    """One eta and lambda: all seeds' weights at the recorded t = 1, 2, …"""

    eta: float
    lam: float
    data: xr.Dataset
    """weights_w, weights_a, weights_b over (seed, step, neuron)."""

    @property
    def t(self) -> Float[np.ndarray, " steps"]:
        """The recorded t, from 1: the paper counts the first step as 1."""
        return self.data["step"].values.astype(float)


def trajectories(sizes: Sizes, lab: Lab) -> list[Drift]:
    """Train from the mirrored start with every eta and lambda."""
    found = []
    for eta in sizes.eta:
        for lam in sizes.lam:
            config = replace(
                LITERAL.config,
                d=sizes.d,
                k=sizes.k,
                width=sizes.width,
                steps=sizes.steps,
                batch=sizes.batch,
                eta=eta,
                lam=lam,
                test=100,
                records=20,
                keep_weights=True,
            )
            named = replace(LITERAL, config=config)
            result = lab.run(named)
            found.append(Drift(eta=eta, lam=lam, data=result.dataset.isel(step=slice(1, None))))
    return found


def slower(drift: Drift, by: float) -> Drift:
    """A control: a bound that is read with a step size `by` times smaller than the run's."""
    return replace(drift, eta=drift.eta / by)


def first_layer_as_printed(drift: Drift, d: int, k: int) -> Float[np.ndarray, " steps"]:
    """6 eta^2 t^2 + (eta t k/sqrt d)(2 eta t lambda d/k) t: the text without its lost plus."""
    at = drift.eta * drift.t
    return 6 * at**2 + at * k / np.sqrt(d) * 2 * at * drift.lam * d / k * drift.t


def first_layer_bound(drift: Drift, d: int, k: int) -> Float[np.ndarray, " steps"]:
    """6 eta^2 t^2 + eta t k/sqrt d + 2 eta t lambda d/k: how far w may be from w^(1)."""
    return bias_bound(drift, d, k) + 2 * drift.eta * drift.t * drift.lam * d / k


def bias_bound(drift: Drift, d: int, k: int) -> Float[np.ndarray, " steps"]:
    """6 eta^2 t^2 + eta t k/sqrt d: how far b may be from b^(1)."""
    at = drift.eta * drift.t
    return 6 * at**2 + at * k / np.sqrt(d)


def second_layer_bound(drift: Drift, d: int, k: int) -> Float[np.ndarray, " steps"]:
    """6 eta t + k/sqrt d: how large a may be."""
    return 6 * drift.eta * drift.t + k / np.sqrt(d)

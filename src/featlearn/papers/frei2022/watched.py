r"""One run of the setting, looked at after every step: what the statements are about.

    n   points      m   neurons      T   steps, t = 0 … T      mu_1, mu_2   directions

Weights pass by and are not kept; what is kept are their projections on the directions, their norms
and the pre-activations on the training sample.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr
from jaxtyping import Bool, Float, Int

from featlearn.experiments.lab import Lab
from featlearn.measurements import activity, clusters_of
from featlearn.papers.frei2022.setting import CLUSTERS, XorClusters

PROOF_C0 = 4**5 * 1024**2 * math.exp(4)
"""The C_0 of definition 7, 5.9e10: its threshold 1/(3 C_0 sqrt d) is 0 for every purpose."""
C0 = 2.0
"""The C_0 > 1 of our checks: lemmas 3 and 4 are for any, and 16 C_0^2 log(32/delta) neurons, which
the proof of lemma 4 asks for, can be had."""


@dataclass(frozen=True, kw_only=True)
class Watched:
    """One seed."""

    config: XorClusters
    a: Float[np.ndarray, " neurons"]
    norm: Float[np.ndarray, "times neurons"]
    projection: Float[np.ndarray, "times k neurons"]
    """<w_j, mu_i>."""
    z: Float[np.ndarray, "times samples neurons"]
    """<w_j, x_i> on the training sample."""
    y: Float[np.ndarray, " samples"]
    cluster: Int[np.ndarray, " samples"]
    noisy: Bool[np.ndarray, " samples"]
    along: Float[np.ndarray, "samples k"]
    """<x_i, mu>."""
    distance: Float[np.ndarray, " samples"]
    """||x_i - mu||, mu its own centre."""
    length: Float[np.ndarray, " samples"]
    """||x_i||."""
    test_error: float

    @property
    def correlation(self) -> Float[np.ndarray, "times k neurons"]:
        """<w_j, mu_i>/||w_j||."""
        return self.projection / self.norm[:, None]

    @property
    def signed(self) -> Float[np.ndarray, "times clusters neurons"]:
        """The correlation with each centre, +mu_1, -mu_1, +mu_2, -mu_2."""
        c = self.correlation
        return np.stack([c, -c], axis=2).reshape(len(c), -1, c.shape[2])

    def J(self, C0: float = C0) -> Bool[np.ndarray, "clusters neurons"]:
        """J_mu of lemma 4, from the start."""
        threshold = 1 / (3 * C0 * math.sqrt(self.config.d))
        return clusters_of(self.correlation[0], self.a, threshold)

    def on(self, t: int) -> Float[np.ndarray, "clusters neurons"]:
        """The share of each cluster's points that each neuron is on for at time t."""
        on, _ = activity(self.z[t] > 0, self.cluster, self.noisy, 2 * self.config.k)
        return np.asarray(on)

    def edge(self, t: int) -> Float[np.ndarray, "clusters neurons"]:
        """Clean points of the cluster that a neuron is on for, less those of the opposite, / n."""
        _, edge = activity(self.z[t] > 0, self.cluster, self.noisy, 2 * self.config.k)
        return np.asarray(edge)

    def margins(
        self, t: int, among: Bool[np.ndarray, " neurons"] | None = None
    ) -> Float[np.ndarray, " samples"]:
        """y_i f(x_i) at time t, of the whole network or of the neurons named (f^J)."""
        a = self.a if among is None else self.a * among
        return self.y * (np.maximum(self.z[t], 0) @ a)

    def features(self, t: int) -> Float[np.ndarray, "samples neurons"]:
        """relu(W_t x_i)."""
        return np.maximum(self.z[t], 0)


def watched(config: XorClusters, lab: Lab) -> list[Watched]:
    """The setting trained over the lab's seeds and looked at after every step."""
    runs = lab.run(replace(CLUSTERS, config=replace(config, every_point=True))).dataset
    sample = runs.isel(step=0)
    return [
        Watched(
            config=config,
            a=one["a"].values[-1],
            norm=one["norm"].values,
            projection=one["projection"].values,
            z=one["preactivation"].values,
            y=points["label"].values,
            cluster=points["cluster"].values,
            noisy=points["noisy"].values,
            along=points["along"].values,
            distance=points["distance"].values,
            length=points["length"].values,
            test_error=1 - float(one["test_accuracy"].values[-1]),
        )
        for one, points in zip(_each(runs), _each(sample), strict=True)
    ]


def _each(runs: xr.Dataset) -> Iterator[xr.Dataset]:
    """The seeds, one by one."""
    return (runs.isel(seed=place) for place in range(runs.sizes["seed"]))

"""Stores made by hand, without training: runs of several configurations, as a store has them."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from featlearn.results.key import ResultKey
from featlearn.results.seeds import write_seeds
from featlearn.results.store import Entry, Store

STEPS = np.arange(0, 101, 20)


def add_run(
    store: Store, identity: str, seeds: int = 3, steps: np.ndarray = STEPS, **config: Any
) -> Entry:
    """A run whose accuracy grows with eta and whose neurons are three."""
    key = ResultKey(description={"config": config}, modules={"toy": "0"})
    entry = store.entry(identity, key, config)
    rng = np.random.default_rng([seeds, int(1000 * config["eta"]), config["d"]])
    noise = 0.01 * rng.normal(size=(seeds, len(steps)))
    accuracy = 0.5 + 0.5 * (1 - np.exp(-config["eta"] * steps / 20)) + noise
    share = np.broadcast_to(accuracy[..., None], (*accuracy.shape, 3)) * [0.1, 0.5, 1.0]
    data = xr.Dataset(
        {
            "test_accuracy": (("seed", "step"), accuracy, {"meaning": "share of right signs"}),
            "signal_share": (("seed", "step", "neuron"), share, {"meaning": "share of signal"}),
        },
        {"seed": np.arange(seeds), "step": steps, "diverged_at": ("seed", np.full(seeds, np.nan))},
    )
    write_seeds(entry, data, {"test_accuracy": [float(v) for v in accuracy[:, -1]]})
    return entry


def small_store(root: Path) -> Store:
    """Six runs of one experiment and one of another."""
    store = Store(root=root).open()
    for d, eta in itertools.product((10, 100, 1000), (0.1, 0.4)):
        add_run(store, "toy.xor", d=d, eta=eta, noise="boolean")
    add_run(store, "toy.clusters", d=2, eta=0.2, samples=50)
    return store

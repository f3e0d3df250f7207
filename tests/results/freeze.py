"""Write the small store that every later version must be able to read.

    python tests/results/freeze.py tests/results/frozen/format-3

Done once for each format, and never again: the files are the promise.
"""

import dataclasses
import sys
from pathlib import Path
from unittest import mock

import numpy as np

import featlearn as fl
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import Small, heavy_networks


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sizes:
    """The sizes of the toy statement."""

    n: int = 3


def experiment(eta: float = 0.25) -> fl.Experiment:
    """Four inputs, two neurons, two steps."""
    network = fl.TwoLayer(
        d=4, width=2, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one"
    )
    how = fl.SGD(eta=eta, batch=4, steps=2, loss=fl.logistic)
    return fl.Experiment(
        fl.Parity(d=4), network, how, record=[fl.HeldOut(samples=9), fl.Weights()], at=(0, 1, 2)
    )


def evidence(sizes: Sizes, lab: Lab) -> fl.Evidence:
    """One claim of every judge, and a trend."""
    n, d = np.arange(1.0, 1.0 + sizes.n), np.array([8.0, 16.0, 32.0, 64.0])
    grown = d[:, None] * np.array([1.0, 1.01, 0.99])
    return fl.Evidence(
        parts=(
            fl.identity("n", n, n, tolerance=1e-9),
            fl.mean_identity("mean", np.array([1.0, 1.01, 0.99, 1.0]), 1.0, resolve=0.2),
            fl.sampled_identity("sampled", 1.0, 0.001, 1.0, resolve=0.1),
            fl.same_mean("same", n, n, resolve=100.0),
            fl.bound("bound", n, 10.0, every=True),
            fl.exact_bound("exact", 1.0, 2.0),
            fl.high_probability("often", 100, 100, 0.9),
            fl.hidden_constant("hidden", d, grown, d, constant="C"),
            fl.exponent("exponent", d, grown, 1.0),
            fl.reported("told", 3.0).noted("and why"),
        ),
        trends=(fl.trend("grown", "d", d, grown, d, constant="C"),),
    )


STATEMENT = fl.Statement(id="frozen.claim", config=Sizes(), evidence=evidence, seeds=2)


def freeze(folder: Path) -> None:
    """A run, evidence, a computation and a sweep."""
    with mock.patch("featlearn.results.store.provenance", return_value={"command": "freeze"}):
        fl.run(experiment, seeds=2, out=folder)
        fl.check(STATEMENT, out=folder)
        Lab.at(folder).compute(heavy_networks, config=Small(d=4, width=8), seed=0)
        fl.sweep(experiment, over={"eta": [0.25, 0.5]}, seeds=1, out=folder)
    for lock in folder.rglob("lock"):
        lock.unlink()


if __name__ == "__main__":
    freeze(Path(sys.argv[1]))

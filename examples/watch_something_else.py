"""How many neurons does each XOR cluster get? A measurement of my own added to a paper's run.

It is recorded beside what the paper's experiment records. At d = 10^6 that runs in other
coordinates: a measurement that sees the weights only through the law maps along, and says so; one
that asks for an input coordinate is refused by name.
"""

import os
from typing import Any

import jax.numpy as jnp
import matplotlib.pyplot as plt

import featlearn as fl
from featlearn.papers.glasgow2023.xor import Xor


@fl.record(numbers=("law",))
class Served:
    """Per cluster: the share of neurons that lean to it most."""

    law: Any = None
    any_basis = True  # it sees w.mu alone

    quantities = property(
        lambda self: {"served": fl.Quantity(dims=("cluster",), meaning="share of the neurons")}
    )

    def measure(self, params, *, key):
        nearest = (self.law.means @ params.w.T).argmax(axis=0)
        return {"served": jnp.mean(nearest == jnp.arange(4)[:, None], axis=1)}


toy = bool(os.environ.get("FEATLEARN_TOY"))
for d in (20, 10**6):
    paper = Xor(d=d, width=16, batch=64 if toy else 2000, steps=5 if toy else 300, noise="gaussian")
    watched = paper.experiment().replace(summary=[fl.Last(quantity="served", by="min")])
    result = fl.run(watched.replace(record=[*watched.record, Served()]), seeds=2)
    print(f"d = {d}, weights over {watched.axis}s:", result.summary["served"].values)
    print(result.dataset["served"].sel(cluster="+mu1").isel(step=-1).values)
    shares = result.dataset["served"].mean("seed")
    plt.plot(shares["step"], shares.sel(cluster="+mu1"), label=f"+mu1, d = {d}")
    plt.plot(shares["step"], shares.sel(cluster="+mu2"), label=f"+mu2, d = {d}")
plt.xlabel("step"), plt.ylabel("share of the neurons"), plt.legend()
plt.savefig("served.pdf")

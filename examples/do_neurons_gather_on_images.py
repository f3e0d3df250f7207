"""Do the neurons of a network on images gather around a few directions?

Zeros and ones of scikit-learn's digits, 50 neurons, momentum .95 (Shi, Wei & Liang 2022, figure 3).
A cluster is counted by a rule: average linkage up to a mean cosine of 1/2, a tenth of the neurons
at least. Expect two from a small start and none from the usual one. Caveat: the paper does not give
the scale of its start; MNIST itself takes `dataset="mnist"` and its files.
"""

import os
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import featlearn as fl

toy = bool(os.environ.get("FEATLEARN_TOY"))
size: dict[str, Any] = (
    {"steps": 100, "records": 3, "seeds": 1} if toy else {"steps": 1000, "seeds": 5}
)

# %% Two starts: entries of sd .001, and of sd sqrt(2/d); cosines of all pairs of neurons
_, panels = plt.subplots(1, 2, figsize=(8, 4))
for axes, (name, omega) in zip(
    panels, (("small start", 0.001), ("usual start", None)), strict=True
):
    result = fl.run("shi2022.images", omega=omega, **size)
    end = result.dataset.isel(step=-1)
    clusters = ", ".join(f"{count:.0f}" for count in result.summary["clusters_end"].values)
    print(f"{name}: clusters {clusters}; accuracy {100 * float(end['test_accuracy'].mean()):.1f} %")
    w = end["weights_w"].isel(seed=0).values
    w = w[np.argsort(w @ np.linalg.svd(w)[2][0])]
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    axes.imshow(w @ w.T, vmin=-1, vmax=1, cmap="RdBu_r")
    axes.set(title=name, xlabel="neuron", ylabel="neuron")
plt.savefig("neurons.pdf")

"""Do features come from the input?

The label is the parity of k patterns among D (Shi, Wei & Liang 2022). With structure, these
patterns are sometimes all there or all absent, so that each is correlated with the label, and two
gradient steps turn every neuron to their sum. With fair independent patterns the label is the same
function, and the same steps find nothing. Caveat: the paper's literal step sizes stop at the
plateau of classifiers that only count patterns; the recipe here is the practical one.
"""

import os
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np

from featlearn.measurements import cosines
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.patterns import PatternTraining

toy = bool(os.environ.get("FEATLEARN_TOY"))

# %% The setting: five patterns out of a hundred in 500 dimensions
config = PatternTraining(width=200, samples=20_000)
if toy:
    config = PatternTraining(d=30, dictionary=12, k=3, width=20, samples=2000, batch=100)
truth = config.law().truth
print(f"gamma = {truth.label_covariance:.3f}, sigma~ = {truth.input_sd:.3f}")
print(f"best accuracy of a classifier monotone in the count: {truth.monotone_plateau:.1%}")

# %% The first two steps, with structure and without
found = {}
for structure in (True, False):
    chosen = replace(config, structure=structure)
    for step, params in enumerate(early_weights(chosen, seed=0)):
        cosine = np.abs(np.asarray(cosines(params.w, chosen.experiment().law.direction)))
        told = "with structure" if structure else "without"
        found[f"{told}, {step} steps"] = cosine
        print(f"{told:<15} after {step} steps: median |cosine| {np.median(cosine):.3f}")

# %% All neurons: only with structure do they turn to the sum of the relevant patterns
for name, cosine in found.items():
    plt.plot(np.sort(cosine), np.linspace(0, 1, len(cosine)), label=name)
plt.xlabel("|cosine| with the sum of the relevant patterns"), plt.ylabel("share of neurons below")
plt.legend()
plt.savefig("cosines.pdf")

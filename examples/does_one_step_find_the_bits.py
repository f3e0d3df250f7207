"""Does one gradient step find the bits of a parity?

The label is the parity of k bits out of d (Daniely & Malach 2020). Half of the time these bits are
all equal, and that leaks: each of them is correlated with the label. One exact population step at
a start with output 0 leaves weight on these bits and exactly nothing elsewhere on every neuron
whose initial weights on them sum to 0. Caveat: a read-out must still be trained; the step only
makes the features.
"""

import os

import jax
import matplotlib.pyplot as plt
import numpy as np

from featlearn.measurements import relevant_parts
from featlearn.papers.daniely2020.parity import Parities

toy = bool(os.environ.get("FEATLEARN_TOY"))

# %% The setting: five bits among three hundred, scattered
config = Parities(d=101, k=3, width=200, relevant=(7, 50, 93))
if not toy:
    config = Parities(d=301, k=5, width=2000, relevant=(7, 50, 93, 150, 299))
law, network = config.distribution(), config.network()
start = network.init(key=jax.random.key(0))

# %% One step over the whole population, in closed form
step = config.experiment().phases[0]
after = step.step(start, 0, None, key=jax.random.key(0))

# %% What became of the neurons
A = np.array(law.A)
balanced = np.asarray(start.w[:, A].sum(axis=1) == 0)
for name, w in (("start", start.w), ("after one step", after.w)):
    parts = relevant_parts(w, law.A)
    print(f"{name:<15} median cosine with the relevant bits {np.median(parts.cos):.4f}")
outside = np.asarray(relevant_parts(after.w, law.A).outside)
print(f"balanced neurons ({balanced.mean():.1%}): largest weight outside {outside[balanced].max()}")
print(f"all other neurons: largest weight outside {outside[~balanced].max():.2e}")

# %% A balanced neuron, before and after
neuron = int(np.argmax(balanced))
_, panels = plt.subplots(1, 2, figsize=(8, 3))
for axes, (name, w) in zip(panels, (("start", start.w), ("after one step", after.w)), strict=True):
    axes.vlines(np.arange(law.d), 0, np.asarray(w[neuron]))
    axes.set(title=name, xlabel="coordinate", ylabel="weight")
plt.tight_layout()
plt.savefig("one-neuron.pdf")

"""How many samples does a network that learns features save over its own tangent kernel?

Expect the network to reach 95 % on XOR after a multiple of d samples and the kernel after about
d²/2. Caveat: at small d the kernel is the cheaper of the two; the curves cross near d = 100.
"""

# %% The setting: one network, trained by SGD on fresh samples
import os

import matplotlib.pyplot as plt
import numpy as np

import featlearn as fl
from featlearn.measurements import reaching
from featlearn.papers.glasgow2023.kernel_samples import kernel_samples
from featlearn.theory.growth import GrowthCurve

toy = bool(os.environ.get("FEATLEARN_TOY"))
dimensions, seeds = ((8, 12), 2) if toy else ((16, 32, 48, 64), 3)


def of_network(d):
    """Samples to 95 % of every seed, read off its held-out accuracy."""
    result = fl.run(
        "glasgow2023.xor", d=d, width=64, batch_ratio=1.0, steps=120, records=40, seeds=seeds
    )
    samples = result.dataset["step"].values * float(result.config.batch_size)
    return reaching(samples, result.dataset["test_accuracy"].values, 0.95)


# %% The same question to the NTK of that network, by ridge regression
def of_kernel(d):
    """Samples to 95 % of every seed, by bisection."""
    return [kernel_samples("ntk", d, seed) for seed in range(seeds)]


# %% Samples over d, and the exponents
curves = [
    GrowthCurve(name=name, d=dimensions, values=np.array([of(d) for d in dimensions]))
    for name, of in (("SGD", of_network), ("NTK", of_kernel))
]
for curve in curves:
    ratios = ", ".join(
        f"d={d}: {n.mean() / d:.0f} d" for d, n in zip(curve.d, curve.values, strict=True)
    )
    print(f"{curve.name}: {ratios}; exponent {curve.exponent[0]:.2f} ± {curve.exponent[1]:.2f}")

# %% The picture: two slopes
for curve in curves:
    plt.errorbar(
        curve.d, curve.values.mean(1), yerr=curve.values.std(1), marker="o", label=curve.name
    )
plt.xscale("log"), plt.yscale("log"), plt.legend()
plt.xlabel("dimension"), plt.ylabel("samples to 95 %")
plt.savefig("samples.pdf")

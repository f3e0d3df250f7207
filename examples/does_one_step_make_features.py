"""Does one gradient step turn random features into learned ones, in any dimension?

Four noisy clusters, labelled like XOR; a random neuron correlates with a centre like 1/sqrt d
(Frei, Chatterji & Bartlett 2022). One large step of full-batch descent, and it correlates like a
constant. Caveat: only where the noise is short against the centres, sigma sqrt d = 1/16 here.
"""

import os

import matplotlib.pyplot as plt

import featlearn as fl

toy = bool(os.environ.get("FEATLEARN_TOY"))
dimensions = (50, 200) if toy else (250, 1000, 4000)

sizes = []
print(f"{'d':>6}{'before':>10}{'after':>10}{'1/sqrt d':>10}")
for d in dimensions:
    result = fl.run(
        "frei2022.clusters", d=d, steps=1, samples=200 if toy else 1000, test=100, seeds=2
    )
    size = abs(result.dataset["correlation"]).max("direction").mean(["seed", "neuron"])
    before, after = (float(value) for value in size)
    sizes.append((before, after, d**-0.5))
    print(f"{d:>6}{before:>10.3f}{after:>10.3f}{d**-0.5:>10.3f}")

# %% Before the step the correlation falls with the dimension, after it it does not
for name, line in zip(("before", "after", "1/sqrt d"), zip(*sizes, strict=True), strict=True):
    plt.loglog(dimensions, line, marker="o", label=name)
plt.xlabel("dimension"), plt.ylabel("largest |correlation| with a centre"), plt.legend()
plt.savefig("one-step.pdf")

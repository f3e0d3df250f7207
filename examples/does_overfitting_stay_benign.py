"""Does overfitting stay benign: every label fitted after one step, understood later, and then?

Four noisy clusters, labelled like XOR, a twentieth of the labels flipped, 40 000 inputs and 200
points (Xu, Wang, Frei, Vardi & Hu 2023, figure 1). After one step every label is fitted, flipped
ones too, and new points are at chance; a few steps later they are not, and the fit is the same. The
theorem stops at sqrt n = 14 steps. Here the step is 1e-5, so that after some thousand of them the
pulls of points are no longer equal (r(t) > 1), which its proof must not allow.
"""

import os
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import featlearn as fl

toy = bool(os.environ.get("FEATLEARN_TOY"))
sizes: dict[str, Any] = (
    {"width": 20, "samples": 40, "steps": 30} if toy else {"width": 200, "steps": 20_000}
)

result = fl.run("xu2023.clusters", eta=1e-5, seeds=2, test=500, records=12, **sizes)
print(f"{'t':>7}{'labels fitted':>15}{'test':>9}{'not linear':>12}{'r(t)':>9}")
for t in result.dataset["step"].values:
    at = result.dataset.sel(step=t).mean("seed")
    print(
        f"{t:>7}{float(at['train_accuracy']):>15.1%}{float(at['test_accuracy']):>9.1%}"
        f"{float(at['even_share']):>12.2f}{np.exp(float(at['log_pull_ratio'])):>9.3g}"
    )

# %% Fitted first, understood later
for name in ("train_accuracy", "test_accuracy"):
    plt.plot(result.dataset["step"] + 1, result.dataset[name].mean("seed"), marker="o", label=name)
plt.xscale("log"), plt.xlabel("t + 1"), plt.ylabel("accuracy"), plt.legend()
plt.savefig("grokking.pdf")

"""How does the step size change what XOR needs? From a sweep to a DataFrame and a PDF.

Every point of the grid with its seeds is a row; what one does with rows is pandas and matplotlib.
Expect the loss after 200 steps to fall with eta, and d to matter little.
"""

import os

import matplotlib.pyplot as plt

import featlearn as fl

toy = bool(os.environ.get("FEATLEARN_TOY"))


def xor(d: int = 32, eta: float = 0.2) -> fl.Experiment:
    """The network of Glasgow (2023) on XOR."""
    net = fl.TwoLayer(
        d=d, width=64, w=fl.Sphere(radius=0.3), a=fl.Signs(size=0.3), scaling="mean-field"
    )
    how = fl.SGD(eta=eta, batch=8 * d, steps=10 if toy else 200, loss=fl.doubled_logistic)
    return fl.Experiment(fl.Parity(d=d), net, how, record=[fl.HeldOut()])


sweep = fl.sweep(xor, over={"d": [8, 16] if toy else [16, 32, 64], "eta": [0.1, 0.2, 0.4]}, seeds=3)
print(sweep)
table = sweep.to_dataframe()
loss = table.groupby(["d", "eta"])["test_loss"].agg(["mean", "sem"]).reset_index()
for d, rows in loss.groupby("d"):
    plt.errorbar(rows.eta, rows["mean"], yerr=rows["sem"], marker="o", label=f"d = {d}")
plt.xlabel("step size"), plt.ylabel("held-out loss"), plt.legend()
plt.savefig("step-sizes.pdf")

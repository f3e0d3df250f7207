"""Does a random basis stop a rule that moves by signs? It can help it and it can cost it.

Steps to 95 % on the majority of three bits, in the basis of the bits over those in a random one,
from the same seeds: below 1 the rotation costs, above 1 it helps. Plain descent cannot tell the two
apart in law. A step of signs moves by eta sqrt(3) along the three bits, and by .8 eta sqrt(d) along
one direction that is spread over all inputs, so that the ratio could be 1.8 at d = 16 and 3.7 at
d = 64. It is not: with batches of 256 the rotation doubles the steps of Adam and of sign descent at
d = 16 (.49, 95 % interval .43 to .55), and nearly halves them at d = 64 (1.86 and 1.79); with
batches of 16 it does nothing at d = 16 (.95 and .93) and helps at d = 64 (1.59 and 1.17). SGD has
.98 to 1.05. So no rotation stops these rules here, and what decides is not known.
"""

import os
from typing import Any

import numpy as np
import optax

import featlearn as fl

TOY = "FEATLEARN_TOY" in os.environ
D, BATCHES, SEEDS = ([8], [16], 3) if TOY else ([16, 64], [16, 256], 12)
RULES: dict[str, Any] = {
    "SGD": lambda: fl.Plain(eta=0.2),
    "Adam": lambda: fl.Adam(eta=0.005),
    "sign": lambda: fl.optax_rule(optax.sign_sgd, learning_rate=0.002),
}


def majority(d: int, batch: int, rule: str, rotated: bool):
    basis = fl.rotation(d, key=fl.stream(0, "rotation")) if rotated else None
    law = fl.Boolean(d=d, target="sign(x1 + x2 + x3)", task="classification", basis=basis)
    net = fl.TwoLayer(
        d=d,
        width=64,
        w=fl.Gaussian(sd=d**-0.5),
        a=fl.Uniform(bound=1.0),
        b=fl.Gaussian(sd=0.5),
        scaling="mean-field",
    )
    how = fl.SGD(eta=1.0, batch=batch, steps=60 if TOY else 600, loss=fl.squared)
    solved = fl.Crossing(name="steps", when=(fl.Reaches(quantity="test_accuracy", level=0.95),))
    record, how = [fl.HeldOut(samples=2000)], how.with_rule(RULES[rule]())
    return fl.Experiment(law, net, how, record=record, at=60, summary=[solved])


over: dict[str, Any] = {"d": D, "batch": BATCHES, "rule": list(RULES), "rotated": [False, True]}
frame = fl.sweep(majority, over=over, seeds=SEEDS).to_dataframe()
print(
    f"{'rule':6} {'d':>3} {'batch':>5}   steps in the basis of the bits over steps in a random one"
)
for (rule, d, batch), rows in frame.groupby(["rule", "d", "batch"], sort=False):
    steps = np.log(rows.pivot(index="rotated", columns="seed", values="steps").to_numpy())
    known = (steps[0] - steps[1])[np.isfinite(steps).all(0)]
    if len(known) < 2:
        print(f"{rule:6} {d:3} {batch:5}   {len(known)} of {SEEDS} seeds learn in both")
        continue
    half = 2.2 * known.std(ddof=1) / len(known) ** 0.5
    low, mean, high = np.exp([known.mean() - half, known.mean(), known.mean() + half])
    print(f"{rule:6} {d:3} {batch:5}   {mean:.2f} ({low:.2f} to {high:.2f}), {len(known)} seeds")

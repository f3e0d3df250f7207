"""Does a random basis cost a rule that moves by signs anything, and does it cost the others?

Steps to 95 % on the majority of three bits, in the basis of the bits over in a random one, from the
same seeds: plain descent cannot tell the two apart in law, Adam and sign descent can. Small batches
are nearly noise, so that signs say little; in large ones every sign is right, and a step of signs
moves by eta along a bit, but by about .8 eta sqrt(d) along a direction spread over all inputs.
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
print(f"{'rule':6} {'d':>3} {'batch':>5}   steps in the basis of the bits over steps in a random one")
for (rule, d, batch), rows in frame.groupby(["rule", "d", "batch"], sort=False):
    steps = np.log(rows.pivot(index="rotated", columns="seed", values="steps").to_numpy())
    known = (steps[0] - steps[1])[np.isfinite(steps).all(0)]
    if len(known) < 2:
        print(f"{rule:6} {d:3} {batch:5}   {len(known)} of {SEEDS} seeds learn in both")
        continue
    half = 2.2 * known.std(ddof=1) / len(known) ** 0.5
    low, mean, high = np.exp([known.mean() - half, known.mean(), known.mean() + half])
    print(f"{rule:6} {d:3} {batch:5}   {mean:.2f} ({low:.2f} to {high:.2f}), {len(known)} seeds")

"""Which optimiser and which loss pay what for a leap, and which of them only in the right basis?

Samples to 95 % accuracy against d as an exponent, with its 95 % interval over seeds: five rules and
four losses on a target of leap 1 (the majority of three bits) and one of leap 2 (XOR), in the basis
of the bits and in a random one. The figure is leaps.png.
"""

import os
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import optax

import featlearn as fl
from featlearn.figures.on_paper import save
from featlearn.figures.record import Axis, Figure, Panel, Series

TOY = "FEATLEARN_TOY" in os.environ
D, BATCH, SEEDS = ([8, 12], 16, 2) if TOY else ([16, 32, 64], 16, 3)
TARGETS = {"leap 1": "sign(x1 + x2 + x3)", "leap 2": "x1*x2"}
RULES: dict[str, Any] = {
    "SGD": lambda: fl.Plain(eta=0.2),
    "momentum": lambda: fl.Momentum(eta=0.02),
    "Adam": lambda: fl.Adam(eta=0.005),
    "sign": lambda: fl.optax_rule(optax.sign_sgd, learning_rate=0.002),
    "Langevin": lambda: fl.optax_rule(
        optax.noisy_sgd, learning_rate=0.2, eta=1e-3, gamma=0.0, key=0
    ),
}


def absolute(f, y):
    return jnp.abs(f - y)


LOSSES: dict[str, Any] = {
    "squared": fl.squared,
    "absolute": absolute,
    "logistic": fl.logistic,
    "hinge": fl.hinge,
}
rules, losses = (["SGD"], ["squared"]) if TOY else (list(RULES), list(LOSSES))


def court(d: int, rule: str, loss: str, leap: str, rotated: bool = False):
    basis = fl.rotation(d, key=fl.stream(0, "rotation")) if rotated else None
    law = fl.Boolean(d=d, target=TARGETS[leap], task="classification", basis=basis)
    net = fl.TwoLayer(
        d=d,
        width=64,
        w=fl.Gaussian(sd=d**-0.5),
        a=fl.Uniform(bound=1.0),
        b=fl.Gaussian(sd=0.5),
        scaling="mean-field",
    )
    how = fl.SGD(eta=1.0, batch=BATCH, steps=60 if TOY else 1000, loss=LOSSES[loss])
    solved = fl.Crossing(name="steps", when=(fl.Reaches(quantity="test_accuracy", level=0.95),))
    record, how = [fl.HeldOut(samples=500)], how.with_rule(RULES[rule]())
    return fl.Experiment(law, net, how, record=record, at=60, summary=[solved])


def exponent(rows):
    """Mean slope of log samples in log d, half its interval; samples at the largest d; missed."""
    steps = rows.pivot(index="d", columns="seed", values="steps").to_numpy()
    x = np.log(D) - np.mean(np.log(D))
    slopes = x @ np.log(BATCH * steps) / (x @ x)
    known = slopes[np.isfinite(slopes)]
    t = {2: 12.7, 3: 4.30}.get(len(known), np.nan)
    spread = t * known.std(ddof=1) / len(known) ** 0.5 if len(known) > 1 else np.nan
    missed, last = int(np.isnan(steps).sum()), steps[-1]
    samples = BATCH * np.median(last) if np.isfinite(last).all() else np.nan
    return known.mean() if len(known) else np.nan, spread, samples, missed


panels = []
HEAD = ("target", "basis", "rule", "loss", "exponent", "±", "samples", "missed")
print("{:8} {:8} {:9} {:9} {:>9} {:>5} {:>8} {:>6}".format(*HEAD))
for leap in TARGETS:
    for rotated in (True,) if TOY else (False, True):
        over: dict[str, Any] = {"d": D, "rule": rules, "loss": losses}
        frame = fl.sweep(court, over=over, seeds=SEEDS, leap=leap, rotated=rotated).to_dataframe()
        basis, found = "random" if rotated else "bits", {}
        for rule in rules:
            for loss in losses:
                rows = frame[(frame["rule"] == rule) & (frame["loss"] == loss)]
                found[rule, loss] = e, half, samples, missed = exponent(rows)
                told = f"{e:9.2f} {half:5.2f} {samples:8.0f} {missed:6}"
                print(f"{leap:8} {basis:8} {rule:9} {loss:9} {told}", flush=True)
        looks = ("network", "ntk", "random-features", "linear")
        series = []
        for i, loss in enumerate(losses):
            y, half = (np.array([found[rule, loss][j] for rule in rules]) for j in (0, 1))
            x = np.arange(len(rules)) + 0.15 * (i - 1.5)
            given = {"x": x, "y": y, "low": y - half, "high": y + half}
            series.append(Series(name=loss, **given, role=looks[i], kind="points"))
        ticks = tuple((float(i), rule) for i, rule in enumerate(rules))
        across = Axis(label="rule", ticks=ticks)
        up = Axis(label="exponent of samples in d", limits=(-0.5, 2.0))
        panels.append(Panel(x=across, y=up, series=tuple(series), title=f"{leap}, {basis} basis"))
caption = "Exponent of samples to 95 % in d, 95 % interval over seeds."
save(
    Figure(id="leaps", title="Who pays for a leap", caption=caption, panels=tuple(panels)),
    Path("leaps.png"),
    width="page",
)

"""Shi, Wei & Liang (2022): table 1's Network, all its steps, against PyTorch in d dimensions.

A unit is the whole training of one seed: its sample drawn, two full-batch steps with the paper's
decay, then minibatches.
"""

import os

from benchmarks.glasgow import Round
from featlearn.papers.shi2022.patterns import PatternTraining


def ours(seeds: int) -> Round:
    """Our run of so many seeds, shared out over the cores, in the dictionary's coordinates."""
    import jax

    jax.config.update("jax_num_cpu_devices", len(os.sched_getaffinity(0)))
    from featlearn.experiments.scheduler import execute
    from featlearn.experiments.trajectory import trajectory_task

    config = PatternTraining(records=2, test=1)

    def work() -> None:
        tasks = [
            trajectory_task(lambda: config.experiment().plan, seed, None) for seed in range(seeds)
        ]
        for outcome in execute(tasks, total=seeds):
            assert outcome.error is None, outcome.error

    return work, seeds


def torch(seeds: int) -> Round:
    """PyTorch, one seed after the other: autograd on x in d dimensions, noise drawn."""
    import numpy as np
    import torch as pt

    from featlearn._streams import stream

    config = PatternTraining(simulation="plain")
    law, size, m = config.law(), config.step_sizes(), config.batch
    matrix = pt.linalg.qr(pt.randn(config.d, config.dictionary)).Q
    sample = law.sample(config.samples, key=stream(0, "sample"))
    codes, y = pt.tensor(np.array(sample.x))[:, : config.dictionary], pt.tensor(np.array(sample.y))
    start = config.network().init(key=stream(0, "init"))

    def train() -> None:
        x = codes @ matrix.T
        w, a, b = (pt.tensor(np.array(v), requires_grad=True) for v in (start.w, start.a, start.b))
        for step in range(config.steps):
            full = step < 2
            rows = slice(None) if full else pt.randint(0, config.samples, (m,))
            pre = x[rows] @ w.T + b
            if full:
                pre = pre + size.smoothing * pt.randn_like(pre)
            f = pre.clamp(0, 1) @ a
            pt.relu(1 - y[rows] * f).mean().backward()
            eta = (size.eta1, size.eta2)[step] if full else size.eta
            with pt.no_grad():
                for weights, decays in ((w, full), (a, step == 1), (b, False)):
                    if decays:
                        weights.zero_()
                    weights.sub_(eta * weights.grad)
                    weights.grad = None

    def work() -> None:
        for _ in range(seeds):
            train()

    return work, seeds

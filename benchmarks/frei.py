"""Frei, Chatterji & Bartlett (2022): full-batch descent, against PyTorch and against d.

ours(n, p, d, steps)    our loop on the noisy XOR of clusters, in the form it chooses by itself
torch(n, p, d, steps)   the same by PyTorch's autograd, as a user would write it

A unit is one step.
"""

from dataclasses import replace

from benchmarks.glasgow import Round
from featlearn.papers.frei2022.setting import PLANE, XorClusters


def config_of(n: int, p: int, d: int) -> XorClusters:
    """Figure 1's configuration in the plane, the paper's assumptions above it."""
    if d == 2:
        return replace(PLANE.config, samples=n, width=p)
    return XorClusters(d=d, samples=n, width=p)


def ours(n: int, p: int, d: int, steps: int) -> Round:
    """Our loop: on angles where d = 2, in the span of the data where d is large."""
    import jax

    from featlearn._streams import stream
    from featlearn.training.loop import advance

    experiment = config_of(n, p, d).experiment()
    phase = experiment.phases[0]
    fixed = phase.fixed(key=stream(0, "sample"))
    state = phase.start(experiment.plan.init(stream(0, "init")), fixed)
    key = stream(0, "data-0")

    def work() -> None:
        jax.block_until_ready(advance(phase, state, 0, steps, fixed, key))

    return work, steps


def torch(n: int, p: int, d: int, steps: int) -> Round:
    """PyTorch: two lines of network, autograd, and an in-place update."""
    import numpy as np
    import torch as pt

    from featlearn._streams import stream

    config = config_of(n, p, d)
    sample = config.distribution().sample(n, key=stream(0, "sample"))
    params = config.network().init(key=stream(0, "init"))
    x, y, a = (pt.tensor(np.array(v)) for v in (sample.x, sample.y, params.a))
    w = pt.tensor(np.array(params.w), requires_grad=True)

    def work() -> None:
        for _ in range(steps):
            loss = pt.nn.functional.softplus(-y * (pt.relu(x @ w.T) @ a)).mean()
            (slope,) = pt.autograd.grad(loss, w)
            with pt.no_grad():
                w.sub_(config.eta * slope)

    return work, steps

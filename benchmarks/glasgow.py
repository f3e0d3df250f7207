"""Glasgow (2023): our training, the same in PyTorch as a user would write it, bare products.

Every function prepares its work and returns a callable for one round, with the number of units
(steps of one network) in it.
"""

import os
from collections.abc import Callable
from typing import Any

Round = tuple[Callable[[], None], int]

ETA, THETA = 0.2, 0.3


def steps_of(d: int, p: int, m: int) -> int:
    """Steps in a round: about half a second of bare products."""
    return max(2, round(2e10 / (4.0 * d * p * m)))


def ours(d: int, p: int, m: int) -> Round:
    """Our loop on XOR, one seed."""
    import jax

    from featlearn.papers.glasgow2023.xor import Xor
    from featlearn.training.loop import advance

    experiment = Xor(d=d, width=p, batch=m, theta=THETA, eta=ETA).experiment()
    phase, n = experiment.phases[0], steps_of(d, p, m)
    state = phase.start(experiment.plan.init(jax.random.key(0)), None)

    def work() -> None:
        jax.block_until_ready(advance(phase, state, 0, n, None, jax.random.key(1)))

    return work, n


def free_of_d(d: int, p: int, m: int, steps: int) -> Round:
    """Our loop on XOR with Gaussian noise, in the coordinates of the neurons."""
    import jax

    from featlearn.papers.glasgow2023.xor import Xor
    from featlearn.training.loop import advance

    config = Xor(d=d, width=p, batch=m, theta=THETA, eta=ETA, noise="gaussian", simulation="gram")
    experiment = config.experiment()
    phase = experiment.phases[0]
    state = phase.start(experiment.plan.init(jax.random.key(0)), None)

    def work() -> None:
        jax.block_until_ready(advance(phase, state, 0, steps, None, jax.random.key(1)))

    return work, steps


def ours_seeds(d: int, p: int, m: int, seeds: int) -> Round:
    """Our loop on XOR, many seeds shared out over the cores; a unit is a step of one seed."""
    import jax

    jax.config.update("jax_num_cpu_devices", len(os.sched_getaffinity(0)))
    from featlearn.experiments.job import ExperimentJob
    from featlearn.experiments.scheduler import execute
    from featlearn.papers.glasgow2023.xor import Xor

    n = max(20, 4 * steps_of(d, p, m) // seeds)
    config = Xor(d=d, width=p, batch=m, theta=THETA, eta=ETA, steps=n, records=2, test=1)

    def work() -> None:
        job = ExperimentJob(identity="glasgow2023.xor", config=config, seeds=tuple(range(seeds)))
        tasks = job.tasks(None)
        for outcome in execute(tasks, total=seeds):
            assert outcome.error is None, outcome.error

    return work, n * seeds


def _sweep_size(d: int, p: int, m: int, steps: int) -> dict[str, Any]:
    return {"d": d, "width": p, "batch": m, "steps": steps, "records": 20, "test": 200}


def ours_sweep(d: int, p: int, m: int, points: int, steps: int) -> Round:
    """A sweep over step sizes into a new store; a unit is one configuration."""
    import itertools
    import tempfile
    from pathlib import Path

    import jax

    jax.config.update("jax_num_cpu_devices", len(os.sched_getaffinity(0)))
    from featlearn.papers.glasgow2023.xor import XOR
    from featlearn.reproduction.sweep import sweep

    folder, number = Path(tempfile.mkdtemp()), itertools.count()
    over = {"eta": [0.1 + 0.002 * i for i in range(points)]}
    size = _sweep_size(d, p, m, steps)

    def work() -> None:
        sweep(XOR, over=over, seeds=1, out=folder / str(next(number)), **size)

    return work, points


def ours_loop(d: int, p: int, m: int, points: int, steps: int) -> Round:
    """The same configurations one after the other in one process, compiled once, kept in memory."""
    from featlearn.experiments.run import run
    from featlearn.papers.glasgow2023.xor import XOR

    size = _sweep_size(d, p, m, steps)

    def work() -> None:
        for i in range(points):
            run(XOR, seeds=1, eta=0.1 + 0.002 * i, **size)

    return work, points


def torch(d: int, p: int, m: int) -> Round:
    """The same training in PyTorch, as a user would write it: autograd and torch.randint."""
    import torch as pt

    n = steps_of(d, p, m)

    def work() -> None:
        _torch_run(pt, d, p, m, n)

    return work, n


def torch_drawn(d: int, p: int, m: int) -> Round:
    """The same with its batches drawn in the fastest way that PyTorch has."""
    return _torch_at_its_best(d, p, m, compiled=False)


def torch_compiled(d: int, p: int, m: int) -> Round:
    """The same again, with network and loss through torch.compile."""
    return _torch_at_its_best(d, p, m, compiled=True)


def _torch_at_its_best(d: int, p: int, m: int, *, compiled: bool) -> Round:
    import torch as pt

    n, draw = steps_of(d, p, m), _fastest_draw(pt, m, d)
    loss_of = pt.compile(_torch_loss, dynamic=False) if compiled else _torch_loss

    def work() -> None:
        _torch_run(pt, d, p, m, n, draw=draw, loss_of=loss_of)

    return work, n


def _fastest_draw(pt: Any, m: int, d: int) -> Callable[[], Any]:
    """Of several ways to draw a matrix of signs, the one that is fastest here and now."""
    import time

    places = pt.arange(62)  # random_ fills the lower 63 bits of a word

    def by_words() -> Any:
        words = pt.empty(m, -(-d // 62), 1, dtype=pt.int64).random_()
        return ((words >> places) & 1).reshape(m, -1)[:, :d].float().mul_(2).sub_(1)

    ways = (
        lambda: 2.0 * pt.randint(0, 2, (m, d)) - 1,
        lambda: pt.randint(0, 2, (m, d), dtype=pt.int8).float().mul_(2).sub_(1),
        lambda: pt.empty(m, d).bernoulli_(0.5).mul_(2).sub_(1),
        lambda: pt.empty(m, d).random_(0, 2).mul_(2).sub_(1),
        by_words,
    )

    def seconds(way: Callable[[], Any]) -> float:
        way()
        times = []
        for _ in range(5):
            began = time.perf_counter()
            way()
            times.append(time.perf_counter() - began)
        return min(times)

    return min(ways, key=seconds)


def torch_seeds(d: int, p: int, m: int, seeds: int) -> Round:
    """So many PyTorch runs in a row; a unit is a step of one of them."""
    import torch as pt

    n = max(20, 4 * steps_of(d, p, m) // seeds)

    def work() -> None:
        for _ in range(seeds):
            _torch_run(pt, d, p, m, n)

    return work, n * seeds


def _torch_loss(x: Any, w: Any, a: Any) -> Any:
    import torch as pt

    y = -x[:, 0] * x[:, 1]
    f = pt.relu(x @ w.T) @ a / len(a)
    return 2 * pt.nn.functional.softplus(-y * f).mean()


def _torch_run(
    pt: Any,
    d: int,
    p: int,
    m: int,
    n: int,
    *,
    draw: Callable[[], Any] | None = None,
    loss_of: Callable[[Any, Any, Any], Any] = _torch_loss,
) -> None:
    w = pt.randn(p, d)
    w = (THETA * w / w.norm(dim=1, keepdim=True)).requires_grad_()
    a = (THETA * (2.0 * pt.randint(0, 2, (p,)) - 1)).requires_grad_()
    optimiser = pt.optim.SGD([w, a], lr=ETA * p)
    for _ in range(n):
        x = 2.0 * pt.randint(0, 2, (m, d)) - 1 if draw is None else draw()
        loss = loss_of(x, w, a)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def bare_numpy(d: int, p: int, m: int) -> Round:
    """The two matrix products of a step in numpy."""
    import numpy as np

    x, w, g = np.ones((m, d), "f4"), np.ones((p, d), "f4"), np.ones((m, p), "f4")
    n = steps_of(d, p, m)

    def work() -> None:
        for _ in range(n):
            _ = x @ w.T, g.T @ x

    return work, n


def bare_jax(d: int, p: int, m: int) -> Round:
    """The two matrix products of a step in JAX."""
    import jax
    import jax.numpy as jnp

    x, w, g = jnp.ones((m, d)), jnp.ones((p, d)), jnp.ones((m, p))
    products = jax.jit(lambda x, w, g: (x @ w.T, g.T @ x))
    n = steps_of(d, p, m)

    def work() -> None:
        for _ in range(n):
            jax.block_until_ready(products(x, w, g))

    return work, n


def bare_torch(d: int, p: int, m: int) -> Round:
    """The two matrix products of a step in PyTorch."""
    import torch as pt

    x, w, g = pt.ones(m, d), pt.ones(p, d), pt.ones(m, p)
    n = steps_of(d, p, m)

    def work() -> None:
        for _ in range(n):
            _ = x @ w.T, g.T @ x

    return work, n

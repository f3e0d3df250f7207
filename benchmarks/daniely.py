"""Daniely & Malach (2020): the exact population step at a million bits, and training after it.

first_step(d, k, q)   2q neurons drawn and taken one exact step in float64, a unit
ours(d, k, width)     our Adam on fresh batches after that step, a unit is one of its steps
torch(d, k, width)    the same in PyTorch, as a user would write it
"""

from benchmarks.glasgow import Round
from featlearn.papers.daniely2020.parity import Parities

STEPS = 100


def first_step(d: int, k: int, q: int) -> Round:
    """Start and exact first step, in closed form."""
    import jax

    experiment = Parities(d=d, k=k, width=2 * q).experiment()
    step = jax.jit(experiment.phases[0].step, donate_argnums=0)
    key = jax.random.key(0)

    def work() -> None:
        jax.block_until_ready(step(experiment.plan.init(key), 0, None, key=key))

    return work, 1


def ours(d: int, k: int, width: int) -> Round:
    """Our loop with Adam."""
    import jax

    from featlearn.training.loop import advance

    experiment = Parities(d=d, k=k, width=width).experiment()
    phase = experiment.phases[1]
    state = phase.start(experiment.plan.init(jax.random.key(0)), None)

    def work() -> None:
        jax.block_until_ready(advance(phase, state, 0, STEPS, None, jax.random.key(1)))

    return work, STEPS


def torch(d: int, k: int, width: int) -> Round:
    """PyTorch's Adam by autograd."""
    import torch as pt

    batch = Parities().batch

    def work() -> None:
        w = pt.randint(-1, 2, (width, d)).float().requires_grad_()
        a, b = pt.rand(width, requires_grad=True), pt.rand(width, requires_grad=True)
        optimiser = pt.optim.Adam([w, a, b], lr=0.01)
        decay = pt.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, STEPS)
        for _ in range(STEPS):
            z = 2.0 * pt.randint(0, 2, (batch, d)) - 1
            leaky = pt.rand(batch) < 0.5
            z[leaky, :k] = z[leaky, :1]
            y = z[:, :k].prod(dim=1)
            f = pt.nn.functional.relu6(z / d**0.5 @ w.T + b) @ a
            loss = pt.relu(1 - y * f).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            decay.step()

    return work, STEPS

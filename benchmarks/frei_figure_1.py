"""Frei et al. (2022): figure 1 against PyTorch, and a step in the span against the dimension.

figure_1()   seconds a step at n 5000, m 500, d 2: on angles, plainly, and by PyTorch's autograd
gram()       seconds a step in the span at d = 2000 and d = 20 000, n 200, m 400
"""

import time

import jax

from featlearn._streams import stream
from featlearn.papers.frei2022.setting import PLANE, XorClusters
from featlearn.training import Descent, Sample, loss, simulate
from featlearn.training.loop import advance


def step_seconds(config: XorClusters, how: str, steps: int) -> float:
    """Seconds a step of the loop that training uses, compiled beforehand; the best of three."""
    network = config.network()
    phase = simulate(
        Descent(
            distribution=config.distribution(),
            network=network,
            loss=loss("logistic"),
            data=Sample(samples=config.samples),
            steps=steps,
            eta=config.eta,
        ),
        how,
    )
    fixed = phase.fixed(key=stream(0, "sample"))
    state = phase.start(network.init(key=stream(0, "init")), fixed)
    key = stream(0, "data-0")
    jax.block_until_ready(advance(phase, state, 0, 1, fixed, key))
    times = []
    for _ in range(3):
        clock = time.perf_counter()
        jax.block_until_ready(advance(phase, state, 0, steps, fixed, key))
        times.append((time.perf_counter() - clock) / steps)
    return min(times)


def torch_seconds(config: XorClusters, steps: int) -> float | None:
    """The same step by PyTorch's autograd, the best of three; None where PyTorch is not."""
    try:
        import torch
    except ImportError:
        return None
    import numpy as np

    sample = config.distribution().sample(config.samples, key=stream(0, "sample"))
    params = config.network().init(key=stream(0, "init"))
    x, y, a = (torch.tensor(np.array(v)) for v in (sample.x, sample.y, params.a))
    w = torch.tensor(np.array(params.w), requires_grad=True)

    def step() -> None:
        value = torch.nn.functional.softplus(-y * (torch.relu(x @ w.T) @ a)).mean()
        (slope,) = torch.autograd.grad(value, w)
        with torch.no_grad():
            w.sub_(config.eta * slope)

    step()
    times = []
    for _ in range(3):
        clock = time.perf_counter()
        for _ in range(steps):
            step()
        times.append((time.perf_counter() - clock) / steps)
    return min(times)


def figure_1() -> dict[str, float | None]:
    """Seconds a step of figure 1, by contender."""
    return {
        "planar": step_seconds(PLANE.config, "planar", 300),
        "plain": step_seconds(PLANE.config, "plain", 30),
        "torch": torch_seconds(PLANE.config, 30),
    }


def gram() -> dict[str, float]:
    """Seconds a step in the span, by dimension: the same work, whatever d."""
    return {
        f"d={d}": step_seconds(XorClusters(d=d, samples=200, width=400), "gram", 100)
        for d in (2000, 20_000)
    }


if __name__ == "__main__":
    times = figure_1()
    print(
        {name: None if value is None else f"{1e3 * value:.3f} ms" for name, value in times.items()}
    )
    print({name: f"{1e3 * value:.3f} ms" for name, value in gram().items()})

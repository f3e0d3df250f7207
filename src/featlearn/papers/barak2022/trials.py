r"""Very many small runs at once: when does each of them solve its parity?

A run is the experiment `barak2022.parity` (its own network, rule, loss and batches), with a key of
its own; runs stand side by side in one compiled program. A run has solved the parity when it is
right on at least 98 % of all 2^d points, looked at every `every` steps.
"""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, PyTree

from featlearn._streams import stream
from featlearn.distributions import Batch
from featlearn.papers.barak2022.parity import SparseParity
from featlearn.training import Phase
from featlearn.training.gradient import Network

AT_ONCE = 500
"""Runs in one program."""
SOLVED = 0.98


def solve_times(
    d: int,
    k: int,
    width: int,
    eta: float,
    batch: int,
    steps: int,
    every: int,
    trials: int,
    seed: int = 0,
) -> Float[np.ndarray, " trials"]:
    """The step at which each trial is first seen to have solved its parity; NaN if it has not."""
    config = SparseParity(d=d, k=k, width=width, eta=eta, batch=batch, steps=steps)
    experiment = config.experiment()
    phase, network = experiment.phases[0], experiment.network
    points = experiment.law.support()
    found = []
    for begin in range(0, trials, AT_ONCE):
        keys = jax.random.split(stream(seed + begin // AT_ONCE, "trials"), AT_ONCE)
        found.append(np.asarray(_times(phase, network, points, keys, every, steps // every)))
    times = np.concatenate(found)[:trials].astype(float)
    return np.where(times < 0, math.nan, times)


@functools.partial(jax.jit, static_argnums=(4, 5))
def _times(
    phase: Phase, network: Network, points: Batch, keys: Array, every: int, looks: int
) -> Array:
    """First look at which a run is solved, times `every`; -1 if none."""

    def one(key: Array) -> Array:
        of_start, of_data = jax.random.split(key)
        state = phase.start(network.init(key=of_start), None)

        def look(carry: tuple[PyTree, Array], i: Array) -> tuple[tuple[PyTree, Array], None]:
            state, solved = carry

            def step(j: Array, state: PyTree) -> PyTree:
                return phase.step(state, i * every + j, None, key=of_data)

            state = jax.lax.fori_loop(0, every, step, state)
            right = jnp.mean(network.forward(state.params, points.x) * points.y > 0)
            now = (right >= SOLVED) & (solved < 0)
            return (state, jnp.where(now, (i + 1) * every, solved)), None

        (_, solved), _ = jax.lax.scan(look, (state, jnp.int32(-1)), jnp.arange(looks))
        return solved

    times: Array = jax.vmap(one)(keys)
    return times


def geometric_share(share: float) -> float:
    """P(T <= share times the median) of a geometric (memoryless) law: 1 - 2^-share.

    Example:
        >>> round(geometric_share(0.25), 3)
        0.159
    """
    return 1 - 2**-share

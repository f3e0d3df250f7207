"""The first step as a program in float32 computes it, with the old weights subtracted.

1 - 2 eta1 lambda_w = 0, so w1 = -eta1 dL/dw exactly. w - eta1 (dL/dw + 2 lambda_w w) in float32
leaves a rounding residue of w, of size 1e-8 in each of the d coordinates, beside a step of 1e-9.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from featlearn._streams import stream
from featlearn.measurements import cosines
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.training import Descent, gradient


@dataclass(frozen=True, kw_only=True)
class StepCosines:
    """The largest cosine with sum_A M_j after one step, by arithmetic."""

    exact: float
    rounded: Float[np.ndarray, " etas"]
    """By subtraction in float32, at every eta1."""


def cosines_by_arithmetic(
    config: PatternTraining, etas: Float[np.ndarray, " etas"], seed: int
) -> StepCosines:
    """The largest cosine after one step: exactly, and by subtraction in float32 at every eta1."""
    experiment = config.experiment()
    phase, network = experiment.phases[0], experiment.network
    assert isinstance(phase, Descent)
    params = network.init(key=stream(seed, "init"))
    points = phase.fixed(key=stream(seed, "sample"))
    assert points is not None
    slope = jax.jit(gradient, static_argnums=1)(
        network,
        phase.loss,
        params,
        points,
        smoothing=phase.smoothing,
        class_weights=phase.class_weights,
    ).w
    direction = experiment.law.direction
    rounded = [float(cosines(_subtracted(params.w, slope, eta), direction).max()) for eta in etas]
    return StepCosines(
        exact=float(cosines(-slope, direction).max()), rounded=np.array(rounded, float)
    )


def _subtracted(w: jax.Array, slope: jax.Array, eta: float) -> jax.Array:
    """w - eta (slope + 2 lambda w) with lambda = 1/(2 eta), every operation rounded to float32."""
    step, twice_lambda = np.float32(eta), np.float32(2) * np.float32(0.5 / eta)
    old, down = np.asarray(w), np.asarray(slope)
    return jnp.asarray(old - step * (down + twice_lambda * old))

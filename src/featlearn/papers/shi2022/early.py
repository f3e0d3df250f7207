"""The weights of the first steps: the start, after one step, after two."""

from dataclasses import replace

import jax.numpy as jnp

from featlearn.networks import Params
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.training import Weights


def early_weights(config: PatternTraining, seed: int) -> list[Params]:
    """The parameters after 0, 1 and 2 steps: the same draws and steps as in training."""
    experiment = replace(config, steps=2, method="network").experiment()
    plan = experiment.replace(record=(Weights(),), at=(0, 1, 2)).plan
    records = {
        step: record
        for position in plan.train(seed=seed)
        for step, record in position.records.items()
    }
    return [
        Params(**{part: jnp.asarray(records[step][f"weights_{part}"]) for part in ("w", "a", "b")})
        for step in (0, 1, 2)
    ]

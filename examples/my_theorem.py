"""Does the best linear rule on two clusters err with probability Phi(-r)? A claim of your own.

featlearn check examples/my_theorem.py:CLUSTERS --r 2 --seeds 50
"""

import math
from dataclasses import dataclass

import jax
import numpy as np

import featlearn as fl


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """x = y r e_1 + N(0, I), y = ±1: a data model with its truth."""

    d: int = 10
    """Input dimension."""
    r: float = 1.0
    """Distance of the two centres from the origin."""

    def sample(self, m, *, key):
        sign, noise = jax.random.split(key)
        y = jax.random.rademacher(sign, (m,), float)
        return fl.Batch(x=jax.random.normal(noise, (m, self.d)).at[:, 0].add(y * self.r), y=y)

    best_error = property(lambda self: math.erfc(self.r / math.sqrt(2)) / 2)


def evidence(model, lab):
    batches = [model.sample(4000, key=fl.stream(seed, "data")) for seed in lab.seeds]
    errors = np.array([float((batch.x[:, 0] * batch.y <= 0).mean()) for batch in batches])
    return fl.mean_identity("error of sign(x_1)", errors, model.best_error, resolve=0.1)


CLUSTERS = fl.Statement(id="my.clusters", config=Clusters(), evidence=evidence, seeds=20)
if __name__ == "__main__":
    print(fl.check(CLUSTERS))

"""SGD on the second layer over fixed features, from zero: what the paper's One and Two Step do.

a <- a - eta mean over the batch of -y s(w.x + b) [y f < 1],        hinge loss, batches in turn
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from featlearn._streams import stream
from featlearn.networks import Params
from featlearn.papers.shi2022.convex import hidden_features
from featlearn.papers.shi2022.patterns import PatternTraining

POINTS, JUDGED_ON = 10_000, 5000
ETAS = (0.3, 1.0, 3.0)


def sgd_read_out(config: PatternTraining, params: Params, seed: int) -> float:
    """The test accuracy of a read-out by SGD, at the best of three step sizes on other points."""
    law = config.experiment().law
    sample = law.sample(POINTS, key=stream(seed, "sample"))
    chosen = law.sample(JUDGED_ON, key=stream(seed, "validation"))
    fresh = law.sample(JUDGED_ON, key=stream(seed, "test"))
    features = {
        name: hidden_features(config, params, batch.x).astype(np.float32)
        for name, batch in (("sample", sample), ("chosen", chosen), ("fresh", fresh))
    }
    steps = config.steps
    fits = [_descend(features["sample"], np.asarray(sample.y), eta, steps) for eta in ETAS]
    right = [_accuracy(features["chosen"] @ a, np.asarray(chosen.y)) for a in fits]
    return _accuracy(features["fresh"] @ fits[int(np.argmax(right))], np.asarray(fresh.y))


def _descend(
    h: Float[np.ndarray, "points neurons"], y: Float[np.ndarray, " points"], eta: float, steps: int
) -> Float[np.ndarray, " neurons"]:
    batch = min(1000, len(h))
    features, labels = jnp.asarray(h), jnp.asarray(y, jnp.float32)

    def step(a: jax.Array, t: jax.Array) -> tuple[jax.Array, None]:
        start = (t * batch) % (len(h) - batch + 1)
        x = jax.lax.dynamic_slice_in_dim(features, start, batch)
        z = jax.lax.dynamic_slice_in_dim(labels, start, batch)
        pull = jnp.where(z * (x @ a) < 1, z, 0.0)
        return a + eta * (pull @ x) / batch, None

    found, _ = jax.lax.scan(step, jnp.zeros(h.shape[1]), jnp.arange(steps))
    return np.asarray(found)


def _accuracy(f: Float[np.ndarray, " points"], y: Float[np.ndarray, " points"]) -> float:
    return float((f * y > 0).mean())

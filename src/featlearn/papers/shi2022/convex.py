"""The best classifier on top of fixed features, by a convex solver (One Step, Two Step, RF).

Features are standardised first: after one step they vary by 1e-9 around their mean, and what is
asked is what they hold, not how large they are. A constant joins them in the place of the mean. The
hinge loss is minimised with a regulariser that is chosen on held-out points of the sample.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from featlearn._streams import stream
from featlearn.baselines import Family, fit
from featlearn.distributions import Batch
from featlearn.measurements import cosines
from featlearn.networks import Params
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.patterns import PatternTraining

FITTED, CHOSEN_ON, JUDGED_ON = 4000, 2000, 10_000
"""Points to fit on, to choose the regulariser on, and to judge on."""
GRID = (1e-4, 1e-2, 1.0)
"""Regularisers, in units of the mean square of the features."""
TOLERANCE = 1e-3
"""Certified distance of the mean hinge loss from its minimum: a tenth of a point's worth."""


def best_on_top(config: PatternTraining, step: int, seed: int) -> dict[str, float]:
    """Train and test accuracy of the best classifier on the features after `step` steps."""
    return read_out(config, early_weights(config, seed)[step], seed)


def read_out(config: PatternTraining, params: Params, seed: int) -> dict[str, float]:
    """Accuracies and hinge losses of the best classifier on the features of these neurons."""
    law = config.experiment().law
    sample = law.sample(FITTED + CHOSEN_ON, key=stream(seed, "sample"))
    fresh = law.sample(JUDGED_ON, key=stream(seed, "test"))
    hidden = {
        name: hidden_features(config, params, b.x) for name, b in (("s", sample), ("t", fresh))
    }
    mean, sd = hidden["s"][:FITTED].mean(axis=0), hidden["s"][:FITTED].std(axis=0)
    used = sd > 0
    scaled = {name: with_constant((h - mean)[:, used] / sd[used]) for name, h in hidden.items()}
    width = 1 + int(used.sum())
    on_top = Family(
        name="standardised features",
        kernel=lambda x, z: x @ z.T,
        dimension=width,
        features=lambda x: x,
    )
    fitted = Batch(x=jnp.asarray(scaled["s"][:FITTED]), y=sample.y[:FITTED])
    chosen = Batch(x=jnp.asarray(scaled["s"][FITTED:]), y=sample.y[FITTED:])
    judged = Batch(x=jnp.asarray(scaled["t"]), y=fresh.y)
    best = fit(
        on_top,
        fitted,
        loss="hinge",
        validation=chosen,
        grid=GRID,
        criterion="error",
        tolerance=TOLERANCE,
    )
    train, test = best.score(fitted), best.score(judged)
    return {
        "train_accuracy": 1 - train.error,
        "test_accuracy": 1 - test.error,
        "train_loss": train.loss,
        "test_loss": test.loss,
        "cos": float(cosines(params.w, law.direction).max()),
    }


def with_constant(
    features: Float[np.ndarray, "samples features"],
) -> Float[np.ndarray, "samples one_more"]:
    """The features and a 1, without which centred ones could not favour the larger class."""
    return np.hstack([features, np.ones((len(features), 1))])


def hidden_features(
    config: PatternTraining, params: Params, x: Float[jax.Array, "samples inputs"]
) -> Float[np.ndarray, "samples neurons"]:
    """s(w.x + b) in float64, without which the features after one step would not differ."""
    network = config.network()
    with jax.enable_x64(True):
        double = jax.tree.map(lambda leaf: jnp.asarray(np.asarray(leaf, float)), params)
        return np.asarray(network.features(double, jnp.asarray(np.asarray(x, float))))

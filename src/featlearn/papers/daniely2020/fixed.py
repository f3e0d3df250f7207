r"""The models that theorem 1 is about: linear in features that were fixed before A was known.

Each is fitted to its optimum (squared loss, ridge chosen on points set aside) on a sample of D_A,
and judged on both halves. On the leaky half all of them are right; what they lack shows on the
uniform half, where a threshold on sum_A u, the best that a sum of single bits can do, is a
plateau.

    linear            d + 1 features
    relu6 features    the network's own first layer at its start, N neurons, read-out fitted
    cosines           N random Fourier features, sd 1 (the 4 of the images gives chance here)
    finite NTK        the network linearised at its start: at most N parameters, in dual form
    rbf, polynomial   kernels; N is infinite, or that of all monomials up to degree 3
"""

from dataclasses import dataclass, replace

from featlearn._streams import stream
from featlearn.baselines import (
    Family,
    cosine_features,
    finite_ntk,
    fit,
    linear,
    polynomial,
    random_features,
    rbf,
    split,
)
from featlearn.papers.daniely2020.parity import Parities

ROLES = {
    "linear": "linear",
    "relu6 features": "random-features",
    "cosines": "first-layer",
    "finite NTK": "ntk",
    "rbf": "kernel",
    "polynomial": "reference",
}


@dataclass(frozen=True, kw_only=True)
class Fixed:
    """A fitted model and how it does."""

    dimension: int | None
    accuracy: float
    """On D_A."""
    uniform: float
    """On its uniform half."""


def families(config: Parities, N: int, seed: int) -> dict[str, Family]:
    """The models with about N features at their starts of this seed."""
    key = stream(seed, "fixed")
    features = replace(config, width=N).network()
    few = replace(config, width=max(2, 2 * (N // (config.d + 2) // 2)))
    start = features.init(key=key)
    return {
        "linear": linear(config.d, intercept=True),
        "relu6 features": random_features(features, start),
        "cosines": cosine_features(config.d, N, sd=1.0, key=key),
        "finite NTK": finite_ntk(few.network(), few.network().init(key=key)),
        "rbf": rbf(1.0),
        "polynomial": polynomial(3),
    }


def compare(
    config: Parities, *, N: int, samples: int, seed: int, only: tuple[str, ...] = ()
) -> dict[str, Fixed]:
    """Fit all of them, or `only` some, on one sample, and judge them on held-out points."""
    law = config.distribution()
    fitted, aside = split(law.sample(samples, key=stream(seed, "sample")))
    test = law.sample(config.test, key=stream(seed, "test"))
    uniform = law.of_half("uniform").sample(config.test, key=stream(seed, "uniform"))
    found = {}
    for name, family in families(config, N, seed).items():
        if only and name not in only:
            continue
        predictor = fit(family, fitted, validation=aside)
        found[name] = Fixed(
            dimension=family.dimension,
            accuracy=1 - predictor.score(test).error,
            uniform=1 - predictor.score(uniform).error,
        )
    return found

r"""Appendix D: the rule sgn(|mu_1.x| - |mu_2.x|) and its error on clean labels.

For Gaussian noise the error is closed (ours; derived in `featlearn.distributions.clusters`),

    p = 2 Phi(q) Phi(-q),   q = 1/(sigma sqrt 2),    with flips eta:  eta + (1 - 2 eta) p,

and no rule has a smaller one. For any log-concave noise the appendix bounds it by

    p <= P(|mu_1.z| > 1/3) + P(|mu_2.z| > 1/3) <= 6 exp(-1/(3 sigma)).

Sampled at noise large enough to be seen, sigma from 0.3 to 1; the bound,
which says nothing above sigma = 0.18, at 0.1 for all four laws.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from featlearn._streams import stream
from featlearn.distributions import Clusters
from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.assumptions import hypotheses
from featlearn.papers.frei2022.setting import REFERENCES, XorClusters
from featlearn.papers.frei2022.texts import TEXTS
from featlearn.theory import (
    Claim,
    Control,
    Kind,
    Statement,
    bound,
    exact_bound,
    identity,
    sampled_identity,
)

SIGMAS = (0.3, 0.5, 1.0)
POINTS = 200_000
"""Points a seed."""


def errors(clusters: Clusters, seeds: Sequence[int]) -> Float[np.ndarray, "2 seeds"]:
    """The error of the rule on clean and on seen labels, one a seed."""
    found = []
    for seed in seeds:
        draw = clusters.draw(POINTS, key=stream(seed, "appendix-D"))
        told = clusters.classify(draw.x)
        found.append([jnp.mean(draw.clean * told <= 0), jnp.mean(draw.y * told <= 0)])
    return np.array(found, float).T


def closed(clusters: Clusters) -> tuple[float, float]:
    """p and eta + (1 - 2 eta) p."""
    return clusters.classifier_error, clusters.floor


def one_factor(clusters: Clusters) -> tuple[float, float]:
    """A control: p = 2 Phi(-q), for which the second direction's sign is forgotten."""
    tail = math.erfc(1 / (2 * clusters.sigma))
    return tail, clusters.floor


def statement(
    predict: Callable[[Clusters], tuple[float, float]] = closed,
) -> Statement[XorClusters]:
    """The appendix; another `predict` is another claim."""

    def evidence(config: XorClusters, lab: Lab) -> list[Claim]:
        parts = []
        for sigma in SIGMAS:
            plane = replace(config, d=2, sigma=sigma, mu1=(), mu2=(), noise="gaussian")
            clusters = plane.distribution()
            found, claims = errors(clusters, lab.seeds), predict(clusters)
            for label, values, claim in zip(("clean", "seen"), found, claims, strict=True):
                mean = float(values.mean())
                stderr = float(np.sqrt(mean * (1 - mean) / (len(lab.seeds) * POINTS)))
                name = f"error on {label} labels, sigma = {sigma}"
                parts.append(sampled_identity(name, mean, stderr, claim, resolve=0.05))
        parts.append(_bayes(config, lab.seeds))
        for noise in ("gaussian", "ball", "cube", "laplace"):
            small = Clusters(d=2, sigma=0.1, noise=noise)
            limit = float(6 * np.exp(-1 / (3 * 0.1)))
            name = f"error <= 6 exp(-1/(3 sigma)), {noise}, sigma = 0.1"
            parts.append(bound(name, errors(small, lab.seeds)[0], limit))
        return [*parts, _by_rate(config)]

    return Statement(
        id="frei2022.appendix-D",
        title="The four-neuron rule, its closed error, and that it is the Bayes rule",
        kind=Kind.IDENTITY,
        config=XorClusters(),
        evidence=evidence,
        hypotheses=lambda config: hypotheses(config, ("A1", "A2", "A3")),
        text=TEXTS["appendix-D"],
        control=Control("the error without its second factor", lambda: statement(one_factor)),
        seeds=5,
        place="Appendix D",
        references=REFERENCES,
    )


def _by_rate(config: XorClusters) -> Claim:
    """6 exp(-1/(3 sigma)) <= K sqrt(log(1/delta)/n) with the proof's K = 6, at this setting."""
    return exact_bound(
        "6 exp(-1/(3 sigma)) <= 6 sqrt(log(1/delta)/n)",
        6 * math.exp(-1 / (3 * config.noise_sd)),
        6 * math.sqrt(math.log(1 / config.delta) / config.samples),
    )


def _bayes(config: XorClusters, seeds: Sequence[int]) -> Claim:
    """The sign of the rule is that of the likelihood ratio of the clean labels, at every point."""
    agree = []
    for seed in seeds:
        x = np.asarray(jax.random.normal(stream(seed, "appendix-D bayes"), (2000, 2)), float)
        u = np.abs(x) / 0.5**2  # log cosh u = u + log(1 + exp(-2u)) - log 2
        ratio = np.diff(np.logaddexp(u, -u), axis=1)[:, 0] * -1
        rule = np.asarray(Clusters(d=2, sigma=0.5).classify(jnp.asarray(x)))
        agree.append(float(np.mean(np.sign(ratio) == np.sign(rule))))
    return identity(
        "share of points where the rule has the sign of the likelihood ratio",
        np.array(agree),
        1.0,
        tolerance=0.0,
    )


STATEMENT = statement()

r"""Lemma 12 (38): the gradients of the smoothed hinge loss.

    dL/dw_i = -a_i E[alpha_y y 1(y g <= 1) P(0 < z_i + xi < 1) x],    z_i = <w_i, x> + b_i,
    dL/db_i = -a_i E[alpha_y y 1(y g <= 1) P(0 < z_i + xi < 1)],
    dL/da_i = -    E[alpha_y y 1(y g <= 1) E s(z_i + xi)],            alpha = 1 in lemma 12,

g = sum_i a_i E s(z_i + xi). The print of the second, (24) and (320), has lost xi: 1(0 < z_i < 1).
The right sides, summed over every point of a population with its probability, are compared with the
derivatives that JAX takes of the loss itself, for networks with points on both sides of y g = 1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float
from scipy.stats import norm

from featlearn._check import require
from featlearn._streams import stream
from featlearn.distributions import mixture
from featlearn.experiments.lab import Lab
from featlearn.networks import TRUNCATED, Gaussian, TwoLayer
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Reading, Statement, identity
from featlearn.training.gradient import objective
from featlearn.training.losses import HINGE

TOLERANCE = 1e-11
Array = Float[np.ndarray, "..."]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A population that is written down; every seed is a network."""

    dictionary: int = 9
    """Number of patterns (the paper's D)."""
    k: int = 3
    """Relevant patterns."""
    width: int = 12
    """Neurons."""
    smoothing: float = 0.2
    """sd of the noise xi."""
    negative: float = 0.8
    """Share of the class -1 in lemma 38; 1/2 in lemma 12."""

    def __post_init__(self) -> None:
        require(1 <= self.k < self.dictionary <= 14, "dictionary", "k + 1 to 14", self.dictionary)
        require(self.width >= 1, "width", "at least 1", self.width)
        require(self.smoothing > 0, "smoothing", "positive", self.smoothing)
        require(0 < self.negative < 1, "negative", "between 0 and 1", self.negative)


def chance_inside(z: Array, smoothing: float) -> Array:
    """P(0 < z + xi < 1)."""
    return norm.cdf(z / smoothing) - norm.cdf((z - 1) / smoothing)


def smoothed(z: Array, smoothing: float) -> Array:
    """E s(z + xi) of the truncated ReLU."""
    u, v = z / smoothing, (z - 1) / smoothing
    return smoothing * (u * norm.cdf(u) + norm.pdf(u) - v * norm.cdf(v) - norm.pdf(v))


Active = Callable[[Array], Array]


def on_the_slope(margin: Array) -> Array:
    """1(y g <= 1)."""
    return (margin <= 1).astype(float)


def statement(active: Active = on_the_slope, stretch: float = 1.0) -> Statement[Sizes]:
    """The lemma; other points that count, or more noise in the formula, are another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        pairs: dict[str, list[tuple[Array, Array]]] = {}
        for seed in lab.seeds:
            for negative, name in ((0.5, "lemma 12"), (sizes.negative, "lemma 38")):
                for part, pair in _compared(sizes, negative, seed, active, stretch).items():
                    pairs.setdefault(f"{part}, {name}", []).append(pair)
        parts = []
        for name, each in pairs.items():
            left, right = (np.concatenate([pair[i].ravel() for pair in each]) for i in (0, 1))
            scale = float(np.abs(left).max())
            claim = identity(name, left, right, tolerance=TOLERANCE, scale=scale)
            lost, kept = "as printed" in name, "with xi" in name
            reading = Reading.PRINTED if lost else Reading.CORRECTED
            parts.append(claim.under(reading) if lost or kept else claim)
        return parts

    return Statement(
        id="shi2022.lemma-12",
        title="The gradients of the smoothed hinge loss",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-12"],
        control=Control(
            "points with y g > 1 count as well", lambda: statement(lambda margin: margin * 0 + 1)
        ),
        seeds=3,
        place="Lemma 12, appendix B.3; lemma 38, appendix F.6",
        references=("shi2022",),
    )


def _compared(
    sizes: Sizes, negative: float, seed: int, active: Active, stretch: float
) -> dict[str, tuple[Array, Array]]:
    """Derivatives by JAX, and by the formulas."""
    D = sizes.dictionary
    law = mixture(d=D, dictionary=D, k=sizes.k).with_negative_share(negative)
    weights = law.truth.class_weights
    with jax.enable_x64(True):
        network = TwoLayer(
            d=D,
            width=sizes.width,
            w=Gaussian(sd=1.0),
            b=Gaussian(sd=0.5),
            a=Gaussian(sd=2.0),
            activation=TRUNCATED,
            scaling="one",
        )
        params = network.init(key=stream(seed, "lemma-12"))
        points = law.support()
        slopes = jax.grad(objective, argnums=2)(
            network, HINGE, params, points, smoothing=sizes.smoothing, class_weights=weights
        )
        taken = {name: np.asarray(getattr(slopes, name), float) for name in "wba"}
        w, a, b = (np.asarray(getattr(params, name), float) for name in "wab")
        x, y, p = (np.asarray(each, float) for each in (points.x, points.y, points.weight))
    r = stretch * sizes.smoothing
    z = x @ w.T + b
    margin = y * (smoothed(z, r) @ a)
    mass = p * np.where(y > 0, weights[1], weights[0]) * y * active(margin)
    inside, bare = chance_inside(z, r), ((z > 0) & (z < 1)).astype(float)
    return {
        "dL/dw": (taken["w"], -a[:, None] * ((mass[:, None] * inside).T @ x)),
        "dL/db with xi": (taken["b"], -a * (mass @ inside)),
        "dL/db as printed": (taken["b"], -a * (mass @ bare)),
        "dL/da": (taken["a"], -(mass @ smoothed(z, r))),
    }


STATEMENT = statement()

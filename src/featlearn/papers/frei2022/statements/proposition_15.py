r"""Proposition 15: Rademacher complexity of networks of bounded norm (appendix B).

    F_R = {f(.; W) : ||W||_F <= R}     R(F_R) = E sup_W (1/n) sum_i e_i f(x_i; W)
    R(F_R) <= 2 R sqrt(E ||x||^2) / sqrt n

f is homogeneous, so with s_± = max over unit v of ±sum_i e_i relu(v.x_i), half of the neurons of
each sign, the supremum over W is (R/n) sqrt((s_+^2 + s_-^2)/2), s_± no less than 0. In the plane
s_± can be had exactly: between two neighbouring borders of arcs the sum is linear in v, so that it
is largest at a border or along its own gradient. The claim is checked there, at 1/16 and 1/4 of the
samples; in more dimensions a search would give a lower bound of a supremum, which can only fail.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import jax
import numpy as np
from jaxtyping import Float

from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.setting import REFERENCES, XorClusters
from featlearn.papers.frei2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

RADIUS = 1.0


def largest_sum(x: Float[np.ndarray, "samples 2"], signs: Float[np.ndarray, " samples"]) -> float:
    """max over unit v in the plane of sum_i signs_i relu(v.x_i), exactly.

    Example:
        >>> x = np.array([[1.0, 0.0], [0.0, 2.0]])
        >>> round(largest_sum(x, np.array([1.0, 1.0])), 6), largest_sum(x, np.array([-1.0, -1.0]))
        (2.236068, 0.0)
    """
    angle = np.arctan2(x[:, 1], x[:, 0])
    borders = np.sort(np.concatenate([angle - np.pi / 2, angle + np.pi / 2]) % (2 * np.pi))
    middle = (borders + np.append(borders[1:], borders[0] + 2 * np.pi)) / 2
    unit = np.stack([np.cos(middle), np.sin(middle)], axis=1)
    slopes = ((unit @ x.T > 0) * signs) @ x
    corners = np.stack([np.cos(borders), np.sin(borders)], axis=1)
    at_borders = np.maximum(corners @ x.T, 0) @ signs
    towards = np.linalg.norm(slopes, axis=1)
    along = slopes / np.where(towards == 0, 1, towards)[:, None]
    inside = ((along @ x.T > 0) == (unit @ x.T > 0)).all(axis=1)
    return float(max(at_borders.max(), towards[inside].max(initial=-math.inf)))


def supremum(x: Float[np.ndarray, "samples 2"], signs: Float[np.ndarray, " samples"]) -> float:
    """sup over ||W||_F <= R of (1/n) sum_i signs_i f(x_i; W), half of the neurons of each sign."""
    up, down = max(largest_sum(x, signs), 0), max(largest_sum(x, -signs), 0)
    return RADIUS / len(x) * math.sqrt((up**2 + down**2) / 2)


def printed(moment: float, n: int) -> float:
    """2 R sqrt(E ||x||^2)/sqrt n."""
    return 2 * RADIUS * math.sqrt(moment / n)


def too_fast(moment: float, n: int) -> float:
    """A control: 2 R sqrt(E ||x||^2)/n."""
    return 2 * RADIUS * math.sqrt(moment) / n


def statement(predict: Callable[[float, int], float] = printed) -> Statement[XorClusters]:
    """The proposition; another `predict` is another claim."""

    def evidence(config: XorClusters, lab: Lab) -> list[Claim]:
        plane = replace(config, d=2, sigma=config.noise_norm, mu1=(), mu2=(), k=2)
        distribution = plane.distribution()
        parts = []
        for n in sorted({max(2, config.samples // by) for by in (16, 4)}):
            values = []
            for seed in lab.seeds:
                of_x, of_signs = jax.random.split(stream(seed, f"proposition-15 n={n}"))
                x = np.asarray(distribution.sample(n, key=of_x).x, float)
                signs = np.sign(np.asarray(jax.random.normal(of_signs, (n,)), float))
                values.append(supremum(x, signs))
            limit = predict(float(distribution.second_moment), n)
            parts.append(bound(f"complexity in the plane, n = {n}", np.array(values), limit))
        return parts

    return Statement(
        id="frei2022.proposition-15",
        title="Rademacher complexity of networks of bounded norm",
        kind=Kind.BOUND,
        config=XorClusters(),
        evidence=evidence,
        text=TEXTS["proposition-15"],
        control=Control("the rate 1/n", lambda: statement(predict=too_fast)),
        seeds=20,
        place="Proposition 15, appendix B",
        references=REFERENCES,
    )


STATEMENT = statement()

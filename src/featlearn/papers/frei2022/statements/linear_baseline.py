r"""Linear classifiers are at chance (abstract, section 1), those through the origin at least.

For noise that is symmetric, x -> -x keeps the law of x and the clean label and turns sgn(v.x):
every sgn(v.x) is wrong with probability exactly 1/2, on seen labels as well. So is the one that
logistic regression finds. Judged by its error on fresh points, and by that of random v.

"No better than random guessing" needs "through the origin": sgn(mu_1.x - 1/2) is right on three of
the four clusters, so the claim as printed FAILS. The networks here have no biases either, so with
"through the origin" the comparison is a fair one.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float
from sklearn.linear_model import LogisticRegression

from featlearn._streams import generator, stream
from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.setting import REFERENCES, XorClusters
from featlearn.papers.frei2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Reading, Statement, bound, sampled_identity

POINTS = 20_000
"""Fresh points a seed."""
DIMENSION = 50

Fit = Callable[[np.ndarray, np.ndarray], tuple[Float[np.ndarray, " inputs"], float]]


def through_origin(
    x: Float[np.ndarray, "samples inputs"], y: Float[np.ndarray, " samples"]
) -> tuple[Float[np.ndarray, " inputs"], float]:
    """Logistic regression without an intercept: direction and offset."""
    return LogisticRegression(fit_intercept=False).fit(x, y).coef_[0], 0.0


def affine(
    x: Float[np.ndarray, "samples inputs"], y: Float[np.ndarray, " samples"]
) -> tuple[Float[np.ndarray, " inputs"], float]:
    """mu_1.x - 1/2: one of the four clusters against the others."""
    return np.eye(x.shape[1])[0], -0.5


def statement(fit: Fit = through_origin) -> Statement[XorClusters]:
    """The claim; a `fit` with an offset is another one."""

    def evidence(config: XorClusters, lab: Lab) -> list[Claim]:
        d = min(config.d, DIMENSION)
        small = replace(config, d=d, sigma=None, mu1=(), mu2=(), k=2, corruption="random")
        distribution = small.distribution()
        wrong: dict[str, list[float]] = {
            "logistic regression": [],
            "a random direction": [],
            "offset": [],
        }
        for seed in lab.seeds:
            train = distribution.sample(config.samples, key=stream(seed, "sample"))
            test = distribution.sample(POINTS, key=stream(seed, "test"))
            x, y = np.asarray(test.x), np.asarray(test.y)
            rng = generator(seed, "rules")
            rules = {
                "logistic regression": fit(np.asarray(train.x), np.asarray(train.y)),
                "a random direction": (rng.normal(size=d), 0.0),
                "offset": affine(x, y),
            }
            for name, (v, offset) in rules.items():
                wrong[name].append(float(np.mean(y * (x @ v + offset) <= 0)))
        parts = [
            sampled_identity(
                f"error of {name}",
                float(np.mean(wrong[name])),
                0.5 / math.sqrt(POINTS * len(lab.seeds)),
                0.5,
                resolve=0.05,
            ).under(Reading.CORRECTED)
            for name in ("logistic regression", "a random direction")
        ]
        told = (
            "with an offset three of four clusters can be had: "
            f"{0.25 + 0.5 * config.flip_rate:.4g} where the noise is small"
        )
        with_offset = bound(
            "error of any linear classifier: sgn(mu_1.x - 1/2)",
            np.array(wrong["offset"]),
            0.5,
            side=">=",
        )
        return [*parts, with_offset.noted(told).under(Reading.PRINTED)]

    return Statement(
        id="frei2022.linear-baseline",
        title="Linear classifiers through the origin are at chance",
        kind=Kind.IDENTITY,
        config=XorClusters(),
        evidence=evidence,
        text=TEXTS["linear-baseline"],
        control=Control("a classifier with an offset", lambda: statement(affine)),
        seeds=5,
        place="Abstract and section 1",
        references=REFERENCES,
    )


STATEMENT = statement()

r"""Theorem 11: the regret of online gradient descent, for every sequence of convex losses.

    theta_{t+1} = theta_t - eta grad f_t(theta_t), f_t convex; for every theta*:
    mean f_t(theta_t) <= mean f_t(theta*) + ||theta*||^2/(2 eta T) + ||theta_1|| mean ||grad f_t||
                         + eta mean ||grad f_t||^2.

Run with the hinge losses of the second layer on the features of the first step, fresh points every
t, from theta_1 = 0 and from elsewhere, and judged at several theta*: 0, what was reached, the same
ten times as large, and the regularised optimum in hindsight. Daniely & Malach (2020), section 4.2,
after Shalev-Shwartz (2012).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import jax
import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import generator, stream
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.parity import PARITY
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

HINDSIGHT = 100
"""Steps of descent towards the optimum in hindsight."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The problem that is learnt online; every seed is another start and other points."""

    d: int = 101
    """Input dimension."""
    k: int = 3
    """Number of relevant bits."""
    width: int = 60
    """Number of neurons, twins counted."""
    steps: int = 200
    """Rounds (T)."""
    batch: int = 20
    """Points whose mean loss is f_t."""
    eta: tuple[float, ...] = (0.01, 0.3)
    """Step sizes."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1 and self.k <= self.d, "k", f"an odd number up to {self.d}", self.k)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(self.steps >= 1 and self.batch >= 1, "steps and batch", "at least 1", self.steps)
        require(min(self.eta) > 0, "eta", "positive numbers", self.eta)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The four terms of the right side."""

    loss: float
    comparator: float
    start: float
    gradients: float


def all_terms(terms: Terms) -> float:
    """The right side as printed."""
    return terms.loss + terms.comparator + terms.start + terms.gradients


def no_comparator(terms: Terms) -> float:
    """A control: the right side without the norm of theta*."""
    return terms.loss + terms.start + terms.gradients


def rounds(
    sizes: Sizes, seed: int
) -> tuple[Float[np.ndarray, "steps batch neurons"], Float[np.ndarray, "steps batch"]]:
    """Features after the exact first step, and labels, of all rounds."""
    config = replace(PARITY.config, d=sizes.d, k=sizes.k, width=sizes.width)
    network, first = config.network(), config.experiment().phases[0]
    params = first.step(network.init(key=stream(seed, "init")), 0, None, key=jax.random.key(0))
    points = config.distribution().sample(sizes.steps * sizes.batch, key=stream(seed, "theorem-11"))
    shape = (sizes.steps, sizes.batch)
    features = np.asarray(network.features(params, points.x), float)
    return features.reshape(*shape, -1), np.asarray(points.y, float).reshape(shape)


def regret(
    features: Float[np.ndarray, "steps batch neurons"],
    y: Float[np.ndarray, "steps batch"],
    start: Float[np.ndarray, " neurons"],
    eta: float,
    right: Callable[[Terms], float],
) -> float:
    """The largest left minus right side over the theta* that are tried."""
    theta, losses, norms = start.copy(), [], []
    for phi, label in zip(features, y, strict=True):
        margin = label * (phi @ theta)
        slope = -((margin < 1) * label) @ phi / len(label)
        losses.append(np.maximum(1 - margin, 0).mean())
        norms.append(np.linalg.norm(slope))
        theta = theta - eta * slope
    T = len(y)
    excess = []
    for other in (np.zeros_like(theta), theta, 10 * theta, hindsight(features, y, eta * T)):
        terms = Terms(
            loss=float(np.maximum(1 - y * (features @ other), 0).mean()),
            comparator=float(other @ other) / (2 * eta * T),
            start=float(np.linalg.norm(start) * np.mean(norms)),
            gradients=float(eta * np.mean(np.square(norms))),
        )
        excess.append(float(np.mean(losses)) - right(terms))
    return max(excess)


def hindsight(
    features: Float[np.ndarray, "steps batch neurons"],
    y: Float[np.ndarray, "steps batch"],
    scale: float,
) -> Float[np.ndarray, " neurons"]:
    """About the theta* for which the right side is least, by descent on it."""
    phi, label = features.reshape(-1, features.shape[-1]), y.ravel()
    theta = np.zeros(phi.shape[1])
    step = scale / (1 + scale * np.linalg.norm(phi, ord=2) ** 2 / len(label))
    for _ in range(HINDSIGHT):
        on = label * (phi @ theta) < 1
        theta = theta - step * (theta / scale - (on * label) @ phi / len(label))
    return theta


def statement(right: Callable[[Terms], float] = all_terms) -> Statement[Sizes]:
    """The theorem; another `right` is another bound."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        data = [rounds(sizes, seed) for seed in lab.seeds]
        parts = []
        for eta in sizes.eta:
            for spread in (0.0, 0.1):
                values = []
                for seed, (features, y) in zip(lab.seeds, data, strict=True):
                    rng = generator(seed, "theorem-11 start")
                    start = spread * rng.normal(size=sizes.width)
                    values.append(regret(features, y, start, eta, right))
                name = f"left minus right side, eta={eta}, ||theta_1|| {'> 0' if spread else '= 0'}"
                parts.append(bound(name, np.array(values), 0.0, every=True))
        return parts

    return Statement(
        id="daniely2020.theorem-11",
        title="The regret of online gradient descent",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["theorem-11"],
        control=Control("no term for the norm of theta*", lambda: statement(no_comparator)),
        seeds=3,
        place="Theorem 11, section 4.2",
        references=("daniely2020", "shalevshwartz2012"),
    )


STATEMENT = statement()

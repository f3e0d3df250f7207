r"""Lemma 14: for any fixed read-out u*, training the first layer changes the loss little.

    g^(t)(x) = sum_i u*_i relu6(w_i^(t).x + b_i^(t)):     for every x and t
    |l(g^(t)(x), y) - l(g^(1)(x), y)|
        <= 2 ||u*|| sqrt(||u*||_0) (6 eta^2 t^2 + eta t k/sqrt d + eta t lambda d/k).

Tried with read-outs of several supports, on held-out points, at every recorded t. Daniely & Malach
(2020), section 4.2 and appendix A.
"""

from collections.abc import Callable, Sequence

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from featlearn._streams import generator, stream
from featlearn.distributions import LeakyParity
from featlearn.experiments.lab import Lab
from featlearn.networks import RELU6
from featlearn.papers.daniely2020.drift import Drift, Sizes, slower, trajectories
from featlearn.papers.daniely2020.statements.lemma_13 import hypotheses
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

POINTS = 500
Limit = Callable[[Drift, int, int], Float[np.ndarray, " steps"]]


def allowed(drift: Drift, d: int, k: int) -> Float[np.ndarray, " steps"]:
    """The bound for ||u*|| sqrt(||u*||_0) = 1."""
    at = drift.eta * drift.t
    return 2 * (6 * at**2 + at * k / np.sqrt(d) + at * drift.lam * d / k)


def too_slow(drift: Drift, d: int, k: int) -> Float[np.ndarray, " steps"]:
    """A control: the bound with a thousandth of the step size."""
    return allowed(slower(drift, 1000), d, k)


def changes(
    drift: Drift, sizes: Sizes, seeds: Sequence[int], support: int
) -> Float[np.ndarray, "seeds steps"]:
    """The largest change of the hinge loss over the points, over ||u*|| sqrt(||u*||_0)."""
    law = LeakyParity(d=sizes.d, k=sizes.k)
    found = []
    for place, seed in enumerate(seeds):
        points = law.sample(POINTS, key=stream(seed, "lemma-14"))
        one = drift.data.isel(seed=place)
        z = jnp.einsum("mi,tji->tmj", points.x, jnp.asarray(one["weights_w"].values))
        features = np.asarray(RELU6.value(z + jnp.asarray(one["weights_b"].values)[:, None]), float)
        rng = generator(seed, f"lemma-14 support={support}")
        u = np.zeros(sizes.width)
        u[rng.permutation(sizes.width)[:support]] = rng.choice([-1.0, 1.0], support)
        loss = np.maximum(1 - np.asarray(points.y, float) * (features @ u), 0)
        size = np.linalg.norm(u) * np.sqrt(support)
        found.append(np.abs(loss - loss[:1]).max(axis=1) / size)
    return np.array(found)


def statement(limit: Limit = allowed) -> Statement[Sizes]:
    """The lemma; another `limit` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for drift in trajectories(sizes, lab):
            for support in (1, sizes.width // 2):
                share = changes(drift, sizes, lab.seeds, support) / limit(drift, sizes.d, sizes.k)
                name = (
                    f"largest share of the bound, ||u*||_0 = {support}, "
                    f"eta={drift.eta}, lambda={drift.lam}"
                )
                parts.append(bound(name, share.max(axis=1), 1.0, every=True))
        return parts

    return Statement(
        id="daniely2020.lemma-14",
        title="For a fixed read-out, training the first layer changes the loss little",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-14"],
        control=Control("a thousand times the step size", lambda: statement(too_slow)),
        seeds=3,
        place="Lemma 14, section 4.2",
        references=("daniely2020",),
    )


STATEMENT = statement()

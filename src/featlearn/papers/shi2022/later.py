"""Population gradient descent through both feature-learning steps and beyond, all of it recorded.

Step 1 replaces w, step 2 replaces w and a (1 - 2 eta lambda = 0); later steps have one eta and one
lambda for w and a, no noise, and leave biases without decay. Every step is over all 2^D points.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import jax
import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import stream
from featlearn.distributions import Patterns, mixture
from featlearn.networks import TRUNCATED, Gaussian, Params, TwoLayer
from featlearn.training.gradient import gradient
from featlearn.training.losses import HINGE


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A population that is written down; every seed is a network."""

    dictionary: int = 10
    """Number of patterns (the paper's D)."""
    k: int = 3
    """Relevant patterns."""
    width: int = 40
    """Neurons, in mirrored pairs (the paper's 2m)."""
    steps: int = 40
    """Steps after the second."""
    eta: tuple[float, ...] = (0.02, 0.5)
    """Step sizes after the second step."""
    lam: tuple[float, ...] = (0.5, 0.5)
    """Weight decays after the second step, one for each step size."""

    def __post_init__(self) -> None:
        require(1 <= self.k < self.dictionary <= 12, "dictionary", "k + 1 to 12", self.dictionary)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(self.steps >= 1, "steps", "at least 1", self.steps)
        inside = all(0 < each < 1 for each in (*self.eta, *self.lam))
        require(
            inside and len(self.eta) == len(self.lam), "eta and lam", "pairs in (0, 1)", self.lam
        )


@dataclass(frozen=True, kw_only=True)
class Later:
    """Weights after the second step (row 0) and after each later one, a row a step."""

    law: Patterns
    eta: float
    lam: float
    w: Float[np.ndarray, "steps neurons inputs"]
    a: Float[np.ndarray, "steps neurons"]
    b: Float[np.ndarray, "steps neurons"]

    @cached_property
    def elapsed(self) -> Float[np.ndarray, "steps 1"]:
        """Steps since the second, t - 2."""
        return np.arange(len(self.a), dtype=float)[:, None]

    @property
    def moved_w(self) -> Float[np.ndarray, "steps neurons"]:
        """||w_t - w_2||."""
        return np.linalg.norm(self.w - self.w[0], axis=2)

    @property
    def moved_b(self) -> Float[np.ndarray, "steps neurons"]:
        """|b_t - b_2|."""
        return np.abs(self.b - self.b[0])


def later_steps(sizes: Sizes, eta: float, lam: float, seed: int) -> Later:
    """Train with the steps of lemma 23, then with `eta` and `lam`."""
    D, k, m = sizes.dictionary, sizes.k, sizes.width / 2
    law = mixture(d=D, dictionary=D, k=k)
    gamma, sd = law.truth.label_covariance, float(law.truth.input_sd)
    eta1 = gamma**2 * sd / (k * m**3)
    with jax.enable_x64(True):
        network = TwoLayer(
            d=D,
            width=sizes.width,
            w=Gaussian(sd=1 / k),
            b=Gaussian(sd=1 / k**2),
            a=Gaussian(sd=sd**2 / (gamma * k**2)),
            activation=TRUNCATED,
            scaling="one",
            pairing="mirrored",
        )
        points = law.support()

        @jax.jit
        def slopes(params: Params) -> Params:
            found: Params = gradient(network, HINGE, params, points)
            return found

        @jax.jit
        def smooth(params: Params) -> Params:
            found: Params = gradient(network, HINGE, params, points, smoothing=k**-1.5)
            return found

        start = network.init(key=stream(seed, "later steps"))
        one = _stepped(start, smooth, eta1, kept_w=0.0, kept_a=1.0)
        rows = [_stepped(one, smooth, 1.0, kept_w=0.0, kept_a=0.0)]
        kept = 1 - 2 * eta * lam
        for _ in range(sizes.steps):
            rows.append(_stepped(rows[-1], slopes, eta, kept_w=kept, kept_a=kept))
        w, a, b = (np.array([np.asarray(getattr(r, part), float) for r in rows]) for part in "wab")
    return Later(law=law, eta=eta, lam=lam, w=w, a=a, b=b)


def _stepped(
    params: Params, slopes: Callable[[Params], Params], eta: float, *, kept_w: float, kept_a: float
) -> Params:
    g = slopes(params)
    assert params.b is not None
    assert g.b is not None
    return Params(
        w=kept_w * params.w - eta * g.w, a=kept_a * params.a - eta * g.a, b=params.b - eta * g.b
    )

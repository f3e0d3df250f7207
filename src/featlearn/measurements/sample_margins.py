r"""How a sample with flipped labels is fitted, and with which direction each neuron is aligned.

    margin      y_i f(x_i); recorded is the least of the clean and the least of the flipped points,
                which are all fitted if it is > 0
    r(t)        max_ij g_i/g_j with g = -l'(y f) = 1/(1 + exp(y f)), the logistic loss: how unequal
                the weights of points in the gradient are (Xu et al. 2023, section 3)
    alignment   <w_j, mu>^2/(<w_j, mu>^2 + <w_j, mu'>^2), mu the direction of the neuron's label
                (the first for a_j > 0), mu' the other: 1/2 for a neuron that prefers none

With margins of 1e-9, r is 1 + 1e-9, which float32 rounds to 1; therefore its logarithm is
computed as log1p(expm1(high - low)/(1 + exp(-low))), where high and low are the largest and the
least margin.
"""

from typing import cast

import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from featlearn._record import bound, record
from featlearn.distributions import Clusters
from featlearn.distributions.clusters import DrawsClusters
from featlearn.measurements.share import Directed
from featlearn.networks import Params, TwoLayer
from featlearn.training import Quantity, TurnedSample

LARGE = 30.0
"""For larger differences, log r equals high - low to all digits."""


def log_pull_ratio(margins: Float[Array, " samples"]) -> Float[Array, ""]:
    """Return log max_ij g_i/g_j for the logistic loss, to full relative accuracy.

    Example:
        >>> round(float(log_pull_ratio(jnp.array([0.0, 1e-9]))) * 1e10, 4)
        5.0
    """
    low, high = margins.min(), margins.max()
    gap = jnp.minimum(high - low, LARGE)
    near = jnp.log1p(jnp.expm1(gap) / (1 + jnp.exp(-low)))
    return jnp.where(high - low < LARGE, near, jnp.logaddexp(0.0, high) - jnp.logaddexp(0.0, low))


def alignments(
    w: Float[Array, "neurons inputs"],
    a: Float[Array, " neurons"],
    directions: Float[Array, "2 inputs"],
) -> Float[Array, " neurons"]:
    """Return the share of each neuron's squared projection that is on its own label's direction.

    Example:
        >>> w = jnp.array([[3.0, 4.0], [3.0, 4.0], [0.0, 0.0]])
        >>> found = alignments(w, jnp.array([1.0, -1.0, 1.0]), jnp.eye(2))
        >>> [round(float(value), 2) for value in found]
        [0.36, 0.64, 0.5]
    """
    along = directions @ w.T
    squares = (along / jnp.maximum(jnp.abs(along).max(), np.finfo(w.dtype).tiny)) ** 2
    own, both = jnp.where(a > 0, squares[0], squares[1]), squares.sum(axis=0)
    return jnp.where(both > 0, own / jnp.where(both > 0, both, 1.0), 0.5)


@record(numbers=("law", "network"))
class SampleMargins:
    """Records margins of clean and flipped points of the training sample, r(t), and alignments."""

    law: Clusters | TurnedSample | None = None
    network: TwoLayer | None = None
    samples: int | None = None
    """The number of points in the training sample."""
    stream = "sample"
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        return {
            "train_accuracy": Quantity(dims=(), meaning="share of the sample with y f(x) > 0"),
            "clean_margin": Quantity(dims=(), meaning="least y f(x) of a clean point"),
            "flipped_margin": Quantity(
                dims=(), meaning="least y f(x) of a flipped point, y the label that is seen"
            ),
            "log_pull_ratio": Quantity(
                dims=(), meaning="log r(t): the largest pull of a point over the least"
            ),
            "alignment": Quantity(
                dims=("neuron",), meaning="share of the projection on the own label's direction"
            ),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays; drawing the sample again is cheaper than storing it."""
        law = cast(DrawsClusters, bound(self.law, "SampleMargins", "a law"))
        network = bound(self.network, "SampleMargins", "a network")
        draw = law.draw(bound(self.samples, "SampleMargins", "a sample"), key=key)
        margin = draw.y * network.forward(params, draw.x)
        centres = cast(Directed, getattr(law, "unseen", law))
        return {
            "train_accuracy": jnp.mean((margin > 0).astype(margin.dtype)),
            "clean_margin": jnp.min(jnp.where(draw.noisy, jnp.inf, margin)),
            "flipped_margin": jnp.min(jnp.where(draw.noisy, margin, jnp.inf)),
            "log_pull_ratio": log_pull_ratio(margin),
            "alignment": alignments(params.w, params.a, centres.relevant_directions[:2]),
        }

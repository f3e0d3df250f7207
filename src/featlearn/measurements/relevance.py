r"""How a neuron depends on the relevant bits: its weights on A, those outside A, and its kink.

    w   (p, d) neurons       A   the k relevant bits       x in {±1/sqrt d}^d

A neuron that has found A has the same weight c on all of A and weights 0 elsewhere. Then w.x + b
is a function of z = sum_A sqrt(d) x_j alone and crosses 0 at its *kink*, z = -b sqrt(d) / c.
"""

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._record import bound, record
from featlearn.distributions import LeakyParity
from featlearn.networks import Params, TwoLayer
from featlearn.training import Loss, Quantity, gradient


@record(numbers=("mean", "spread", "outside", "cos"))
class RelevantParts:
    """Mean and spread of each neuron's weights on A, the largest outside A, and a cosine."""

    mean: Float[Array, " neurons"]
    spread: Float[Array, " neurons"]
    """Largest minus smallest weight on A."""
    outside: Float[Array, " neurons"]
    """Largest absolute weight outside A."""
    cos: Float[Array, " neurons"]
    """Absolute cosine between w and sum_A e_j; 0 for a silent neuron."""


def relevant_parts(w: Float[Array, "neurons inputs"], A: tuple[int, ...]) -> RelevantParts:
    """Split every neuron into its weights on A and the rest.

    Example:
        >>> parts = relevant_parts(jnp.array([[2.0, 2.0, 0.0], [3.0, 0.0, 4.0]]), (0, 1))
        >>> [round(float(c), 3) for c in parts.cos], parts.outside.tolist()
        ([1.0, 0.424], [0.0, 4.0])
    """
    columns = jnp.array(A)
    on_A = w[:, columns]
    norm = jnp.linalg.norm(w, axis=1)
    along = jnp.abs(on_A.sum(axis=1)) / len(A) ** 0.5
    return RelevantParts(
        mean=on_A.mean(axis=1),
        spread=on_A.max(axis=1) - on_A.min(axis=1),
        outside=jnp.abs(w.at[:, columns].set(0)).max(axis=1),
        cos=along / jnp.where(norm == 0, 1, norm),
    )


@record(numbers=("law",))
class Relevance:
    """Records each neuron's weights on A and outside, cosine with sum_A e_j, kink, a and bias."""

    law: LeakyParity | None = None

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        neuron = ("neuron",)
        return {
            "on_A": Quantity(dims=neuron, meaning="mean weight on A"),
            "spread_on_A": Quantity(dims=neuron, meaning="largest minus smallest weight on A"),
            "outside_A": Quantity(dims=neuron, meaning="largest absolute weight outside A"),
            "cos": Quantity(dims=neuron, meaning="absolute cosine of w with sum_A e_j"),
            "kink": Quantity(
                dims=neuron, meaning="value of sum_A sqrt(d) x at which w.x + b crosses 0"
            ),
            "a": Quantity(dims=neuron, meaning="second-layer weight"),
            "b": Quantity(dims=neuron, meaning="bias"),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        law = bound(self.law, "Relevance", "a law")
        parts = relevant_parts(params.w, law.A)
        b = jnp.zeros_like(params.a) if params.b is None else params.b
        return {
            "on_A": parts.mean,
            "spread_on_A": parts.spread,
            "outside_A": parts.outside,
            "cos": parts.cos,
            "kink": -b / (law.size * parts.mean),
            "a": params.a,
            "b": b,
        }


@record(numbers=("law", "network"))
class GradientError:
    """Records how far the gradient of a fresh batch is from the population gradient.

    Two independent batches give g1 and g2; the relative error of one of them is estimated by
    (||g1 - g2|| / sqrt 2) / (||g1 + g2|| / 2), over all parameters together.
    """

    batch: int
    """Number of points of each of the two batches."""
    law: LeakyParity | None = None
    network: TwoLayer | None = None
    loss: Loss | None = None

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        meaning = f"relative error of the gradient of a batch of {self.batch}"
        return {"gradient_error": Quantity(dims=(), meaning=meaning)}

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the estimated relative error, from two batches of the test stream."""
        law, loss = (
            bound(self.law, "GradientError", "a law"),
            bound(self.loss, "GradientError", "a loss"),
        )
        network = bound(self.network, "GradientError", "a network")
        first, second = (
            gradient(network, loss, params, law.sample(self.batch, key=k))
            for k in jax.random.split(jax.random.fold_in(key, 1))
        )
        apart = jax.tree.map(lambda g, h: ((g - h) ** 2).sum(), first, second)
        together = jax.tree.map(lambda g, h: ((g + h) ** 2).sum(), first, second)
        difference, total = sum(jax.tree.leaves(apart)), sum(jax.tree.leaves(together))
        ratio = difference / jnp.where(total == 0, 1, total)
        return {"gradient_error": jnp.sqrt(2 * ratio)}

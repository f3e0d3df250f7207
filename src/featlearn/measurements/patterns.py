r"""How much of each neuron is the feature sum_A M_j, and how much is background (Shi et al. 2022).

q_j = <M_j, w>      components on the patterns, the first k of them relevant (the set A)

cosine          = <w, sum_A M_j> / (||w|| ||sum_A M_j||);    "Cos" is the largest over neurons
signal          = mean of q_j over A, signed          background = root mean square outside A
signal_to_noise = |signal| / background               (lemmas 15, 18 and 20 bound both)
"""

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._record import bound, record
from featlearn.distributions import Patterns
from featlearn.networks import Params
from featlearn.training import Quantity


def cosines(
    w: Float[Array, "neurons inputs"], direction: Float[Array, " inputs"]
) -> Float[Array, " neurons"]:
    """Return the cosine of each neuron with a direction; it is 0 for a neuron that is 0.

    Rows are scaled first: after a tiny first step the squares of their entries would underflow
    in float32.

    Example:
        >>> w = jnp.array([[3.0, 4.0], [1e-30, 0.0], [0.0, 0.0]])
        >>> cosines(w, jnp.array([2.0, 0.0])).round(3).tolist()
        [0.6000000238418579, 1.0, 0.0]
    """
    largest = jnp.abs(w).max(axis=1, keepdims=True)
    scaled = w / jnp.where(largest == 0, 1.0, largest)
    norms = jnp.linalg.norm(scaled, axis=1)
    along = scaled @ (direction / jnp.linalg.norm(direction))
    return along / jnp.where(norms == 0, 1.0, norms)


def components(
    w: Float[Array, "neurons inputs"], law: Patterns
) -> Float[Array, "neurons dictionary"]:
    """Return q = M^T w, the components of every neuron on the patterns."""
    return w[:, : law.dictionary] if law.matrix is None else w @ law.matrix


@record(numbers=("law",))
class PatternParts:
    """Records each neuron's cosine with sum_A M_j, signal and background; and the best cosine."""

    law: Patterns | None = None
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        neuron = ("neuron",)
        return {
            "cosine": Quantity(dims=neuron, meaning="cosine of w with sum_A M_j"),
            "signal": Quantity(dims=neuron, meaning="mean component of w on A, signed"),
            "background": Quantity(dims=neuron, meaning="rms component of w outside A"),
            "signal_to_noise": Quantity(dims=neuron, meaning="|signal| / background"),
            "cos": Quantity(dims=(), meaning="the largest cosine of a neuron with sum_A M_j"),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        law = bound(self.law, "PatternParts", "a law")
        cosine = cosines(params.w, law.direction)
        q = components(params.w, law)
        largest = jnp.abs(q).max(axis=1, keepdims=True)
        unit = q / jnp.where(largest == 0, 1.0, largest)
        signal = unit[:, : law.k].mean(axis=1)
        background = jnp.sqrt(jnp.mean(unit[:, law.k :] ** 2, axis=1))
        return {
            "cosine": cosine,
            "signal": signal * largest[:, 0],
            "background": background * largest[:, 0],
            "signal_to_noise": jnp.abs(signal) / jnp.where(background == 0, jnp.inf, background),
            "cos": cosine.max(),
        }

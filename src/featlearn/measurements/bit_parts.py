r"""How much neurons and network have learnt of the bits of a Boolean target.

    w   (p, d) neurons    A   the places of the k bits    u = w_A   (p, k)    f   the output

For each neuron this records its weights u on the bits and the norm of its other weights, which
are its coordinates in the dimension-free flow (`featlearn.training.flow`); for each bit, the root
mean square of u over neurons; and for each term c_S chi_S of the target, the coefficient E[f chi_S]
of the network, which is c_S once the term is learnt.
"""

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key, PyTree

from featlearn._record import bound, record
from featlearn.distributions import Boolean
from featlearn.distributions.target import hermite
from featlearn.networks import Activation, Params
from featlearn.training import Network, Quantity
from featlearn.training.flow import mean_output

if TYPE_CHECKING:
    import xarray as xr


@record(numbers=("law",))
class BitParts:
    """Records weights on the bits, norm of other weights, a and b; and each bit's mean square u."""

    law: Boolean | None = None
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        neuron = ("neuron",)
        return {
            "u": Quantity(dims=("neuron", "direction"), meaning="weight on a bit of the target"),
            "outside": Quantity(dims=neuron, meaning="norm of the weights on all other inputs"),
            "a": Quantity(dims=neuron, meaning="second-layer weight"),
            "b": Quantity(dims=neuron, meaning="bias"),
            "on_bit": Quantity(
                dims=("direction",), meaning="root mean square over neurons of the weight on a bit"
            ),
            "on_others": Quantity(
                dims=(), meaning="the same for the inputs that the target ignores, all together"
            ),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        law = bound(self.law, "BitParts", "a law")
        u = params.w @ law.directions.T
        outside = jnp.linalg.norm(params.w - u @ law.directions, axis=1)
        others = max(params.w.shape[1] - law.k, 1)
        return {
            "u": u,
            "outside": outside,
            "a": params.a,
            "b": jnp.zeros_like(params.a) if params.b is None else params.b,
            "on_bit": jnp.sqrt(jnp.mean(u**2, axis=0)),
            "on_others": jnp.sqrt(jnp.mean(outside**2) / others),
        }


@record(numbers=("law", "network"))
class LearnedTerms:
    """Records the coefficient of f on each term of the mean label, from held-out points."""

    samples: int = 4000
    """Number of held-out points."""
    law: Boolean | None = None
    network: Network | None = None
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        meaning = "coefficient of f on a term of the target, from held-out points"
        return {"learned": Quantity(dims=("term",), meaning=meaning)}

    def measure(self, params: PyTree, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the mean of f(x) chi_S(x) over a sample, for every term S of the target."""
        law = bound(self.law, "LearnedTerms", "a law")
        batch = law.sample(self.samples, key=jax.random.fold_in(key, 2))
        f = bound(self.network, "LearnedTerms", "a network").forward(params, batch.x)
        z = law.bits(batch.x)
        terms = [_character(z, S) for S in law.mean_label.supports]
        return {"learned": jnp.stack(terms) @ f / self.samples}


def _character(z: Float[Array, "samples k"], support: tuple[int, ...]) -> Float[Array, " samples"]:
    product = jnp.ones(len(z))
    for i in sorted(set(support)):
        product = product * hermite(support.count(i), z[:, i - 1])
    return product


def recorded_output(
    dataset: "xr.Dataset", activation: Activation
) -> Float[np.ndarray, "seeds steps corners"]:
    """Return the mean output at every corner, for a run in mean-field scaling that has `BitParts`.

    The average is over Gaussian inputs in the place of the other inputs; for signs it differs by
    O(1/d).
    """
    parts = [
        dataset[name].transpose("seed", "step", "neuron", ...).values.astype(float)
        for name in ("a", "u", "outside", "b")
    ]
    a, u, s, b = parts
    seeds, steps, width = a.shape
    weight = np.full(width, 1 / width)
    found = [
        mean_output(activation, a[i, t], u[i, t], s[i, t], b[i, t], weight)
        for i in range(seeds)
        for t in range(steps)
    ]
    return np.array(found).reshape(seeds, steps, -1)

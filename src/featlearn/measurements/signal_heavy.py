r"""How signal-heavy a network is: the smallest zeta of Definition 4.2 (Glasgow 2023), for given H.

    S(zeta)   = { w : exp(6H) ||w_perp|| + ||w_opp|| <= zeta ||w_sig|| }       the heavy neurons
    gamma~_mu = E[1(w in S, w_sig.mu > 0) |a| w.mu],  its least over the four mu: gamma~_min

A network is (zeta, H)-signal-heavy if

    (1)  E[1(w not in S) ||w||^2] <= zeta gamma~_min
    (2)  E||w||^2 <= E a^2 + zeta H <= 2H,   and |a| <= ||w|| for every neuron.

Raising zeta weakens both sides of (1), so there is a smallest zeta. With the neurons sorted by r
= (exp(6H)||w_perp|| + ||w_opp||)/||w_sig||, a set S of the first k neurons needs at least zeta =
max(r_k, E[1(w not in S) ||w||^2] / gamma~_min), and the smallest of these over k is exact, without
bisection. The printed formula for gamma~ lacks the sign y(mu), without which it is negative at
±mu2.
"""

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._record import bound, record
from featlearn.distributions import Parity
from featlearn.measurements.signal import Parts, on_side_of, require_four_clusters, signal_parts
from featlearn.networks import Params
from featlearn.training import Quantity

Number = float | Float[Array, ""]


def smallest_zeta(parts: Parts, a: Float[Array, " neurons"], H: Number) -> Float[Array, ""]:
    r"""Return the smallest zeta with (1) and E||w||^2 <= E a^2 + zeta H; infinity if there is none.

    With H = 0 the heavy set is ||w_perp|| + ||w_opp|| <= zeta ||w_sig||, and only condition (1)
    of this module counts.

    Example:
        >>> w = jnp.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
        >>> a = jnp.array([1.0, 1.0, -1.0, -1.0])
        >>> bool(smallest_zeta(signal_parts(w, a, w[0], w[2]), a, 0.0) < 1e-6)
        True
    """
    signal, others = parts.signal, jnp.exp(6 * H) * parts.orthogonal + parts.opposite
    ratio = jnp.where(signal > 0, others / jnp.where(signal > 0, signal, 1), jnp.inf)
    order = jnp.argsort(ratio)
    square = signal**2 + parts.opposite**2 + parts.orthogonal**2
    carried = on_side_of(parts, a) * (jnp.sqrt(2.0) * jnp.abs(a) * signal)
    least = (jnp.cumsum(carried[:, order], axis=1) / len(a)).min(axis=0)
    outside = jnp.cumsum(square[order][::-1])[::-1] - square[order]
    mass = jnp.where(jnp.arange(len(a)) == len(a) - 1, 0.0, outside / len(a))
    needed = jnp.where(least > 0, mass / jnp.where(least > 0, least, 1), jnp.inf)
    first = jnp.maximum(ratio[order], needed).min()
    gap = jnp.mean(square) - jnp.mean(a**2)
    positive = jnp.where(jnp.asarray(H) > 0, gap / jnp.where(jnp.asarray(H) > 0, H, 1.0), 0.0)
    return jnp.maximum(first, positive)


@record(numbers=("law", "H"))
class SignalHeavy:
    """Records the smallest zeta for which the network is signal-heavy, at each recorded step."""

    H: float = 0.0
    """H of definition 4.2; with 0 only its first inequality counts."""
    law: Parity | None = None
    any_basis = True

    def __post_init__(self) -> None:
        require_four_clusters(self.law, "SignalHeavy(law)")

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        meaning = "smallest zeta for which the network is signal-heavy (definition 4.2)"
        return {"zeta": Quantity(dims=(), meaning=meaning)}

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        means = bound(self.law, "SignalHeavy", "a law").means
        parts = signal_parts(params.w, params.a, means[0], means[2])
        return {"zeta": smallest_zeta(parts, params.a, self.H)}

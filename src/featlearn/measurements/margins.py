r"""Margins at the cluster centres, and the contributions of heavy neurons to them (Glasgow 2023).

    gamma_mu  = y(mu) f(mu)                                       margin at the centre mu
    g_mu      = |l'(mu)|                                          the pull of the loss there
    heavy     = { w : ||w_perp|| + ||w_opp|| <= rho ||w_sig|| }   the working heavy set, rho = 1/2
    gamma~_mu = E_w[ 1(w heavy, w_sig.mu > 0) y(mu) a relu(w.mu) ]

The printed formula for gamma~ lacks y(mu) (text before Definition 4.2) and would be negative at
±mu2.
"""

import jax.numpy as jnp
from jax import Array
from jaxtyping import Bool, Float, Key

from featlearn._record import bound, record
from featlearn.distributions import Parity
from featlearn.measurements.signal import (
    Parts,
    on_side_of,
    require_four_clusters,
    signal_parts,
)
from featlearn.networks import Params, TwoLayer
from featlearn.training import Loss, Quantity


def heavy(parts: Parts, rho: float | Float[Array, ""]) -> Bool[Array, " neurons"]:
    """Whether each neuron is heavy: ||w_perp|| + ||w_opp|| <= rho ||w_sig||."""
    return parts.orthogonal + parts.opposite <= rho * parts.signal


@record(numbers=("law", "network", "rho"))
class Margins:
    """Records for each centre mu the margin gamma_mu, the derivative g_mu, and gamma~_mu."""

    rho: float = 0.5
    """How large ||w_perp|| + ||w_opp|| may be in a heavy neuron, over ||w_sig||."""
    law: Parity | None = None
    network: TwoLayer | None = None
    loss: Loss | None = None
    any_basis = True

    def __post_init__(self) -> None:
        require_four_clusters(self.law, "Margins(law)")

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        cluster = ("cluster",)
        return {
            "gamma": Quantity(dims=cluster, meaning="margin y(mu) f(mu)"),
            "g": Quantity(dims=cluster, meaning="|l'(mu)|, the pull of the loss at mu"),
            "gamma_heavy": Quantity(dims=cluster, meaning="margin carried by the heavy neurons"),
            "heavy_share": Quantity(dims=(), meaning="share of neurons in the heavy set"),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        law, loss = bound(self.law, "Margins", "a law"), bound(self.loss, "Margins", "a loss")
        means, labels = law.means, law.mean_labels
        f = bound(self.network, "Margins", "a network").forward(params, means)
        parts = signal_parts(params.w, params.a, means[0], means[2])
        members = on_side_of(parts, params.a) * heavy(parts, self.rho)
        carried = labels[:, None] * params.a * jnp.maximum(means @ params.w.T, 0)
        return {
            "gamma": labels * f,
            "g": jnp.abs(loss.derivative(f, labels)),
            "gamma_heavy": jnp.mean(members * carried, axis=1),
            "heavy_share": jnp.mean(heavy(parts, self.rho).astype(f.dtype)),
        }

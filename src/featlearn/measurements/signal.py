r"""The parts of every neuron on XOR data: signal, opposite, orthogonal (Glasgow 2023, section 4).

    w   (p, d) neurons      mu1, mu2   the two signal directions, orthogonal, of norm sqrt 2

For a neuron with a >= 0 the *signal* part w_sig is its projection on mu1 and the *opposite* part
w_opp is its projection on mu2; for a < 0 it is the reverse; w_perp = w - w_sig - w_opp.
"""

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require
from featlearn._record import bound, record
from featlearn.distributions import Parity
from featlearn.networks import Params
from featlearn.training import Quantity


@record(numbers=("along_mu1", "along_mu2", "signal", "opposite", "orthogonal"))
class Parts:
    """Each neuron's signed coordinates along mu1 and mu2, and the norms of its three parts."""

    along_mu1: Float[Array, " neurons"]
    along_mu2: Float[Array, " neurons"]
    signal: Float[Array, " neurons"]
    opposite: Float[Array, " neurons"]
    orthogonal: Float[Array, " neurons"]


def signal_parts(
    w: Float[Array, "neurons inputs"],
    a: Float[Array, " neurons"],
    mu1: Float[Array, " inputs"],
    mu2: Float[Array, " inputs"],
) -> Parts:
    r"""Split every neuron into its signal, opposite and orthogonal parts.

    Example:
        >>> w = jnp.array([[3.0, -3.0, 4.0]])
        >>> mu1, mu2 = jnp.array([1.0, -1.0, 0.0]), jnp.array([1.0, 1.0, 0.0])
        >>> parts = signal_parts(w, jnp.array([1.0]), mu1, mu2)
        >>> [round(float(v[0]), 3) for v in (parts.signal, parts.opposite, parts.orthogonal)]
        [4.243, 0.0, 4.0]
    """
    unit1, unit2 = mu1 / jnp.linalg.norm(mu1), mu2 / jnp.linalg.norm(mu2)
    u1, u2 = w @ unit1, w @ unit2
    rest = w - u1[:, None] * unit1 - u2[:, None] * unit2
    return Parts(
        along_mu1=u1,
        along_mu2=u2,
        signal=jnp.abs(jnp.where(a >= 0, u1, u2)),
        opposite=jnp.abs(jnp.where(a >= 0, u2, u1)),
        orthogonal=jnp.linalg.norm(rest, axis=1),
    )


def on_side_of(parts: Parts, a: Float[Array, " neurons"]) -> Float[Array, "clusters neurons"]:
    """Return 1 for neurons with w_sig.mu > 0, else 0, for each centre +mu1, -mu1, +mu2, -mu2.

    A neuron whose signal part is not 0 has a 1 for exactly one centre.
    """
    positive = a >= 0
    sides = [
        positive & (parts.along_mu1 > 0),
        positive & (parts.along_mu1 < 0),
        ~positive & (parts.along_mu2 > 0),
        ~positive & (parts.along_mu2 < 0),
    ]
    return jnp.stack(sides).astype(parts.signal.dtype)


def require_four_clusters(law: object, where: str) -> None:
    """Raise `InputError` if the law is given and does not have the centres ±mu1, ±mu2."""
    expected = "a parity of k = 2 directions"
    require(law is None or isinstance(law, Parity), where, expected, type(law).__name__)
    require(
        law is None or getattr(law, "k", None) == 2,
        where,
        expected,
        f"k = {getattr(law, 'k', None)}",
    )


@record(numbers=("law", "threshold"))
class SignalParts:
    """Records each neuron's signal, opposite and orthogonal parts, second-layer weight and norm.

    For each cluster centre mu it also records the share of neurons that have found the signal
    there.
    """

    threshold: float = 0.0
    """How large ||w_sig|| is in a neuron that has found its signal; log(d)^c theta in lemma 4.1."""
    law: Parity | None = None
    any_basis = True

    def __post_init__(self) -> None:
        require_four_clusters(self.law, "SignalParts(law)")

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        neuron = ("neuron",)
        return {
            "along_mu1": Quantity(dims=neuron, meaning="coordinate of w along mu1, signed"),
            "along_mu2": Quantity(dims=neuron, meaning="coordinate of w along mu2, signed"),
            "signal": Quantity(dims=neuron, meaning="norm of w_sig"),
            "opposite": Quantity(dims=neuron, meaning="norm of w_opp"),
            "orthogonal": Quantity(dims=neuron, meaning="norm of w_perp"),
            "a": Quantity(dims=neuron, meaning="second-layer weight"),
            "norm": Quantity(dims=neuron, meaning="norm of w"),
            "found": Quantity(
                dims=("cluster",),
                meaning="share of neurons with w_sig.mu > 0 and ||w_sig|| >= log(d)^c theta",
            ),
            "rest": Quantity(dims=(), meaning="mean over neurons of ||w_perp + w_opp||^2"),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        means = bound(self.law, "SignalParts", "a law").means
        mu1, mu2 = means[0], means[2]
        parts = signal_parts(params.w, params.a, mu1, mu2)
        strong = (parts.signal >= self.threshold).astype(parts.signal.dtype)
        return {
            "along_mu1": parts.along_mu1,
            "along_mu2": parts.along_mu2,
            "signal": parts.signal,
            "opposite": parts.opposite,
            "orthogonal": parts.orthogonal,
            "a": params.a,
            "norm": jnp.linalg.norm(params.w, axis=1),
            "found": jnp.mean(on_side_of(parts, params.a) * strong, axis=1),
            "rest": jnp.mean(parts.orthogonal**2 + parts.opposite**2),
        }

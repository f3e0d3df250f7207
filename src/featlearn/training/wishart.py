r"""Descent on fresh samples with Gaussian noise: exact in law, at a cost independent of d.

    d   inputs      k   signal directions      p   neurons      m   samples a step      r = k + p
    C   (p, r)  the neurons in an orthonormal basis of span(signal directions, neurons)

The pre-activations and labels of a fresh batch depend on x only through that span. There the
batch is Z (m, r): k signal coordinates of their own law, the others independent N(0, sigma^2). With
z = Z C^T and G (m, p) the slopes in z, the gradient has a part inside the span, G^T Z, and one
outside, sigma G^T X with X (m, d-r) independent N(0,1), also of everything so far. Of the second
only the Gram matrix matters:

    G^T X X^T G  =  B A A^T B^T  in law,      B B^T = G^T G,

with A (p, p) Bartlett's factor of a Wishart matrix with d - r degrees of freedom
(`featlearn.training.bartlett`). So sigma B A are the coordinates of that part in p new directions.
After the step the neurons have k + 2p coordinates; a QR factorisation that leaves the signal
columns alone turns them back into k + p. This is the process at finite d, not its limit: every
observable that depends on weights through products and signal columns has the very same law.
docs/million-dimensions.md derives it step by step.

Batches are drawn and used in slices, so that memory is O(slice * p + p^2); they are float32, the
algebra of p x p matrices float64. Needs d >= k + 2p.
"""

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Int, Key, PyTree

from featlearn._check import require
from featlearn._record import record
from featlearn.distributions import Batch, Distribution, SignalAndNoise
from featlearn.networks import Gaussian, Params, Sphere, TwoLayer
from featlearn.training.bartlett import bartlett
from featlearn.training.data import Fresh
from featlearn.training.descent import Descent, State
from featlearn.training.gradient import Network, gradient_in_inputs
from featlearn.training.rules import Momentum, Plain

SLICE_BYTES = 16 * 2**20
"""The bytes of a slice of the batch and its pre-activations, so that they stay near the cache."""

Time = int | Int[Array, ""]


@record(numbers=("law",))
class TurnedRows:
    """An initial law of neurons in R^d, drawn in k coordinates that are kept and p others.

    The rows are a sample of that law in R^d, rotated such that the first k directions stay
    fixed.
    """

    law: Sphere | Gaussian
    d: int
    k: int

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw the coordinates (p, k + p) of p neurons, and zeros in any further columns."""
        p = shape[0]
        of_kept, of_rest = jax.random.split(key)
        kept = jax.random.normal(of_kept, (p, self.k))
        rows = jnp.concatenate([kept, bartlett(p, self.d - self.k, key=of_rest)], axis=1)
        rows = jnp.pad(rows, ((0, 0), (0, shape[1] - self.k - p)))
        if isinstance(self.law, Gaussian):
            return self.law.sd * rows
        return self.law.radius * rows / jnp.linalg.norm(rows, axis=1, keepdims=True)


@record(numbers=("descent",))
class WishartDescent:
    """A descent in coordinates of the neurons' span; the rest of R^d is drawn as needed."""

    descent: Descent
    """In R^(k+p): its law and network are those of the coordinates."""
    d: int
    """The dimension that is simulated."""

    def bind(self, law: Distribution, network: Network) -> "WishartDescent":
        """Return a copy with the law and the network of the coordinates filled in."""
        return WishartDescent(descent=self.descent.bind(law, network), d=self.d)

    def __post_init__(self) -> None:
        if self.descent.network is not None:
            least = self.inside.k + 2 * self.network.width
            require(
                self.d >= least,
                "simulation=gram (d)",
                f"d >= k + 2 width = {least}",
                self.d,
                "Use --simulation plain.",
            )
        require(
            isinstance(self.descent.rule, Plain) and isinstance(self.descent.data, Fresh),
            "simulation=gram",
            "plain descent on fresh samples",
            f"{type(self.descent.rule).__name__} on {type(self.descent.data).__name__}",
            "Use --simulation plain.",
        )

    @property
    def inside(self) -> SignalAndNoise:
        """The law of the input's coordinates in the span."""
        assert isinstance(self.descent.law, SignalAndNoise)
        return self.descent.law

    @property
    def network(self) -> TwoLayer:
        """The network on the coordinates."""
        assert isinstance(self.descent.network, TwoLayer)
        return self.descent.network

    @property
    def steps(self) -> Any:
        """The number of steps of this phase."""
        return self.descent.steps

    def fixed(self, *, key: Key[Array, ""]) -> None:
        """Return None: nothing is drawn in advance, because every batch is fresh."""

    def start(self, params: Params, fixed: None) -> State:
        """Return the state before the first step; the parameters are in coordinates."""
        return self.descent.start(params, None)

    def params(self, state: State, fixed: None) -> Params:
        """Return the parameters in coordinates; their inner products are those in R^d."""
        params: Params = state.params
        return params

    def step(self, state: State, t: Time, fixed: None, *, key: Key[Array, ""]) -> State:
        """Return the state after one step in R^d, in coordinates of the span after that step."""
        params, p, k = state.params, state.params.w.shape[0], self.inside.k
        of_batch, of_rest = jax.random.split(jax.random.fold_in(key, t))
        slopes, products = self._gradient(params, of_batch)
        with jax.enable_x64(True):
            A = bartlett(p, self.d - k - p, key=of_rest)
            sd = self.inside.noise_sd
            assert sd is not None
            outside = sd * (_root(products.astype(jnp.float64)) @ A)
            w = jnp.pad(params.w.astype(jnp.float64), ((0, 0), (0, p)))
            grown = State(params=_with_w(params, w), memory=state.memory, order=state.order)
            wide = _with_w(slopes, jnp.concatenate([slopes.w, outside], axis=1))
            moved = self.descent.update(grown, wide, t)
            w = moved.params.w
            rest = jnp.linalg.qr(w[:, k:].T, mode="r").T
            back = jnp.concatenate([w[:, :k], rest], axis=1).astype(params.w.dtype)
        return State(params=_with_w(moved.params, back), memory=moved.memory, order=moved.order)

    def _gradient(
        self, params: Params, key: Key[Array, ""]
    ) -> tuple[Params, Float[Array, "neurons neurons"]]:
        """Return the gradient inside the span, and G^T G, summed over slices of the batch."""
        descent, network = self.descent, self.network
        assert isinstance(descent.data, Fresh)
        m, r = descent.data.batch, params.w.shape[1]
        size = max(1, min(m, SLICE_BYTES // (4 * r)))
        whole, rest = divmod(m, size)

        def of(batch: Batch, share: float) -> tuple[Params, Array]:
            z = network.preactivations(params, batch.x)
            G, g_a = gradient_in_inputs(
                network,
                descent.loss,
                params.a,
                z,
                batch,
                descent.smoothing,
                descent.class_weights,
            )
            g_b = None if params.b is None else share * G.sum(axis=0)
            return Params(w=share * (G.T @ batch.x), a=share * g_a, b=g_b), share**2 * (G.T @ G)

        def add(i: Time, total: PyTree, points: int = size) -> PyTree:
            batch = self.inside.sample(points, key=jax.random.fold_in(key, i))
            return jax.tree.map(jnp.add, total, of(batch, points / m))

        zero = jax.tree.map(jnp.zeros_like, (params, jnp.zeros((len(params.a),) * 2)))
        total = jax.lax.fori_loop(0, whole, add, zero)
        return add(whole, total, rest) if rest else total


def _root(products: Float[Array, "neurons neurons"]) -> Float[Array, "neurons neurons"]:
    """Return B such that B B^T is the given matrix.

    It uses `eigh`, because a Cholesky factorisation fails once neurons align.
    """
    lengths, turn = jnp.linalg.eigh(products)
    return turn * jnp.sqrt(jnp.maximum(lengths, 0))


def _with_w(params: Params, w: Float[Array, "neurons inputs"]) -> Params:
    return Params(w=w, a=params.a, b=params.b)


def is_rotatable(descent: Descent) -> bool:
    """Whether the law of this descent is unchanged by every rotation that keeps the signal.

    Adam and Adadelta move every coordinate on its own scale, so the basis matters to them.
    """
    distribution, network = descent.law, descent.network
    return (
        isinstance(distribution, SignalAndNoise)
        and distribution.noise_sd is not None
        and isinstance(network, TwoLayer)
        and isinstance(network.w, Sphere | Gaussian)
        and isinstance(descent.rule, Plain | Momentum)
    )


def require_rotatable(descent: Descent) -> None:
    """Raise `InputError` unless `is_rotatable(descent)`."""
    distribution, network = descent.law, descent.network
    require(
        isinstance(distribution, SignalAndNoise) and distribution.noise_sd is not None,
        "simulation=gram",
        "Gaussian noise",
        getattr(distribution, "noise", type(distribution).__name__),
        "Use --noise gaussian or --simulation plain.",
    )
    require(
        is_rotatable(descent),
        "simulation=gram",
        "a two-layer network with neurons on a sphere or Gaussian, and a rule free of the basis",
        f"{type(getattr(network, 'w', network)).__name__}, {type(descent.rule).__name__}",
        "Use --simulation plain.",
    )


def in_coordinates(descent: Descent) -> WishartDescent:
    """Return a descent with the same law, in the coordinates of its span.

    The distribution must have Gaussian noise, and the network's first layer be Sphere or
    Gaussian.
    """
    require_rotatable(descent)
    distribution, network = descent.law, descent.network
    assert isinstance(distribution, SignalAndNoise)
    assert isinstance(network, TwoLayer)
    law = network.w
    assert isinstance(law, Sphere | Gaussian)
    k, r = distribution.k, distribution.k + network.width
    seen = replace(
        descent,
        law=distribution.in_dimensions(r),
        network=replace(network, d=r, w=TurnedRows(law=law, d=distribution.d, k=k)),
    )
    return WishartDescent(descent=seen, d=distribution.d)

r"""Descent on fresh samples with Gaussian noise, exact in law at a cost free of d.

    d   inputs      k   signal directions      p   neurons      m   samples a step      r = k + p
    C   (p, r)  the neurons in an orthonormal basis of span(signal directions, neurons)

The pre-activations and labels of a fresh batch depend on x only through that span. There the
batch is Z (m, r): k signal coordinates of their own law, the others independent N(0,1). With
z = Z C^T and G (m, p) the slopes in z, the gradient has a part inside the span, G^T Z, and one
outside, G^T X with X (m, d-r) independent N(0,1), also of everything so far. Of the second only the
Gram matrix matters:

    G^T X X^T G  =  B A A^T B^T  in law,      B B^T = G^T G,

with A (p, p) Bartlett's factor of a Wishart matrix with d - r degrees of freedom: lower triangular,
A_ii^2 ~ chi^2_{d-r-i+1}, N(0,1) below. So B A are the coordinates of that part in p new directions.
After the step the neurons have k + 2p coordinates; a QR factorisation that leaves the signal
columns alone turns them back into k + p. This is the process at finite d, not its limit: every
observable that depends on weights through products and signal columns has the very same law.

Batches are drawn and used in slices, so that memory is O(slice * p + p^2). Needs d >= k + 2p.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Int, Key

from featlearn._check import require
from featlearn._record import record
from featlearn.distributions import Batch, Parity
from featlearn.networks import Gaussian, Params, Sphere, TwoLayer
from featlearn.training.data import Fresh
from featlearn.training.descent import Descent, State
from featlearn.training.gradient import pulled_back
from featlearn.training.rules import Plain

SLICE_BYTES = 16 * 2**20
"""A slice of the batch and its pre-activations stay near the cache."""

Time = int | Int[Array, ""]


def bartlett(p: int, freedom: int, *, key: Key[Array, ""]) -> Float[Array, "{p} {p}"]:
    """A with A A^T Wishart of `freedom` degrees of freedom: p normal vectors in R^freedom, turned.

    Example:
        >>> A = bartlett(2, 10**9, key=jax.random.key(0))
        >>> round(float(A[0, 0] ** 2 / 1e9), 3), float(A[0, 1])
        (1.0, 0.0)
    """
    of_lengths, of_rest = jax.random.split(key)
    squares = 2 * jax.random.gamma(of_lengths, (freedom - jnp.arange(p)) / 2.0)
    return jnp.tril(jax.random.normal(of_rest, (p, p)), -1) + jnp.diag(jnp.sqrt(squares))


@record(numbers=("law",))
class TurnedRows:
    """An initial law of neurons in R^d, drawn in k signal coordinates and p others.

    The rows of the law's sample in R^d, turned by a rotation that keeps the signal directions.
    """

    law: Sphere | Gaussian
    d: int
    k: int

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Coordinates (p, k + p)."""
        p = shape[0]
        of_signal, of_rest = jax.random.split(key)
        signal = jax.random.normal(of_signal, (p, self.k))
        rows = jnp.concatenate([signal, bartlett(p, self.d - self.k, key=of_rest)], axis=1)
        if isinstance(self.law, Gaussian):
            return self.law.sd * rows
        return self.law.radius * rows / jnp.linalg.norm(rows, axis=1, keepdims=True)


@record(numbers=("descent",))
class WishartDescent:
    """A descent written in the coordinates of its span, with the rest of R^d drawn as needed."""

    descent: Descent
    """In R^(k+p): its distribution and network are those of the coordinates."""
    d: int
    """The dimension that is simulated."""

    def __post_init__(self) -> None:
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
    def inside(self) -> Parity:
        """The distribution of the coordinates."""
        assert isinstance(self.descent.distribution, Parity)
        return self.descent.distribution

    @property
    def network(self) -> TwoLayer:
        """The network on the coordinates."""
        assert isinstance(self.descent.network, TwoLayer)
        return self.descent.network

    @property
    def steps(self) -> Any:
        """Steps of this phase."""
        return self.descent.steps

    def fixed(self, *, key: Key[Array, ""]) -> None:
        """Nothing is drawn once."""

    def start(self, params: Params, fixed: None) -> State:
        """The parameters in coordinates."""
        return self.descent.start(params, None)

    def params(self, state: State, fixed: None) -> Params:
        """The parameters in coordinates: products and signal columns are those in R^d."""
        params: Params = state.params
        return params

    def step(self, state: State, t: Time, fixed: None, *, key: Key[Array, ""]) -> State:
        """One step in R^d, seen in the span before and after it."""
        params, p, k = state.params, state.params.w.shape[0], self.inside.k
        of_batch, of_rest = jax.random.split(jax.random.fold_in(key, t))
        slopes, products = self._gradient(params, of_batch)
        lengths, turn = jnp.linalg.eigh(products)
        B = turn * jnp.sqrt(jnp.maximum(lengths, 0))
        outside = B @ bartlett(p, self.d - k - p, key=of_rest)
        grown = State(
            params=_with_w(params, jnp.pad(params.w, ((0, 0), (0, p)))),
            memory=state.memory,
            order=state.order,
        )
        wide = _with_w(slopes, jnp.concatenate([slopes.w, outside], axis=1))
        moved = self.descent.update(grown, wide, t)
        w = moved.params.w
        rest = jnp.linalg.qr(w[:, k:].T, mode="r").T
        back = jnp.concatenate([w[:, :k], rest], axis=1)
        return State(params=_with_w(moved.params, back), memory=moved.memory, order=moved.order)

    def _gradient(
        self, params: Params, key: Key[Array, ""]
    ) -> tuple[Params, Float[Array, "neurons neurons"]]:
        """The gradient inside the span and G^T G, over the batch in slices."""
        descent, network = self.descent, self.network
        assert isinstance(descent.data, Fresh)
        m, r = descent.data.batch, params.w.shape[1]
        size = max(1, min(m, SLICE_BYTES // (4 * r)))
        whole, rest = divmod(m, size)

        def of(batch: Batch, share: float) -> tuple[Params, Array]:
            z = network.preactivations(params, batch.x)
            G, g_a = pulled_back(
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

        def add(i: Time, total: Any, points: int = size) -> Any:
            batch = descent.distribution.sample(points, key=jax.random.fold_in(key, i))
            return jax.tree.map(jnp.add, total, of(batch, points / m))

        zero = jax.tree.map(jnp.zeros_like, (params, jnp.zeros((len(params.a),) * 2)))
        total = jax.lax.fori_loop(0, whole, add, zero)
        return add(whole, total, rest) if rest else total


def _with_w(params: Params, w: Float[Array, "neurons inputs"]) -> Params:
    return Params(w=w, a=params.a, b=params.b)


def in_coordinates(descent: Descent) -> WishartDescent:
    """The same descent in law, in the coordinates of its span.

    Its distribution has Gaussian noise; its network's first layer is Sphere or Gaussian.
    """
    distribution, network = descent.distribution, descent.network
    gaussian = isinstance(distribution, Parity) and distribution.noise == "gaussian"
    require(
        gaussian,
        "simulation=gram",
        "Gaussian noise",
        getattr(distribution, "noise", type(distribution).__name__),
        "Use --noise gaussian or --simulation plain.",
    )
    assert isinstance(distribution, Parity)
    require(
        isinstance(network, TwoLayer)
        and isinstance(network.w, Sphere | Gaussian)
        and network.pairing == "none",
        "simulation=gram",
        "a two-layer network with neurons on a sphere or Gaussian, not paired",
        type(network).__name__,
        "Use --simulation plain.",
    )
    assert isinstance(network, TwoLayer)
    k, r = distribution.k, distribution.k + network.width
    inside = Parity(d=r, k=k, sign=distribution.sign, signal=distribution.signal, noise="gaussian")
    law: Any = network.w
    turned = TwoLayer(
        d=r,
        width=network.width,
        w=TurnedRows(law=law, d=distribution.d, k=k),
        a=network.a,
        b=network.b,
        activation=network.activation,
        scaling=network.scaling,
        trained=network.trained,
    )
    seen = Descent(
        distribution=inside,
        network=turned,
        loss=descent.loss,
        data=descent.data,
        steps=descent.steps,
        eta=descent.eta,
        rule=descent.rule,
        keep=descent.keep,
        smoothing=descent.smoothing,
        class_weights=descent.class_weights,
        schedule=descent.schedule,
    )
    return WishartDescent(descent=seen, d=distribution.d)

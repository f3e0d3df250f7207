"""Where the first step takes the good neurons: weights on A alone, a network of k inputs."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from featlearn._record import record
from featlearn.distributions import LeakyParity
from featlearn.networks import RELU6, Constant, Params, TwoLayer
from featlearn.training import parity_correlations


def balanced_weights(q: int, k: int, *, key: Key[Array, ""]) -> Float[Array, "{q} {k}"]:
    """Ternary rows that sum to 0, uniformly: first how many pairs of +1 and -1, then where.

    Example:
        >>> rows = balanced_weights(5, 3, key=jax.random.key(0))
        >>> bool((rows.sum(axis=1) == 0).all())
        True
    """
    of_pairs, of_order = jax.random.split(key)
    pairs = range(k // 2 + 1)
    ways = jnp.array([float(math.comb(k, 2 * m) * math.comb(2 * m, m)) for m in pairs])
    rows = jnp.array([[1.0] * m + [-1.0] * m + [0.0] * (k - 2 * m) for m in pairs])
    chosen = rows[jax.random.categorical(of_pairs, jnp.log(ways), shape=(q,))]
    return jax.random.permutation(of_order, chosen, axis=1, independent=True)


@record()
class GoodStart:
    """Neurons with sum_A w = 0 after the exact first step, as a network of the bits of A."""

    d: int
    k: int
    width: int

    @property
    def network(self) -> TwoLayer:
        """The network that is trained; its weights come from `init` below."""
        none = Constant(value=0.0)
        return TwoLayer(
            d=self.k, width=self.width, w=none, a=none, b=none, activation=RELU6, scaling="one"
        )

    @property
    def trained(self) -> tuple[str, ...]:
        """All parts."""
        return self.network.trained

    @property
    def rate(self) -> float:
        """What multiplies every gradient."""
        return self.network.rate

    def forward(
        self, params: Params, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """f(x) of the bits of A."""
        return self.network.forward(params, x)

    def init(self, *, key: Key[Array, ""]) -> Params:
        """Draw balanced neurons of the start and take the step; the second layer becomes 0."""
        of_w, of_J, of_a = jax.random.split(key, 3)
        q, d, k = self.width // 2, self.d, self.k
        on_A = balanced_weights(q, k, key=of_w)
        others = jnp.round(jax.random.binomial(of_J, d - k, 2 / 3, (q,)))
        a = jax.random.uniform(of_a, (q,), minval=-d / k, maxval=d / k)
        alpha = jax.pure_callback(
            self._alpha, jax.ShapeDtypeStruct((q, k), jnp.float32), on_A, others
        )
        w = a[:, None] * alpha / np.sqrt(d)
        return Params(
            w=jnp.concatenate([w, -w]),
            a=jnp.zeros(self.width),
            b=jnp.full(self.width, 1 / (8 * k)),
        )

    def _alpha(self, on_A: Array, others: Array) -> np.ndarray:
        found = parity_correlations(
            LeakyParity(d=self.d, k=self.k),
            RELU6,
            np.asarray(on_A, dtype=np.int64),
            np.asarray(others, dtype=np.int64),
            np.full(len(others), 1 / (8 * self.k)),
        )
        return found.relevant.astype(np.float32)

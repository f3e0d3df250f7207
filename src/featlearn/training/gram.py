r"""Full-batch descent in the span of the data: exact, and a step costs the same for every d.

    X   (n, d) the sample      K = X X^T   (n, n)      W_t   (p, d) first layer      C_t   (p, n)

Every gradient of the first layer is G^T X for some G (n, p), so W_t = W_0 + C_t X for all t, and

    z_t = X W_t^T + b = X W_0^T + K C_t^T + b,        C_{t+1} = C_t - eta G_t^T.

X W_0^T and K are computed once; a step is then one product of cost n^2 p instead of two of
cost n d p. The descent is the same up to rounding: `params` returns W_t. Momentum is linear and
stays in the span as well; Adam and Adadelta do not, and weight decay of w would shrink W_0.
"""

from typing import Any

import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Int, Key

from featlearn._check import require
from featlearn._record import record
from featlearn.distributions import Batch, Distribution
from featlearn.networks import Params, TwoLayer
from featlearn.training.data import Sample
from featlearn.training.descent import Descent, State
from featlearn.training.gradient import Network, gradient_in_inputs
from featlearn.training.rules import Momentum, Plain

Time = int | Int[Array, ""]


@record(numbers=("points", "products"))
class SpanSample:
    """A fixed sample and the inner products of its points."""

    points: Batch
    products: Float[Array, "samples samples"]


@record(numbers=("w", "z", "inner"))
class SpanState:
    """The initial first layer, its pre-activations on the sample, and the state in coefficients."""

    w: Float[Array, "neurons inputs"]
    z: Float[Array, "samples neurons"]
    inner: State
    """The state of the descent, whose params have the coefficients C instead of w."""


def in_span(descent: Descent) -> bool:
    """Whether the change of the first layer, in this descent, stays in the span of the data."""
    return (
        isinstance(descent.network, TwoLayer)
        and isinstance(descent.data, Sample)
        and descent.data.batch is None
        and isinstance(descent.rule, Plain | Momentum)
        and not descent.decays("w")
    )


@record(numbers=("descent",))
class GramDescent:
    """A full-batch descent, with the first layer represented by coefficients of the sample."""

    descent: Descent

    def bind(self, law: Distribution, network: Network) -> "GramDescent":
        """Return a copy with the law and the network filled in."""
        return GramDescent(descent=self.descent.bind(law, network))

    def __post_init__(self) -> None:
        require(
            self.descent.network is None or in_span(self.descent),
            "GramDescent(descent)",
            "full-batch descent of two layers on a sample, plain or with momentum, w not decayed",
            f"{type(self.descent.data).__name__} data, {type(self.descent.rule).__name__} rule",
            "Use simulation='plain'.",
        )

    @property
    def steps(self) -> Any:
        """The number of steps of the descent; it is traced inside the loop."""
        return self.descent.steps

    def fixed(self, *, key: Key[Array, ""]) -> SpanSample:
        """Return the sample of the descent, with the inner products of its points."""
        points = self.descent.points(key=key)
        assert points is not None
        return SpanSample(points=points, products=points.x @ points.x.T)

    def start(self, params: Params, fixed: SpanSample) -> SpanState:
        """Return the state before the first step: all coefficients are 0."""
        zero = jnp.zeros((len(params.w), len(fixed.points.y)), params.w.dtype)
        inner = Params(w=zero, a=params.a, b=params.b)
        return SpanState(
            w=params.w,
            z=fixed.points.x @ params.w.T,
            inner=self.descent.start(inner, fixed.points),
        )

    def step(
        self, state: SpanState, t: Time, fixed: SpanSample, *, key: Key[Array, ""]
    ) -> SpanState:
        """Return the state after one step of the descent, computed in coefficients."""
        network, params = self.descent.network, state.inner.params
        assert isinstance(network, TwoLayer)
        z = state.z + fixed.products @ params.w.T
        z = z if params.b is None else z + params.b
        G, g_a = gradient_in_inputs(
            network,
            self.descent.loss,
            params.a,
            z,
            fixed.points,
            self.descent.smoothing,
            self.descent.class_weights,
        )
        slopes = Params(w=G.T, a=g_a, b=None if params.b is None else G.sum(axis=0))
        return SpanState(w=state.w, z=state.z, inner=self.descent.update(state.inner, slopes, t))

    def params(self, state: SpanState, fixed: SpanSample) -> Params:
        """Return the parameters: w = W_0 + C X, and the other parts."""
        inner = state.inner.params
        return Params(w=state.w + inner.w @ fixed.points.x, a=inner.a, b=inner.b)

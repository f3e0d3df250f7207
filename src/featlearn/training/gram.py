r"""Full-batch descent in the span of the data: exact, and free of d.

    X   (n, d) the sample      K = X X^T   (n, n)      W_t   (p, d) first layer      C_t   (p, n)

Every gradient of the first layer is G^T X for some G (n, p), so W_t = W_0 + C_t X for all t, and

    z_t = X W_t^T + b = X W_0^T + K C_t^T + b,        C_{t+1} = C_t - eta G_t^T.

X W_0^T and K are computed once; a step then is one product of n^2 p instead of two of n d p. It is
the same descent up to rounding: `params` gives back W_t itself. Momentum is linear and stays in the
span as well; Adam and Adadelta do not, and weight decay of w would shrink W_0.
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
    """The sample and the products of its points."""

    points: Batch
    products: Float[Array, "samples samples"]


@record(numbers=("w", "z", "inner"))
class SpanState:
    """Where the first layer started, its pre-activations there, and the state in coefficients."""

    w: Float[Array, "neurons inputs"]
    z: Float[Array, "samples neurons"]
    inner: State
    """The state of the descent, whose params have the coefficients C instead of w."""


def in_span(descent: Descent) -> bool:
    """Whether the first layer of this descent stays in the span of its data and its start."""
    return (
        isinstance(descent.network, TwoLayer)
        and isinstance(descent.data, Sample)
        and descent.data.batch is None
        and isinstance(descent.rule, Plain | Momentum)
        and not descent.decays("w")
    )


@record(numbers=("descent",))
class GramDescent:
    """A full-batch descent, carried out in coefficients of the sample."""

    descent: Descent

    def bind(self, law: Distribution, network: Network) -> "GramDescent":
        """Fill in the law and the network."""
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
        """The sample of the descent, with its products."""
        points = self.descent.points(key=key)
        assert points is not None
        return SpanSample(points=points, products=points.x @ points.x.T)

    def start(self, params: Params, fixed: SpanSample) -> SpanState:
        """The state before the first step: all coefficients are 0."""
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
        """One step of the descent, in coefficients."""
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
        """The parameters: w = W_0 + C X, and the other parts."""
        inner = state.inner.params
        return Params(w=state.w + inner.w @ fixed.points.x, a=inner.a, b=inner.b)

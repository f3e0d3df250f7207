r"""Full-batch descent of ReLU neurons in the plane, by sorted angles and prefix sums.

    n   points x_i, sorted by their angle      p   neurons w_j, without biases      d = 2

A ReLU neuron is active on the points within a right angle of it: one arc [lo_j, hi_j) of the
sorted points, which may wrap around the end. So neither f nor its gradient needs the n p
pre-activations:

    f(x_i)  = scale * x_i . sum_{j : i in arc_j} a_j w_j       add a_j w_j at lo_j, take it off at
                                                               hi_j, and sum up along the circle
    g_w_j   = a_j S(arc_j),      g_a_j = w_j . S(arc_j),       S(arc) = S_hi - S_lo,
    S_i     = sum_{i' < i} delta_{i'} x_{i'}                   a prefix sum

A step costs n + p log n instead of n p. The descent is the same up to rounding; a point
exactly on the border of an arc may fall on either side of it.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Int, Key

from featlearn._check import require
from featlearn._record import record
from featlearn.distributions import Batch, Distribution
from featlearn.networks import RELU, Params, TwoLayer
from featlearn.training.data import Population, Sample
from featlearn.training.descent import Descent, State
from featlearn.training.gradient import Network, Number, point_weights
from featlearn.training.losses import Loss

Time = int | Int[Array, ""]


@record(numbers=("points", "angle"))
class Circle:
    """Points of the plane in the order of their angles."""

    points: Batch
    angle: Float[Array, " samples"]


def circle(points: Batch) -> Circle:
    """Sort the points by angle."""
    angle = jnp.arctan2(points.x[:, 1], points.x[:, 0])
    order = jnp.argsort(angle)
    weight = None if points.weight is None else points.weight[order]
    return Circle(
        points=Batch(x=points.x[order], y=points.y[order], weight=weight), angle=angle[order]
    )


def planar_gradient(
    network: TwoLayer,
    loss: Loss,
    params: Params,
    circle: Circle,
    *,
    class_weights: tuple[Number, Number] | None = None,
) -> Params:
    """Return the gradient of the mean loss in w and a, as `gradient` does, computed from arcs."""
    x, y = circle.points.x, circle.points.y
    low, high, over = _arcs(params.w, circle.angle)
    carried = params.a[:, None] * params.w
    change = jnp.zeros((len(x) + 1, 2), x.dtype)
    change = change.at[low].add(carried).at[high].add(-carried).at[0].add(over @ carried)
    f = network.scale * (running_sum(change)[:-1] * x).sum(axis=1)
    delta = network.scale * point_weights(circle.points, class_weights) * loss.derivative(f, y)

    S = jnp.concatenate([jnp.zeros((1, 2), x.dtype), running_sum(delta[:, None] * x)])
    on = S[high] - S[low] + over[:, None] * S[-1]
    alive = (params.w != 0).any(axis=1)
    return Params(
        w=jnp.where(alive[:, None], params.a[:, None] * on, 0), a=(params.w * on).sum(axis=1)
    )


def _arcs(
    w: Float[Array, "neurons 2"], angle: Float[Array, " samples"]
) -> tuple[Int[Array, " neurons"], Int[Array, " neurons"], Float[Array, " neurons"]]:
    """Return the first and last index of every neuron's arc, and 1 if the arc wraps, else 0."""
    middle = jnp.arctan2(w[:, 1], w[:, 0])
    begin, end = middle - np.pi / 2, middle + np.pi / 2
    begin = jnp.where(begin < -np.pi, begin + 2 * np.pi, begin)
    end = jnp.where(end > np.pi, end - 2 * np.pi, end)
    low = jnp.searchsorted(angle, begin, side="right")
    high = jnp.searchsorted(angle, end, side="left")
    return low, high, (begin > end).astype(w.dtype)


def running_sum(values: Float[Array, "rows columns"]) -> Float[Array, "rows columns"]:
    """Return the sums of the first 1, 2, … rows.

    They are computed in about sqrt(rows) blocks, so that rounding errors add up over fewer
    terms.

    Example:
        >>> running_sum(jnp.ones((5, 1)))[:, 0].tolist()
        [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    rows, columns = values.shape
    side = max(1, int(np.ceil(np.sqrt(rows))))
    padded = jnp.zeros((side * side, columns), values.dtype).at[:rows].set(values)
    blocks = padded.reshape(side, side, columns)
    below = jnp.asarray(np.tril(np.ones((side, side))), values.dtype)
    inside = jnp.einsum("ij,bjc->bic", below, blocks, precision="highest")
    before = jnp.einsum("ab,bc->ac", below, inside[:, -1], precision="highest") - inside[:, -1]
    return (inside + before[:, None]).reshape(-1, columns)[:rows]


def in_plane(descent: Descent) -> bool:
    """Whether a descent is one of ReLU neurons without biases on fixed points of the plane."""
    network, data = descent.network, descent.data
    return (
        isinstance(network, TwoLayer)
        and network.d == 2
        and network.b is None
        and network.activation == RELU
        and descent.smoothing is None
        and (isinstance(data, Population) or (isinstance(data, Sample) and data.batch is None))
    )


@record(numbers=("descent",))
class PlanarDescent:
    """A full-batch descent in the plane, computed from points sorted by angle."""

    descent: Descent

    def bind(self, law: Distribution, network: Network) -> "PlanarDescent":
        """Return a copy with the law and the network filled in."""
        return PlanarDescent(descent=self.descent.bind(law, network))

    def __post_init__(self) -> None:
        require(
            self.descent.network is None or in_plane(self.descent),
            "PlanarDescent(descent)",
            "full-batch descent of ReLU neurons without biases, d = 2",
            f"d = {getattr(self.descent.network, 'd', None)}, "
            f"{type(self.descent.data).__name__} data",
            "Use simulation='plain'.",
        )

    @property
    def steps(self) -> Any:
        """The number of steps of the descent; it is traced inside the loop."""
        return self.descent.steps

    def fixed(self, *, key: Key[Array, ""]) -> Circle:
        """Return the points of the descent, sorted by angle."""
        points = self.descent.points(key=key)
        assert points is not None
        return circle(points)

    def start(self, params: Params, fixed: Circle) -> State:
        """Return the state before the first step, as in the descent itself."""
        return self.descent.start(params, fixed.points)

    def step(self, state: State, t: Time, fixed: Circle, *, key: Key[Array, ""]) -> State:
        """Return the state after one step of the descent."""
        network = self.descent.network
        assert isinstance(network, TwoLayer)
        slopes = planar_gradient(
            network,
            self.descent.loss,
            state.params,
            fixed,
            class_weights=self.descent.class_weights,
        )
        return self.descent.update(state, slopes, t)

    def params(self, state: State, fixed: Circle) -> Params:
        """Return the parameters in a state."""
        params: Params = state.params
        return params

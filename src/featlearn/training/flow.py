r"""The dimension-free limit of SGD on a Boolean target, as d, the width and 1/eta grow.

    a   second layer      u   (k,) weights on the bits      s   norm of the other weights
    b   bias              G ~ N(0, 1), what the other inputs add, per unit of s

A neuron is a point (a, u, s) of R^(k+2), plus b; the network is a probability law rho of
neurons:

    f(z)  = E_rho[ a E_G s(u.z + b + s G) ],
    da/dt = E_z[(h - f) E_G s(.)],            du/dt = a E_z[(h - f) z E_G s'(.)],
    ds/dt = a E_z[(h - f) E_G s'(.) G],       db/dt = a E_z[(h - f) E_G s'(.)].

Time is eta times the number of steps, in the mean-field scaling with the loss (f - y)^2/2.
The expectation over z is a sum over the 2^k corners of the cube; the one over G is a closed form
or Gauss-Hermite quadrature (`noise_average`). In the limit u starts at 0; for a finite network
the flow starts at the network's own neurons (`neurons_of`).

rho is represented by weighted neurons. Where only a is random at the start, `spread_evenly`
puts them on the nodes of Gauss-Legendre quadrature: this is the flow of the whole law, without
sampling error.

The flow is solved by SciPy's DOP853 (explicit Runge-Kutta of order 8 with error control),
with the right-hand side compiled by JAX in float64. LOG.md compares it with diffrax.

References:
    Abbe, Boix-Adserà & Misiakiewicz (2022), arXiv:2202.08658, the dimension-free dynamics.
"""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float
from scipy.integrate import solve_ivp

from featlearn._check import InputError, require, require_one_of
from featlearn.distributions import Boolean, Target
from featlearn.distributions.target import corners
from featlearn.networks import Activation, Params
from featlearn.training.noise_average import averages

PARTS = ("w", "a", "b")
NODES = 20
"""The number of nodes of Gauss-Hermite quadrature."""


@dataclass(frozen=True, kw_only=True)
class Neurons:
    """A law of neurons: the coordinates a, u, s, b of each neuron, and its weight."""

    a: Float[np.ndarray, " neurons"]
    u: Float[np.ndarray, "neurons k"]
    s: Float[np.ndarray, " neurons"]
    b: Float[np.ndarray, " neurons"]
    weight: Float[np.ndarray, " neurons"]
    """The weights of the neurons, with sum 1; those of a network are 1/width."""

    def at_infinity(self) -> "Neurons":
        """Return the start in the limit of infinite d: u = 0, and s is the norm of all weights."""
        length = np.sqrt(self.s**2 + (self.u**2).sum(axis=1))
        return dataclasses.replace(self, u=np.zeros_like(self.u), s=length)


@dataclass(frozen=True, kw_only=True)
class FlowPath:
    """The solution of the flow: the coordinates of every neuron at the requested times."""

    target: Target
    activation: Activation
    times: Float[np.ndarray, " times"]
    a: Float[np.ndarray, "times neurons"]
    u: Float[np.ndarray, "times neurons k"]
    s: Float[np.ndarray, "times neurons"]
    b: Float[np.ndarray, "times neurons"]
    weight: Float[np.ndarray, " neurons"]

    @functools.cached_property
    def output(self) -> Float[np.ndarray, "times corners"]:
        """The output f at every corner of the cube of bits, at every time."""
        with jax.enable_x64(True):
            places = tuple(map(jnp.asarray, (self.a, self.u, self.s, self.b)))
            return np.asarray(_outputs(self.activation, places, jnp.asarray(self.weight)))

    @property
    def error(self) -> Float[np.ndarray, " times"]:
        """The squared error E_z (h - f)^2: the mean over all corners z of the cube of bits."""
        return np.mean((self.target.table - self.output) ** 2, axis=1)

    @property
    def found(self) -> Float[np.ndarray, "times k"]:
        """The root mean square over neurons of u_i, for each bit i: how far the bit is learnt."""
        return np.sqrt(np.einsum("tni,n->ti", self.u**2, self.weight))


def neurons_of(law: Boolean, params: Params) -> Neurons:
    """Return the neurons of a network in the coordinates a, u, s, b of the flow."""
    w = np.asarray(params.w, float)
    directions = np.asarray(law.directions, float)
    u = w @ directions.T
    rest = w - u @ directions
    b = np.zeros(len(w)) if params.b is None else np.asarray(params.b, float)
    return Neurons(
        a=np.asarray(params.a, float),
        u=u,
        s=np.linalg.norm(rest, axis=1),
        b=b,
        weight=np.full(len(w), 1 / len(w)),
    )


def spread_evenly(
    k: int, *, bound: float = 1.0, s: float = 0.0, b: float = 0.0, neurons: int = 48
) -> Neurons:
    """Return neurons with u = 0 and a uniform on [-bound, bound], at Gauss-Legendre nodes.

    They represent the whole law rho, without sampling error.
    """
    at, weight = np.polynomial.legendre.leggauss(neurons)
    same = np.ones(neurons)
    return Neurons(
        a=bound * at, u=np.zeros((neurons, k)), s=s * same, b=b * same, weight=weight / 2
    )


def solve_flow(
    target: Target,
    activation: Activation,
    start: Neurons,
    times: Sequence[float] | Float[np.ndarray, " times"],
    *,
    trained: Sequence[str] = PARTS,
    projection: Float[np.ndarray, "k k"] | None = None,
    tolerance: float = 1e-8,
    smallest: float = 1e-12,
) -> FlowPath:
    """Solve the flow from the neurons `start`; return its path at these times.

    Args:
        target: h, of Boolean bits.
        activation: of every neuron.
        start: the neurons at time 0.
        times: ascending, from 0 on.
        trained: which of w (u and s together), a and b move.
        projection: u moves inside its range alone: `law.ties.projection(k)` keeps a symmetry that
            rounding would break.
        tolerance: relative error of a step of the solver.
        smallest: absolute error; what is below counts as 0.

    Example:
        >>> from featlearn.distributions import target_of
        >>> from featlearn.networks import activation
        >>> h = target_of("x1")
        >>> start = spread_evenly(1, neurons=8)
        >>> path = solve_flow(h, activation(jnp.tanh), start, [0.0, 40.0])
        >>> [round(float(e), 2) for e in path.error]
        [1.0, 0.0]
    """
    where = "solve_flow"
    require(not target.gaussian, where, "a target of Boolean bits", "Gaussian ones")
    require(start.u.shape[1] == target.k, where, f"u of {target.k} bits", start.u.shape[1])
    at = np.asarray(times, float)
    ascending = len(at) > 0 and at[0] >= 0 and bool(np.all(np.diff(at) > 0))
    require(ascending, where, "ascending times from 0 on", list(at[:5]))
    for part in trained:
        require_one_of(part, PARTS, "solve_flow(trained)")
    n, k = start.u.shape
    with jax.enable_x64(True):
        slope = _Slope(target, activation, start.weight, tuple(trained), projection)
        begin = np.concatenate([start.a, start.s, start.b, start.u.ravel()])
        span = (0.0, max(float(at[-1]), 1e-300))
        solved = solve_ivp(slope, span, begin, "DOP853", t_eval=at, rtol=tolerance, atol=smallest)
    if not solved.success:
        raise InputError(where, "a flow that can be followed", str(solved.message))
    y = solved.y.T
    a, s, b, u = np.split(y, [n, 2 * n, 3 * n], axis=1)
    return FlowPath(
        target=target,
        activation=activation,
        times=at,
        a=a,
        u=u.reshape(-1, n, k),
        s=s,
        b=b,
        weight=start.weight,
    )


def mean_output(
    activation: Activation,
    a: Float[np.ndarray, " neurons"],
    u: Float[np.ndarray, "neurons k"],
    s: Float[np.ndarray, " neurons"],
    b: Float[np.ndarray, " neurons"],
    weight: Float[np.ndarray, " neurons"],
) -> Float[np.ndarray, " corners"]:
    """Return E_G f at every corner of the cube.

    This is a network's output averaged over Gaussian noise in the inputs that are not bits.
    """
    with jax.enable_x64(True):
        place = tuple(jnp.asarray(part)[None] for part in (a, u, s, b))
        return np.asarray(_outputs(activation, place, jnp.asarray(weight))[0])


@functools.partial(jax.jit, static_argnums=0)
def _outputs(
    activation: Activation, places: tuple[Array, Array, Array, Array], weight: Array
) -> Float[Array, "times corners"]:
    """Return E_G f at every corner of the cube; the times are computed one after another."""
    z = jnp.asarray(corners(places[1].shape[2]))

    def output(place: tuple[Array, Array, Array, Array]) -> Array:
        a, u, s, b = place
        c = z @ u.T + b
        at = averages(activation, c, jnp.broadcast_to(s, c.shape), nodes=NODES)
        return at.value @ (weight * a)

    found: Array = jax.lax.map(output, places)
    return found


class _Slope:
    """The right-hand side of the flow's differential equation, compiled by JAX."""

    def __init__(
        self,
        target: Target,
        activation: Activation,
        weight: Float[np.ndarray, " neurons"],
        trained: tuple[str, ...],
        projection: Float[np.ndarray, "k k"] | None,
    ) -> None:
        h, z, rho = (jnp.asarray(v) for v in (target.table, corners(target.k), weight))
        n, k = len(weight), target.k
        P = None if projection is None else jnp.asarray(projection)

        def slope(y: Array) -> Array:
            a, s, b, flat = jnp.split(y, [n, 2 * n, 3 * n])
            u = flat.reshape(n, k)
            at = averages(activation, z @ u.T + b, jnp.broadcast_to(s, (len(z), n)), nodes=NODES)
            residual = (h - at.value @ (rho * a)) / len(z)
            du = a[:, None] * ((residual[:, None] * at.slope).T @ z)
            du = du if P is None else du @ P
            ds, db = a * (residual @ at.along), a * (residual @ at.slope)
            w, a_, b_ = (float(part in trained) for part in PARTS)
            return jnp.concatenate([a_ * (residual @ at.value), w * ds, b_ * db, w * du.ravel()])

        self._slope: Callable[[np.ndarray], Array] = jax.jit(slope)

    def __call__(self, t: float, y: Float[np.ndarray, " places"]) -> np.ndarray:
        return np.asarray(self._slope(y))

r"""The exact population gradient of one neuron on a Boolean target, by enumeration of the bits.

    w   (d,) a neuron, b its bias          z   the k bits          s = sum_{i not in A} w_i xi_i

    E[y s'(w.x + b) x_i],   E[y s'(w.x + b)],   E[y s(w.x + b)]

are minus the gradients of the loss -y f, hence of every loss with l'(0, y) = -y at f = 0, per unit
of a_j and scale. The 2^k corners z are enumerated; c_z = w_A.z + b. What is left is the law of s:

Boolean noise   for a hinge relu(. - kappa) of the activation, t = kappa - c_z,

                    E 1(s > t) = 1 - F(t),   E s 1(s > t),   and for xi_i
                    E xi_i 1(s > t) = sign(w_i)/2 P(|X_i - t| <= |w_i|),     X_i = s without xi_i,

                from `featlearn.distributions.rademacher`, an atom on the kink counting one half.
Gaussian noise  s ~ N(0, sigma^2), sigma = |w outside A|: see `noise_average`;
                E xi_i s'(c + s) = (w_i/sigma) E G s'(c + sigma G).
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.distributions import Boolean
from featlearn.distributions.rademacher import (
    absolute_between,
    interval_probability,
    leave_one_out_window,
)
from featlearn.distributions.target import corners
from featlearn.networks import Activation
from featlearn.training.noise_average import averages

NODES = 256
"""The number of Gauss-Hermite nodes, for activations that are not piecewise linear."""


@dataclass(frozen=True, kw_only=True)
class NeuronGradient:
    """The expectations w = E[y s' x], b = E[y s'] and a = E[y s] of one neuron."""

    w: Float[np.ndarray, " inputs"]
    b: float
    a: float


def neuron_gradient(
    law: Boolean, activation: Activation, w: Float[np.ndarray, " inputs"], b: float = 0.0
) -> NeuronGradient:
    """Return the exact correlations of the label with s, s' and s' x, for one neuron.

    Args:
        law: Boolean bits in the standard basis; noise Boolean (then the activation is piecewise
            linear) or Gaussian.
        activation: of the neuron.
        w: its weights.
        b: its bias.

    Example:
        >>> from featlearn.networks import RELU
        >>> law = Boolean(d=3, target="x1*x2")
        >>> neuron_gradient(law, RELU, np.array([1.0, 1.0, 1.0])).w
        array([ 0.25,  0.25, -0.25])
    """
    where = "neuron_gradient"
    require(law.signal == "boolean", where, "Boolean bits", law.signal)
    require(law.basis is None, where, "the standard basis", "another one")
    require(len(w) == law.d, where, f"{law.d} weights", len(w))
    A = np.array(law.A)
    z = corners(law.k)
    rest = np.delete(np.asarray(w, float), A)
    c = z @ np.asarray(w, float)[A] + b
    y = law.mean_label.table / len(z)
    if law.noise == "boolean":
        slope, along, value = _boolean(activation, rest, c)
    else:
        slope, along, value = _gaussian(activation, rest, c)
    g = np.empty(law.d)
    g[A] = z.T @ (y * slope)
    g[np.delete(np.arange(law.d), A)] = y @ along
    return NeuronGradient(w=g, b=float(y @ slope), a=float(y @ value))


def _boolean(
    activation: Activation, rest: Float[np.ndarray, " n"], c: Float[np.ndarray, " corners"]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return E s'(c + s), E xi_i s'(c + s), E s(c + s) at every c, s being a sum of signs."""
    require(
        bool(activation.hinges),
        "neuron_gradient(activation)",
        "a piecewise-linear activation for Boolean noise",
        activation.name,
        "Take Gaussian noise.",
    )
    slope, value = np.zeros(len(c)), np.zeros(len(c))
    along = np.zeros((len(c), len(rest)))
    most = float(np.abs(rest).sum()) * (1 + 1e-9) + 1e-300
    for weight, kink in activation.hinges:
        t = np.clip(kink - c, -most, most)
        above = interval_probability(rest, t, np.full(len(t), np.inf))
        # The law of s is even: E s 1(s > t) = E |s| 1(|s| > |t|) / 2.
        tail = absolute_between(rest, np.abs(t), np.full(len(t), most)) / 2
        slope += weight * above
        value += weight * (tail + (c - kink) * above)
        along += weight * np.sign(rest) / 2 * leave_one_out_window(rest, t)
    return slope, along, value


def _gaussian(
    activation: Activation, rest: Float[np.ndarray, " n"], c: Float[np.ndarray, " corners"]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return E s'(c + s), E xi_i s'(c + s) and E s(c + s) at every c, where s ~ N(0, sigma^2)."""
    sigma = float(np.linalg.norm(rest))
    direction = rest / sigma if sigma > 0 else rest
    with jax.enable_x64(True):
        at = averages(activation, jnp.asarray(c), jnp.full(len(c), sigma), nodes=NODES)
        value, slope, along = map(np.asarray, at)
    return slope, along[:, None] * direction, value

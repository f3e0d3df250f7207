r"""The first gradient step on a leaky parity, over the whole population, exactly.

    w in {-1,0,1}^d   a neuron       J   its non-zero weights outside A       s = sum_A w_j
    z = w.x + b,   x = scale * u,    l'(0, y) = -y   (hinge, at an output of 0)

At a mirrored start f = 0, so every gradient is a correlation with the label y:

    -dL/dw_j = a E[x_j y s'(z)],     -dL/db = a E[y s'(z)],     -dL/da = E[y s(z)].

The activation is a sum of hinges, z = scale * (sum of signs) + b, and conditional on the bits
of A the rest of z is a sum of |J| fair signs. With v_j = w_j u_j and P = prod_A w_j the
expectations are those of `featlearn.distributions.alternating_binomial`, for each hinge c relu(z
- kappa), with theta = (kappa - b)/scale:

                    D1 (uniform)                      D2 (leaky, y the common bit)
    E[y s']         P step(k, |J|)                    sum over |s| unit flips of step(1, |J|)
    E[v_j y s']     P step(k + 1, |J| - 1)            the same of step(2, |J| - 1)      j in J
    E[u_j y s']     P/w_j step(k - 1, |J| + |w_j|)    P(S > theta -+ s), averaged       j in A
    E[y s]          P scale ramp(k, |J|)              the same of scale ramp(1, |J|)

All coordinates in J share one number up to sign, coordinates outside A with w_j = 0 have
gradient 0, and a zero among the w_j of A makes the D1 column 0 (except for the gradient of that
w_j). So d = 10^6 costs what d = 10 does, apart from writing the weights down. See Daniely &
Malach (2020), section 4.1.
"""

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Bool, Float, Int, Key

from featlearn._check import require
from featlearn._record import bound, record
from featlearn.distributions import Distribution, LeakyParity
from featlearn.distributions.alternating_binomial import (
    alternating_ramp,
    alternating_step,
    flipped_difference,
)
from featlearn.networks import Activation, Params, Ternary, TwoLayer
from featlearn.training.data import Time
from featlearn.training.decay import DecoupledDecay
from featlearn.training.gradient import Network
from featlearn.training.rules import Plain


@record(numbers=("relevant", "irrelevant", "bias", "output"))
class LabelCorrelations:
    """The correlations of the label with each neuron's inputs; one row per neuron, float64."""

    relevant: Float[np.ndarray, "neurons k"]
    """E[u_j y s'(z)] for j in A."""
    irrelevant: Float[np.ndarray, " neurons"]
    """E[w_j u_j y s'(z)], the same for every j outside A with w_j not 0."""
    bias: Float[np.ndarray, " neurons"]
    """E[y s'(z)]."""
    output: Float[np.ndarray, " neurons"]
    """E[y s(z)]."""


def parity_correlations(
    distribution: LeakyParity,
    activation: Activation,
    relevant: Int[np.ndarray, "neurons k"],
    others: Int[np.ndarray, " neurons"],
    b: Float[np.ndarray, " neurons"],
) -> LabelCorrelations:
    """Return the four correlations of each neuron exactly, for weights in {-1, 0, 1}.

    Args:
        distribution: D_A or one of its halves; its d only sets the scale of x.
        activation: piecewise linear.
        relevant: w_j for j in A.
        others: |J|, how many weights outside A are not 0.
        b: the biases.

    Example:
        >>> from featlearn.networks import RELU6
        >>> neuron = np.array([[1, -1, 0]]), np.array([60]), np.array([1 / 24])
        >>> found = parity_correlations(LeakyParity(d=100, k=3), RELU6, *neuron)
        >>> found.bias, found.irrelevant  # sum_A w = 0 and a zero in A: nothing, exactly
        (array([0.]), array([0.]))
        >>> found.relevant.round(4)
        array([[0.2756, 0.2756, 0.2761]])
    """
    require(
        bool(activation.hinges),
        "parity_correlations(activation)",
        "a piecewise-linear activation",
        activation.name,
    )
    uniform, leaky = {"mixture": (0.5, 0.5), "uniform": (1.0, 0.0), "leaky": (0.0, 1.0)}[
        distribution.half
    ]
    total = LabelCorrelations(
        relevant=np.zeros(relevant.shape),
        irrelevant=np.zeros(len(b)),
        bias=np.zeros(len(b)),
        output=np.zeros(len(b)),
    )
    scale = float(distribution.size)
    for c, kink in activation.hinges:
        theta = (kink - b) / scale
        for share, of in ((uniform, _on_uniform), (leaky, _on_leaky)):
            if share:
                found = of(relevant, others, theta, scale, c > 0)
                total = jax.tree.map(lambda t, f, w=share * c: t + w * f, total, found)
    return total


def _on_uniform(
    w: Int[np.ndarray, "neurons k"],
    N: Int[np.ndarray, " neurons"],
    theta: Float[np.ndarray, " neurons"],
    scale: float,
    strict: bool,
) -> LabelCorrelations:
    k = w.shape[1]
    P = np.prod(w, axis=1)

    def step(
        K: int, M: Int[np.ndarray, " some"], at: Float[np.ndarray, " some"]
    ) -> Float[np.ndarray, " some"]:
        return alternating_step(K, M, at, strict=strict)

    relevant = np.zeros(w.shape)
    for j in range(k):
        without, M = np.prod(np.delete(w, j, axis=1), axis=1), N + np.abs(w[:, j])
        relevant[:, j] = _times(without, lambda i, M=M: step(k - 1, M[i], theta[i]))  # type: ignore[misc]
    return LabelCorrelations(
        relevant=relevant,
        irrelevant=_times(P * (N > 0), lambda i: step(k + 1, N[i] - 1, theta[i])),
        bias=_times(P, lambda i: step(k, N[i], theta[i])),
        output=_times(P, lambda i: scale * alternating_ramp(k, N[i], theta[i])),
    )


def _times(
    P: Int[np.ndarray, " neurons"],
    of: Callable[[Bool[np.ndarray, " neurons"]], Float[np.ndarray, " some"]],
) -> Float[np.ndarray, " neurons"]:
    """Return P times of(neurons where P is not 0), and 0 for the other neurons."""
    product = np.zeros(len(P))
    some = P != 0
    product[some] = P[some] * of(some)
    return product


def _on_leaky(
    w: Int[np.ndarray, "neurons k"],
    N: Int[np.ndarray, " neurons"],
    theta: Float[np.ndarray, " neurons"],
    scale: float,
    strict: bool,
) -> LabelCorrelations:
    s, k = w.sum(axis=1), w.shape[1]

    def step(K: int, trials: Int[np.ndarray, " neurons"]) -> Float[np.ndarray, " neurons"]:
        return flipped_difference(
            lambda at: alternating_step(K, trials, at, strict=strict), s, theta
        )

    ahead, behind = (alternating_step(0, N, theta + flip * s, strict=strict) for flip in (-1, 1))
    return LabelCorrelations(
        relevant=np.repeat(((ahead + behind) / 2)[:, None], k, axis=1),
        irrelevant=np.where(N > 0, step(2, np.maximum(N - 1, 0)), 0.0),
        bias=step(1, N),
        output=scale * flipped_difference(lambda at: alternating_ramp(1, N, at), s, theta),
    )


def _in_float32(
    distribution: LeakyParity,
    activation: Activation,
    w: Array,
    others: Array,
    b: Array,
) -> dict[str, np.ndarray]:
    """Return the correlations in float32, for use inside a compiled step."""
    found = parity_correlations(
        distribution,
        activation,
        np.asarray(w, dtype=np.int64),
        np.asarray(others, dtype=np.int64),
        np.asarray(b, dtype=float),
    )
    return {name: value.astype(np.float32) for name, value in vars(found).items()}


@record(numbers=("law", "network", "rule", "decay", "kept"))
class ParityStep:
    """A phase of one step: the exact population gradient at a mirrored ternary start."""

    rule: Plain = Plain(eta=1.0)
    """Plain descent with its step size."""
    decay: DecoupledDecay | None = None
    """Weight decay; None: there is none."""
    law: LeakyParity | None = None
    network: TwoLayer | None = None
    kept: dict[str, float] | None = None
    """Part -> the factor 1 - 2 eta lambda of its decay; `bind` fills it in."""

    def bind(self, law: Distribution, network: Network) -> "ParityStep":
        """Return a copy of this step with law and network filled in, where they were None."""
        law = law if self.law is None else self.law
        network = network if self.network is None else self.network
        known = isinstance(law, LeakyParity) and isinstance(network, TwoLayer)
        got = f"{type(law).__name__} and {type(network).__name__}"
        require(known, "ParityStep", "a LeakyParity law and a TwoLayer network", got)
        assert isinstance(law, LeakyParity)
        assert isinstance(network, TwoLayer)
        require(
            network.pairing == "mirrored" and isinstance(network.w, Ternary),
            "ParityStep(network)",
            "a mirrored network with weights in {-1, 0, 1}, whose output starts at 0",
            f"pairing={network.pairing!r}, w={type(network.w).__name__}",
            "Take a first step on a large fresh batch instead.",
        )
        require(network.b is not None, "ParityStep(network)", "a network with biases", "none")
        require(
            law.scale is None,
            "ParityStep(law)",
            "entries of x of size 1/sqrt(d)",
            f"scale={law.scale}",
        )
        kept = self.decay.factors(self.rule, network.trained) if self.decay else self.kept
        return dataclasses.replace(self, law=law, network=network, kept=kept)

    @property
    def loss(self) -> None:
        """None: the step is the same for every loss with l'(0, y) = -y, so it has no loss."""

    @property
    def steps(self) -> int:
        """The number of steps, which is 1."""
        return 1

    def fixed(self, *, key: Key[Array, ""]) -> None:
        """Return None: no data are drawn, because the step is exact."""

    def start(self, params: Params, fixed: None) -> Params:
        """Return the parameters, which are the state."""
        return params

    def params(self, state: Params, fixed: None) -> Params:
        """Return the state, which is the parameters."""
        return state

    def step(self, state: Params, t: Time, fixed: None, *, key: Key[Array, ""]) -> Params:
        """Return the parameters after the step."""
        own, network = bound(self.law, "ParityStep", "a law"), self.network
        network = bound(network, "ParityStep", "a network")
        A = jnp.array(own.A)
        on_A = state.w[:, A]
        others = (state.w != 0).sum(axis=1) - (on_A != 0).sum(axis=1)
        p, k = on_A.shape
        per_neuron = jax.ShapeDtypeStruct((p,), jnp.float32)
        shapes = dict.fromkeys(("irrelevant", "bias", "output"), per_neuron)
        shapes["relevant"] = jax.ShapeDtypeStruct((p, k), jnp.float32)
        law = LeakyParity(d=own.d, k=k, half=own.half)
        found: dict[str, Array] = jax.pure_callback(
            lambda *arrays: _in_float32(law, network.activation, *arrays),
            shapes,
            on_A,
            others,
            state.b,
        )
        kept = {"w": 1.0, "a": 1.0, "b": 1.0, **(self.kept or {})}
        pull = self.rule.eta * network.scale * state.a
        x = pull * own.size
        w = (kept["w"] + x * found["irrelevant"])[:, None] * state.w
        w = w.at[:, A].set(kept["w"] * on_A + x[:, None] * found["relevant"])
        assert state.b is not None
        return Params(
            w=w,
            a=kept["a"] * state.a + self.rule.eta * network.scale * found["output"],
            b=kept["b"] * state.b + pull * found["bias"],
        )

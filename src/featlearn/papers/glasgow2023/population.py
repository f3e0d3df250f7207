r"""Networks small enough that every expectation over x is a sum over all 2^d points.

    p   neurons   L   the loss   L0   the loss linearised at f = 0   grad^cl   clean gradient

`networks` gives a seed's networks along training (from the start to the end of phase 2) and some of
a single neuron, on which inequalities are tightest; `heavy_networks` builds networks that are
signal-heavy by the letter of Definition 4.2, which no finite run is. Gradients are the paper's: the
derivative of the loss times p, so a neuron's does not depend on how many others there are.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Bool, Float, Key

from featlearn._check import require, require_positive
from featlearn._streams import generator
from featlearn.distributions import Batch, Parity
from featlearn.experiments.lab import Lab
from featlearn.measurements import clean_gradient, smallest_zeta
from featlearn.measurements.signal import Parts
from featlearn.networks import Constant, Params, TwoLayer
from featlearn.papers.glasgow2023.hypotheses import H_BUILT
from featlearn.papers.glasgow2023.watched import XorRun
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.training import Weights, gradient, loss

REFERENCES = ("glasgow2023",)
MU = np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
LABELS = np.array([1.0, 1.0, -1.0, -1.0])
"""The centres +mu1, -mu1, +mu2, -mu2 in their two coordinates, and their labels."""
ALONG, BUILT = 5, 3
"""Independent instances a seed: a training and four single neurons; signal-heavy networks."""


@dataclass(frozen=True, kw_only=True)
class Small(XorRun):
    """Networks whose population is enumerated; every seed trains one and looks along the way."""

    d: int = 12
    """Input dimension, at most 16."""
    width: int = 60
    batch_ratio: float = 8.0
    steps: int = 120
    """Steps of training, long enough to pass through both phases."""

    def __post_init__(self) -> None:
        require(4 <= self.d <= 16, "d", "from 4 to 16, where all points are written down", self.d)
        require(self.width >= 4, "width", "at least 4 neurons", self.width)
        require_positive(self.theta, "theta")
        require_positive(self.eta, "eta")
        require_positive(self.batch_ratio, "batch-ratio")
        require(self.steps >= 8, "steps", "at least 8", self.steps)

    def training(self) -> Xor:
        """The experiment that these networks come from."""
        return self.xor(steps=self.steps)


class Slopes(NamedTuple):
    """A gradient in the paper's units."""

    w: Float[np.ndarray, "neurons inputs"]
    a: Float[np.ndarray, " neurons"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Net:
    """A network in float64, in the standard basis, with all that the lemmas speak of."""

    w: Float[np.ndarray, "neurons inputs"]
    a: Float[np.ndarray, " neurons"]

    @property
    def d(self) -> int:
        """Input dimension."""
        return self.w.shape[1]

    @functools.cached_property
    def parts(self) -> Float[np.ndarray, "3 neurons inputs"]:
        """w_sig, w_opp and w_perp as vectors; w is their sum."""
        on1, on2, rest = np.zeros((3, *self.w.shape))
        on1[:, :2] = (self.w[:, :1] - self.w[:, 1:2]) / 2 * np.array([1, -1])
        on2[:, :2] = (self.w[:, :1] + self.w[:, 1:2]) / 2
        rest[:, 2:] = self.w[:, 2:]
        first = (self.a >= 0)[:, None]
        return np.stack([np.where(first, on1, on2), np.where(first, on2, on1), rest])

    @property
    def signal(self) -> Float[np.ndarray, " neurons"]:
        """||w_sig||."""
        return np.linalg.norm(self.parts[0], axis=1)

    @property
    def opposite(self) -> Float[np.ndarray, " neurons"]:
        """||w_opp||."""
        return np.linalg.norm(self.parts[1], axis=1)

    @property
    def orthogonal(self) -> Float[np.ndarray, " neurons"]:
        """||w_perp||."""
        return np.linalg.norm(self.parts[2], axis=1)

    @property
    def norm(self) -> Float[np.ndarray, " neurons"]:
        """||w||."""
        return np.linalg.norm(self.w, axis=1)

    @property
    def mean_aw(self) -> float:
        """H_rho = E||a w|| over the neurons."""
        return float(np.mean(np.abs(self.a) * self.norm))

    @property
    def gamma(self) -> Float[np.ndarray, " clusters"]:
        """gamma_mu = y(mu) f(mu)."""
        features = np.maximum(MU @ self.w[:, :2].T, 0)
        return LABELS * (features @ self.a) / len(self.a)

    @property
    def g(self) -> Float[np.ndarray, " clusters"]:
        """g_mu = |l'(mu)| = 2/(1 + exp(gamma_mu))."""
        return 2 / (1 + np.exp(self.gamma))

    @property
    def cluster(self) -> Bool[np.ndarray, "clusters neurons"]:
        """Which mu each neuron serves: w_sig.mu > 0."""
        return (MU @ self.parts[0][:, :2].T) > 0

    def heavy(self, zeta: float, H: float) -> Bool[np.ndarray, " neurons"]:
        """The set S of definition 4.2."""
        return np.exp(6 * H) * self.orthogonal + self.opposite <= zeta * self.signal

    def zeta(self, H: float) -> float:
        """The smallest zeta of definition 4.2."""
        with jax.enable_x64(True):
            along = (self.w[:, :2] @ MU[[0, 2]].T) / math.sqrt(2)
            parts = Parts(
                along_mu1=jnp.asarray(along[:, 0]),
                along_mu2=jnp.asarray(along[:, 1]),
                signal=jnp.asarray(self.signal),
                opposite=jnp.asarray(self.opposite),
                orthogonal=jnp.asarray(self.orthogonal),
            )
            return float(_zeta(parts, jnp.asarray(self.a), H))

    def heavy_margin(self, heavy: Bool[np.ndarray, " neurons"]) -> Float[np.ndarray, " clusters"]:
        """gamma~_mu = sqrt2 E[1(w in S_mu) |a| ||w_sig||]."""
        return math.sqrt(2) * np.mean(self.cluster * heavy * np.abs(self.a) * self.signal, axis=1)

    @functools.cached_property
    def slopes(self) -> dict[str, Slopes]:
        """The population gradients "loss", "linear" (of L0) and "clean", by enumeration."""
        with jax.enable_x64(True):
            found = _slopes(self.network, self.params, _cube(self.d))
            return {name: Slopes(*(np.asarray(v) for v in both)) for name, both in found.items()}

    def step(self, eta: float, batch: Batch) -> tuple["Net", Slopes]:
        """The network after one step of SGD on `batch`, and the gradient that it took."""
        with jax.enable_x64(True):
            wide = jax.tree.map(lambda leaf: leaf.astype(float), batch)
            g = _batch_slopes(self.network, self.params, wide)
            taken = Slopes(w=np.asarray(g.w), a=np.asarray(g.a))
        return Net(w=self.w - eta * taken.w, a=self.a - eta * taken.a), taken

    @property
    def network(self) -> TwoLayer:
        """The description that the engine reads."""
        zero = Constant(value=0.0)
        return TwoLayer(d=self.d, width=len(self.a), w=zero, a=zero, scaling="mean-field")

    @property
    def params(self) -> Params:
        """The weights as the engine reads them; float64 inside `enable_x64`."""
        return Params(w=jnp.asarray(self.w), a=jnp.asarray(self.a))


_zeta = jax.jit(smallest_zeta)


@functools.lru_cache(maxsize=4)
def _cube(d: int) -> Batch:
    with jax.enable_x64(True):
        return Parity(d=d).support()


@jax.jit
def _slopes(network: TwoLayer, params: Params, cube: Batch) -> dict[str, tuple[jax.Array, ...]]:
    own, linear = (
        gradient(network, loss(name), params, cube) for name in ("doubled-logistic", "linear")
    )
    xor = Parity(d=network.d)
    clean = clean_gradient(network, loss("doubled-logistic"), params, cube, xor)
    named = {"loss": own, "linear": linear, "clean": clean}
    return {name: (network.rate * g.w, network.rate * g.a) for name, g in named.items()}


@jax.jit
def _batch_slopes(network: TwoLayer, params: Params, batch: Batch) -> Params:
    g = gradient(network, loss("doubled-logistic"), params, batch)
    return Params(w=network.rate * g.w, a=network.rate * g.a)


def networks(config: Small, seed: int) -> tuple[Net, ...]:
    """The network of a seed at six times, and single neurons, large and small, near and far."""
    at = tuple(round(config.steps * share) for share in (0, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 1))
    experiment = config.training().experiment().replace(record=(Weights(),), at=at, summary=())
    found = [
        Net(w=record["weights_w"].astype(float), a=record["weights_a"].astype(float))
        for position in experiment.plan.train(seed=seed)
        for record in position.records.values()
    ]
    rng = generator(seed, "single neurons")
    for size in (0.05, 0.3, 1.0, 2.0):
        w = rng.normal(size=(1, config.d))
        w[:, :2] *= rng.choice([1.0, 5.0])
        w *= size / np.linalg.norm(w)
        found.append(Net(w=w, a=rng.choice([-1.0, 1.0], 1) * size * rng.uniform(0.5, 1)))
    return tuple(found)


def heavy_networks(config: Small, seed: int) -> tuple["Heavy", ...]:
    """Three networks that meet definition 4.2 as printed, H = 1.01 and zeta = exp(-10H)/2."""
    rng = generator(seed, "heavy networks")
    return tuple(_heavy(config, rng) for _ in range(3))


@dataclass(frozen=True, kw_only=True)
class Heavy:
    """A signal-heavy network with its two parameters."""

    net: Net
    zeta: float
    H: float

    @property
    def S(self) -> Bool[np.ndarray, " neurons"]:
        """Its heavy neurons."""
        return self.net.heavy(self.zeta, self.H)


def _heavy(config: Small, rng: np.random.Generator) -> Heavy:
    H, p, d = H_BUILT, config.width, config.d
    zeta = math.exp(-10 * H) / 2
    mu = np.arange(p) % 4
    light = np.arange(p) >= p - 2
    signal = rng.uniform(0.6, 1.3, 4)[mu] * rng.uniform(0.9, 1.1, p)
    share, budget = rng.uniform(0.02, 0.98, p), rng.uniform(0.3, 0.99, p) * zeta * signal
    share[::6] = 1  # no opposite part at all
    rest = rng.normal(size=(p, d - 2))
    rest[::3] = 0
    rest[::3, :2] = 1  # two equal coordinates: where the bound on w_perp is tight
    rest *= (share * budget * math.exp(-6 * H) / np.linalg.norm(rest, axis=1))[:, None]
    other = (
        MU[(mu + 2) % 4] * ((1 - share) * budget * rng.choice([-1, 1], p) / math.sqrt(2))[:, None]
    )
    w = np.concatenate([MU[mu] * signal[:, None] / math.sqrt(2) + other, rest], axis=1)
    wild = rng.normal(size=(2, d))
    w[light] = wild / np.linalg.norm(wild, axis=1, keepdims=True) * math.sqrt(0.02 * p * zeta)
    a = LABELS[mu] * np.linalg.norm(w, axis=1) * np.sqrt(1 - 1e-6 * rng.uniform(size=p))
    return Heavy(net=Net(w=w, a=a), zeta=zeta, H=H)


@functools.partial(jax.jit, static_argnums=(0, 1))
def minibatch(d: int, m: int, key: Key[Array, ""]) -> Batch:
    """A fresh minibatch of XOR."""
    return Parity(d=d).sample(m, key=key)


def worst(
    config: Small,
    lab: Lab,
    of: Callable[[Net], Float[np.ndarray, "..."]],
) -> Float[np.ndarray, " seeds"]:
    """The largest value of `of` over all networks of each seed."""
    every = lab.each_seed(networks, config=config)
    return np.array([max(float(np.max(of(net))) for net in nets) for nets in every])


def worst_heavy(
    config: Small,
    lab: Lab,
    of: Callable[[Heavy], Float[np.ndarray, "..."]],
) -> Float[np.ndarray, " seeds"]:
    """The largest value of `of` over all signal-heavy networks of each seed."""
    every = lab.each_seed(heavy_networks, config=config)
    return np.array([max(float(np.max(of(one))) for one in some) for some in every])

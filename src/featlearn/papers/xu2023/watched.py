r"""One run of the setting, looked at step by step in float64: what the statements need, in numbers.

Everything that a statement asks is computed here from the weights and the sample and kept as a few
numbers a time, so that the work is done once and the statements only compare.

    c_nu, n_nu   clean and flipped points of cluster nu       D_nu,j = d_nu,j - d_-nu,j at the start
    d_nu,j       clean less flipped points of cluster nu that activate neuron j

A neuron is (nu, kappa)-aligned if D_nu,j > n^(1/2-kappa) and max(d_nu,j, d_-nu,j) < min(c_nu,
c_-nu) - 2(n_nu + n_-nu) - sqrt n (equation 4.2; the appendix has two others, with d_-nu,j alone
below A.12 and d_nu,j alone in A.5.2). Lengths are those of the paper but for weights, which are in
units of alpha ||mu||: `projection` is <w, mu>/(alpha ||mu||^2).
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Bool, Float, Int, Key

from featlearn._config import fields
from featlearn._streams import stream
from featlearn.distributions.clusters import Clusters, Draw, DrawsClusters
from featlearn.measurements import (
    certified_exponents,
    expected_margins,
    lipschitz,
    log10_certificate,
    log_pull_ratio,
)
from featlearn.networks import Params
from featlearn.papers.xu2023.setting import GrokkingClusters
from featlearn.training import Weights

OPPOSITE = np.array([1, 0, 3, 2])
"""The place of -nu among +mu1, -mu1, +mu2, -mu2."""
LABELS = np.array([1.0, 1.0, -1.0, -1.0])


@dataclass(frozen=True, kw_only=True)
class Watched:
    """One seed, in numbers."""

    config: GrokkingClusters
    times: Int[np.ndarray, " times"]
    clean: Int[np.ndarray, " clusters"]
    """c_nu."""
    flipped: Int[np.ndarray, " clusters"]
    """n_nu."""
    a: Float[np.ndarray, " neurons"]
    """Signs of the second layer."""
    d: Int[np.ndarray, "clusters neurons"]
    """d_nu,j at the start."""
    projection: Float[np.ndarray, "times 2 neurons"]
    """<w_j, mu1> and <w_j, mu2> over alpha ||mu||^2."""
    train_error: Float[np.ndarray, " times"]
    margins: Float[np.ndarray, "times 2"]
    """Least y f(x) over alpha p/n, of clean and of flipped points."""
    test_error: Float[np.ndarray, "times clusters"]
    """Of fresh points with clean labels, sampled."""
    expected: Float[np.ndarray, "times clusters"]
    """E y f(x) over alpha ||mu||^2, in closed form."""
    log10_certificate: Float[np.ndarray, " times"]
    even_share: Float[np.ndarray, " times"]
    log_pull_ratio: Float[np.ndarray, " times"]
    start: Float[np.ndarray, ""]
    """||W(0)||_F^2/(omega^2 m p)."""
    least_active: int
    """The least number of positive or of negative neurons that a point activates at the start."""
    across: float
    """B1: max_k,nu <x_k - xbar_k, nu>/||mu||."""
    length: float
    """B1: max_k | ||x_k||^2 - p - ||mu||^2 |/sqrt p."""
    product: float
    """B2: max_i,k |<x_i, x_k> - <xbar_i, xbar_k>|/sqrt p."""
    cosine: float
    """Corollary 4.2: max_i,k |cos(x_i, x_k)|."""
    linear: float
    """Equation 4.3: ||f - L||/||L||, L its right-hand side, on fresh points at t = 1."""
    linear_slope: float
    """Equation 4.3: <f, L>/<L, L> on the same points."""

    @property
    def D(self) -> Int[np.ndarray, "clusters neurons"]:
        """D_nu,j at the start."""
        return self.d - self.d[OPPOSITE]

    @property
    def imbalance(self) -> Float[np.ndarray, " clusters"]:
        """E[D_nu,j | X]/sd = (c_nu - n_nu - c_-nu + n_-nu)/2 over sqrt(points of ±nu)/2."""
        net = self.clean - self.flipped
        points = self.clean + self.flipped
        spread = np.sqrt(points + points[OPPOSITE])
        return (net - net[OPPOSITE]) / np.where(spread > 0, spread, 1.0)

    def aligned(self, kappa: float, bounded: str = "both") -> Bool[np.ndarray, "clusters neurons"]:
        """Which neurons are (nu, kappa)-aligned.

        Args:
            kappa: D_nu,j > n^(1/2-kappa).
            bounded: what the second condition bounds: "both" d_nu,j and d_-nu,j (equation 4.2),
                "opposite" d_-nu,j alone (below A.12), "none".
        """
        n = self.config.samples
        first = n ** (0.5 - kappa) < self.D
        least = np.minimum(self.clean, self.clean[OPPOSITE])
        noise = self.flipped + self.flipped[OPPOSITE]
        limit = (least - 2 * noise - math.sqrt(n))[:, None]
        opposite = self.d[OPPOSITE] < limit
        second = {"both": opposite & (self.d < limit), "opposite": opposite, "none": True}
        return first & second[bounded]

    def at(self, t: int) -> int:
        """The place of a time."""
        return int(np.flatnonzero(self.times == t)[0])

    @property
    def missed(self) -> Bool[np.ndarray, "times clusters"]:
        """Whether more than half of a cluster is on the wrong side."""
        return self.test_error > 0.5


def look_at(last: int, most: int = 12) -> tuple[int, ...]:
    """0, 1, 2, 3, … and then about evenly in log t up to `last`.

    Example:
        >>> look_at(31)
        (0, 1, 2, 3, 4, 5, 7, 9, 12, 17, 23, 31)
    """
    later = np.geomspace(1, max(last, 1), most)
    return tuple(sorted({0, *(int(t) for t in np.rint(later)), *range(min(4, last) + 1)}))


def watch(config: GrokkingClusters, seed: int) -> Watched:
    """One seed of a setting, looked at `look_at` its times."""
    return Watched(config=config, **observe(seed=seed, **fields(config)))


def observe(*, seed: int, times: Sequence[int] | None = None, **setting: Any) -> dict[str, Any]:
    """Train one seed in float64 and tell what `Watched` holds, in plain numbers and arrays.

    Args:
        seed: all randomness comes from it.
        times: when to look; those of `look_at` if none.
        setting: the fields of `GrokkingClusters`.
    """
    config = GrokkingClusters(**setting)
    wanted = look_at(config.total_steps) if times is None else tuple(times)
    with jax.enable_x64(True):
        return _observe(config, seed, wanted)


def _observe(config: GrokkingClusters, seed: int, times: tuple[int, ...]) -> dict[str, object]:
    experiment = config.experiment().replace(record=(Weights(),), at=times, summary=())
    unseen = experiment.setting.law
    assert isinstance(unseen, Clusters)
    draw = _drawn(cast(DrawsClusters, experiment.law), config.samples, stream(seed, "sample"))
    test = unseen.draw(config.test, key=stream(seed, "test"))
    X, y = np.asarray(draw.x), np.asarray(draw.y)
    cluster, noisy = np.asarray(draw.cluster), np.asarray(draw.noisy)
    means = np.asarray(unseen.means)
    members = np.arange(4)[:, None] == cluster
    rows: dict[str, list[np.ndarray]] = {name: [] for name in _ROWS}
    start: dict[str, object] = {}
    sizes = {
        "projection": config.unit / _unit(config),
        "expected": 1 / _unit(config),
        "margins": config.samples / (config.eta * config.d),
    }
    for position in experiment.plan.train(seed=seed):
        for t, record in position.records.items():
            w, a = record["weights_w"], record["weights_a"]
            params = Params(w=jnp.asarray(w), a=jnp.asarray(a))
            if t == 0:
                sign = np.sign(a)
                on = X @ w.T > 0
                least = [int((on & (sign == s)).sum(axis=1).min()) for s in (1, -1)]
                net = members * np.where(noisy, -1, 1)
                start = {
                    "a": sign,
                    "d": (net @ on.astype(int)),
                    "least_active": min(least),
                    "start": np.asarray(
                        (w**2).sum()
                        / (config.width * config.d)
                        * (config.unit / (config.omega * config.norm)) ** 2
                    ),
                }
            for name, value in _seen(params, draw, test, unseen).items():
                rows[name].append(np.asarray(value) * sizes.get(name, 1.0))
            if t == 1:
                start |= _linear(w, a, X, y, test, config)
    return {
        "times": np.asarray(times),
        "clean": (members & ~noisy).sum(axis=1),
        "flipped": (members & noisy).sum(axis=1),
        **start,
        **_sample_facts(X, means[cluster], means, config),
        **{name: np.asarray(values) for name, values in rows.items()},
    }


_ROWS = (
    "projection",
    "train_error",
    "margins",
    "test_error",
    "expected",
    "log10_certificate",
    "even_share",
    "log_pull_ratio",
)


@jax.jit
def _seen(params: Params, sample: Draw, test: Draw, law: Clusters) -> dict[str, Array]:
    """The numbers of one time, in the units of the run."""
    margin = sample.y * (jnp.maximum(sample.x @ params.w.T, 0) @ params.a)
    fresh = test.x @ params.w.T
    f, back = jnp.maximum(fresh, 0) @ params.a, jnp.maximum(-fresh, 0) @ params.a
    members = jnp.arange(4)[:, None] == test.cluster
    expected = expected_margins(params, law.means, law.mean_labels, law.sigma)
    exponents = certified_exponents(expected, lipschitz(params), law.sigma)
    return {
        "projection": law.relevant_directions @ params.w.T,
        "train_error": jnp.mean(margin <= 0),
        "margins": jnp.stack(
            [jnp.min(jnp.where(among, margin, jnp.inf)) for among in (~sample.noisy, sample.noisy)]
        ),
        "test_error": (members & (test.clean * f <= 0)).sum(axis=1) / members.sum(axis=1),
        "expected": expected,
        "log10_certificate": log10_certificate(exponents),
        "even_share": jnp.sum(((f + back) / 2) ** 2) / jnp.sum(f**2),
        "log_pull_ratio": log_pull_ratio(margin),
    }


@functools.partial(jax.jit, static_argnums=1)
def _drawn(law: DrawsClusters, n: int, key: Key[Array, ""]) -> Draw:
    """The sample that training draws with that key, in one compiled piece."""
    return law.draw(n, key=key)


def _unit(config: GrokkingClusters) -> float:
    """alpha ||mu||^2."""
    return config.eta * config.norm**2


def _linear(
    w: np.ndarray, a: np.ndarray, X: np.ndarray, y: np.ndarray, test: Draw, config: GrokkingClusters
) -> dict[str, float]:
    """Equation 4.3: f against L = (alpha/8n) <sum_i y_i x_i, x> on fresh points, in L^2."""
    fresh = np.asarray(test.x)
    f = np.maximum(fresh @ w.T, 0) @ a
    L = _unit(config) / (8 * len(y)) * (fresh @ (y @ X))
    return {
        "linear": float(np.linalg.norm(f - L) / np.linalg.norm(L)),
        "linear_slope": float((f @ L) / (L @ L)),
    }


def _sample_facts(
    X: np.ndarray, own: np.ndarray, means: np.ndarray, config: GrokkingClusters
) -> dict[str, float]:
    """B1, B2 and corollary 4.2, in the paper's lengths."""
    norm, p = config.norm, config.d
    across = ((X - own) @ means.T).max() * norm
    products, centres = X @ X.T, own @ own.T
    lengths = np.diag(products)
    off = ~np.eye(len(X), dtype=bool)
    cosines = products / np.sqrt(np.outer(lengths, lengths))
    # ||x||^2 - p - ||mu||^2, the large parts subtracted first
    excess = (lengths - 1) * norm**2 - p
    return {
        "across": float(across),
        "length": float(np.abs(excess).max() / math.sqrt(p)),
        "product": float(np.abs((products - centres)[off]).max() * norm**2 / math.sqrt(p)),
        "cosine": float(np.abs(cosines[off]).max()),
    }

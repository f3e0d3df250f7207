r"""Lemma C.4: the population gradient of the linearised loss, exactly (Glasgow 2023, appendix C).

    L0 = 2 log 2 - E[y f]     w = w_sig + w_opp + w_perp     s = w_perp.xi     tau = sqrt(2)/4

    B1  -w_sig.grad L0  =  tau |a| ||w_sig|| P(|s| <= sqrt2 ||w_sig||)
    B2  -w_opp.grad L0  = -tau |a| ||w_opp|| P(|s| <= sqrt2 ||w_opp||)
    B3  -w_perp.grad L0 = -(|a|/4) E[|s| 1(|s| between sqrt2||w_opp|| and sqrt2||w_sig||)]
                           if ||w_sig|| > ||w_opp||, and + that if not
    B4  -w_i d_i L0     =  (|a||w_i|/4) (P[|X_i - sqrt2||w_sig||| <= |w_i|]
                                         - P[|X_i - sqrt2||w_opp||| <= |w_i|]),   i >= 3,

with X_i = s without coordinate i. Atoms on a boundary count one half; with "<=" read literally the
identities fail on ties. B4 is printed with the opposite sign; the B4 sum to B3.

How it is measured depends on d: to 16, the gradient that training uses, over all 2^d points; to 42,
the formulas by exact counting against the same by quadrature; above, samples of the gradient.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Int, Key

from featlearn._check import require
from featlearn._streams import generator, stream
from featlearn.distributions import Parity
from featlearn.distributions.bits import every_sign
from featlearn.distributions.rademacher import absolute_between, leave_one_out_window, within
from featlearn.experiments.lab import Lab
from featlearn.networks import Constant, Params, TwoLayer
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Reading, Statement, identity, sampled_identity
from featlearn.training import gradient, loss

ENUMERATED, COUNTED = 16, 42
"""Largest d for all 2^d points, and for exact counting of the sums."""
ACCURACY = 1e-8
"""Largest estimated error of a probability by quadrature."""
RESOLVE = 0.02
"""The relative deviation of a sampled gradient that is allowed."""
WATCHED = 8
"""How many coordinates B4 is sampled on."""
SLICE, SLICES = 2048, 512
"""Samples drawn at once, and at most how many times before the sums are put away in float64."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked; every seed is a neuron."""

    d: tuple[int, ...] = (4, 8, 16, 40, 1000)
    """Input dimensions: all points to 16, exact counting to 42, sampling above."""
    samples: int = 4_000_000
    """Samples of the gradient where the points cannot be enumerated."""

    def __post_init__(self) -> None:
        require(len(self.d) > 0 and min(self.d) >= 3, "d", "dimensions of at least 3", self.d)
        between = [d for d in self.d if ENUMERATED < d < 40]
        require(
            not between,
            "d",
            f"dimensions up to {ENUMERATED}, or of at least 40",
            between,
            "Between them the points are too many and the quadrature has no decay.",
        )
        require(self.samples >= 1000, "samples", "at least 1000", self.samples)


@dataclass(frozen=True, kw_only=True)
class Neuron:
    """A neuron (w, a) in the standard basis, mu1 = e1 - e2 and mu2 = e1 + e2."""

    w: Float[np.ndarray, " inputs"]
    a: float

    @property
    def parts(self) -> Float[np.ndarray, "3 inputs"]:
        """w_sig, w_opp and w_perp as vectors; w is their sum."""
        on_mu1, on_mu2, rest = np.zeros((3, len(self.w)))
        on_mu1[:2] = (self.w[0] - self.w[1]) / 2 * np.array([1, -1])
        on_mu2[:2] = (self.w[0] + self.w[1]) / 2
        rest[2:] = self.perp
        return np.stack([*((on_mu1, on_mu2) if self.a >= 0 else (on_mu2, on_mu1)), rest])

    @property
    def signal(self) -> float:
        """||w_sig||."""
        return float(np.linalg.norm(self.parts[0]))

    @property
    def opposite(self) -> float:
        """||w_opp||."""
        return float(np.linalg.norm(self.parts[1]))

    @property
    def perp(self) -> Float[np.ndarray, " rest"]:
        """The coordinates of w_perp."""
        return self.w[2:]


Values = dict[str, float | Float[np.ndarray, "..."]]
"""B1, B2, B3: a number; B4: one a coordinate."""


def predicted(neuron: Neuron, method: str = "auto") -> Values:
    """The right-hand sides of B1 to B4."""
    a, s, sig, opp = abs(neuron.a), neuron.perp, neuron.signal, neuron.opposite
    ends = math.sqrt(2) * np.array([sig, opp])
    inside = within(s, ends, method, accuracy=ACCURACY)
    windows = leave_one_out_window(s, ends, method=method, accuracy=ACCURACY)
    between = absolute_between(s, ends.min(), ends.max(), method, accuracy=ACCURACY)
    return {
        "B1": TAU * a * sig * inside[0],
        "B2": -TAU * a * opp * inside[1],
        "B3": -np.sign(sig - opp) * a / 4 * between,
        "B4": a * np.abs(s) / 4 * (windows[0] - windows[1]),
    }


def as_printed(neuron: Neuron) -> Values:
    """The same as printed: B4 with the opposite sign, and atoms on a boundary counted whole."""
    a, s = abs(neuron.a), neuron.perp
    sizes = np.array([neuron.signal, neuron.opposite])
    inside = within(s, math.sqrt(2) * sizes * (1 + 1e-9))
    right = predicted(neuron)
    return {
        "B1": TAU * a * sizes[0] * inside[0],
        "B2": -TAU * a * sizes[1] * inside[1],
        "B3": right["B3"],
        "B4": -right["B4"],
    }


def without_length(neuron: Neuron, method: str = "auto") -> Values:
    """A wrong formula: in B1 and B2 the sqrt 2 before ||w_sig|| and ||w_opp|| is lost."""
    sizes = np.array([neuron.signal, neuron.opposite])
    inside = within(neuron.perp, sizes, method, accuracy=ACCURACY)
    of = TAU * abs(neuron.a) * sizes * inside
    return {**predicted(neuron, method), "B1": of[0], "B2": -of[1]}


def by_enumeration(neuron: Neuron) -> Values:
    """The left-hand sides, from the gradient of training over all 2^d points, in float64."""
    parts = neuron.parts
    d = parts.shape[1]
    with jax.enable_x64(True):
        zero = Constant(value=0.0)
        network = TwoLayer(d=d, width=1, w=zero, a=zero, scaling="mean-field")
        params = Params(w=jnp.asarray(neuron.w)[None], a=jnp.array([neuron.a]))
        slope = gradient(network, loss("linear"), params, Parity(d=d).support())
        down = -np.asarray(slope.w[0])
    w = parts.sum(0)
    return {
        "B1": parts[0] @ down,
        "B2": parts[1] @ down,
        "B3": parts[2] @ down,
        "B4": (w * down)[2:],
    }


def by_sampling(neuron: Neuron, samples: int, *, key: Key[Array, ""]) -> tuple[Values, Values]:
    """The left-hand sides from fresh samples, B4 on the first coordinates, with standard errors."""
    parts = jnp.asarray(neuron.parts, jnp.float32)
    total, squares = np.zeros(3 + WATCHED), np.zeros(3 + WATCHED)
    slices = -(-samples // SLICE)
    for i, start in enumerate(range(0, slices, SLICES)):
        count = min(SLICES, slices - start)
        one, two = _sums(parts, neuron.a, count, jax.random.fold_in(key, i))
        total += np.asarray(one, float)
        squares += np.asarray(two, float)
    n = slices * SLICE
    mean = total / n
    stderr = np.sqrt((squares / n - mean**2) / (n - 1))
    return _named(mean), _named(stderr)


def _named(row: Float[np.ndarray, " row"]) -> Values:
    return {"B1": row[0], "B2": row[1], "B3": row[2], "B4": row[3:]}


@jax.jit
def _sums(
    parts: Float[Array, "3 inputs"],
    a: Float[Array, ""],
    slices: Int[Array, ""],
    key: Key[Array, ""],
) -> tuple[Float[Array, " row"], Float[Array, " row"]]:
    """Sums and sums of squares of a y 1(w.x > 0) (w_sig.x, w_opp.x, w_perp.x, w_i x_i, ...).

    A sample is a draw of the coordinates behind the first two, averaged over the four signs of
    those: where s is large, all four are on or off together and their labels cancel exactly.
    """
    cube, w = Parity(d=parts.shape[1]), parts.sum(0)
    corners = every_sign(2)
    y = Parity(d=2).label(corners)
    on_mu = corners @ parts[:2, :2].T

    def add(i: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
        rest = cube.sample(SLICE, key=jax.random.fold_in(key, i)).x[:, 2:]
        s = rest @ w[2:]
        on = jnp.where(on_mu.sum(1) + s[:, None] > 0, a * y, 0.0) / len(corners)
        along = jnp.concatenate([s[:, None], rest[:, :WATCHED] * w[2 : 2 + WATCHED]], axis=1)
        terms = jnp.concatenate([on @ on_mu, on.sum(1)[:, None] * along], axis=1)
        return sums[0] + terms.sum(0), sums[1] + (terms**2).sum(0)

    zero = jnp.zeros(3 + WATCHED)
    return jax.lax.fori_loop(0, slices, add, (zero, zero))


def draw_neuron(d: int, seed: int, *, ties: bool) -> Neuron:
    """A neuron all of whose parts are of order one; with integer weights, sums tie."""
    rng = generator(seed, f"lemma-C.4 d={d} ties={ties}")
    a = float(rng.choice([-1, 1]) * rng.uniform(0.5, 1.5))
    if ties:
        return Neuron(w=rng.integers(-3, 4, d).astype(float), a=a)
    rest = rng.normal(size=d - 2)
    along = rng.uniform(0.2, 1.2, 2) * rng.choice([-1, 1], 2)
    pair = np.array([along[0] + along[1], along[1] - along[0]]) / math.sqrt(2)
    return Neuron(w=np.concatenate([pair, rest / np.linalg.norm(rest)]), a=a)


def statement(predict: Callable[[Neuron, str], Values] = predicted) -> Statement[Sizes]:
    """The lemma; another `predict` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        return [part for d in sizes.d for part in _at(d, sizes, lab.seeds, predict)]

    return Statement(
        id="glasgow2023.lemma-C.4",
        title="Population gradients of the linearised loss, exactly",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-C.4"],
        control=Control(
            "P(|s| <= ||w_sig||) in B1 and B2, the length sqrt 2 of mu lost",
            lambda: statement(without_length),
        ),
        seeds=3,
        place="Lemma C.4, appendix C",
        references=("glasgow2023",),
    )


def _at(
    d: int, sizes: Sizes, seeds: Sequence[int], predict: Callable[[Neuron, str], Values]
) -> list[Claim]:
    parts = []
    for ties in (False, True) if d <= ENUMERATED else (False,):
        neurons = [draw_neuron(d, seed, ties=ties) for seed in seeds]
        size = np.array([abs(n.a) * np.linalg.norm(n.parts.sum(0)) for n in neurons])
        if d <= ENUMERATED:
            label = f"d={d}, all points" + (", ties" if ties else "")
            right = [predict(n, "auto") for n in neurons]
            left = [by_enumeration(n) for n in neurons]
            parts += [
                _exact(b, label, left, right, 1e-10, size * 1e-4).under(*_mended(b, ties))
                for b in left[0]
            ]
            told, print_ = f"{label}, as printed", [as_printed(n) for n in neurons]
            parts += [
                _exact(b, told, left, print_, 1e-10, size * 1e-4).under(Reading.PRINTED)
                for b in (("B1", "B2") if ties else ("B4",))
            ]
        elif d <= COUNTED:
            label = f"d={d}, counting against quadrature"
            right = [predict(n, "quadrature") for n in neurons]
            left = [predicted(n, "meet") for n in neurons]
            parts += [
                _exact(b, label, left, right, 1e-7, size / 10).under(*_mended(b)) for b in left[0]
            ]
        else:
            keys = [stream(seed, f"lemma-C.4 samples d={d}") for seed in seeds]
            measured = [
                by_sampling(n, sizes.samples, key=key) for n, key in zip(neurons, keys, strict=True)
            ]
            right = [predict(n, "auto") for n in neurons]
            parts += [_sampled(b, d, measured, right, size).under(*_mended(b)) for b in right[0]]
    return parts


def _mended(b: str, ties: bool = False) -> tuple[Reading, ...]:
    """The readings of a part: B4 and what ties touch is not as printed."""
    return (Reading.CORRECTED,) if ties or b == "B4" else ()


def _exact(
    b: str,
    label: str,
    left: list[Values],
    right: list[Values],
    tolerance: float,
    scale: Float[np.ndarray, " neurons"],
) -> Claim:
    each = [np.atleast_1d(values[b]) for values in left]
    sizes = np.concatenate([np.full(len(v), s) for v, s in zip(each, scale, strict=True)])
    other = np.concatenate([np.atleast_1d(values[b]) for values in right])
    return identity(f"{b} {label}", np.concatenate(each), other, tolerance=tolerance, scale=sizes)


def _sampled(
    b: str,
    d: int,
    measured: list[tuple[Values, Values]],
    right: list[Values],
    size: Float[np.ndarray, " neurons"],
) -> Claim:
    mean = np.concatenate([np.atleast_1d(m[b]) for m, _ in measured])
    stderr = np.concatenate([np.atleast_1d(se[b]) for _, se in measured])
    claim = [np.atleast_1d(values[b])[: WATCHED if b == "B4" else 1] for values in right]
    scale = np.concatenate([np.full(len(c), s) for c, s in zip(claim, size, strict=True)])
    # B4 is one coordinate's share of a gradient, about 1/d of it: compare it on its own scale.
    scale = scale * (1e-3 if b == "B4" else 0.05)
    claims = np.concatenate(claim)
    return sampled_identity(
        f"{b} d={d}, samples", mean, stderr, claims, resolve=RESOLVE, scale=scale
    )


STATEMENT = statement()

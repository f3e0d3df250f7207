r"""Lemma 5 (8): a network of 3(k+1) neurons that equals the label (Shi, Wei & Liang 2022).

    g*(x) = sum_i a_i* s(w*.x + b_i*) = y,     w* = sigma~ sum_A M_j / (4k),     s truncated ReLU

    |a_i*| <= 32 k,      1/(32k) <= |b_i*| <= 1/2,      |w*.x + b_i*| <= 1  for all x.

4k w*.x is the centred count s - mu. A tent of three neurons (lemma 7) stands on every count p, of
height +1 if p is in P and -1 if not. It stands at p, or at p + 1/4 with twice the slope: of these
two at least one has all biases away from 0, whatever mu is (it is drawn at random here).

Checked for every subset P of {0..k} at small k and for parity beyond, at every code of the relevant
patterns (to k = 10; random codes beyond, and both ends) with random backgrounds, in float64.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Int

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions import Patterns, independent, parity_counts
from featlearn.experiments.lab import Lab
from featlearn.networks import TRUNCATED, Constant, Params, TwoLayer
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound, identity

TOLERANCE = 1e-11
"""Coefficients of 32 k meet rounding errors of 1e-16 in each of 3(k+1) neurons."""
CODES = 1024


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the network is built."""

    k: int = 5
    """Number of relevant patterns for which all subsets P are tried."""
    parity_to: int = 15
    """Parity is tried for every k up to this."""
    background: int = 10
    """Patterns outside A."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= 8, "k", "1 to 8, for all 2^(k+1) subsets P", self.k)
        require(1 <= self.parity_to <= 30, "parity-to", "1 to 30", self.parity_to)
        require(self.background >= 1, "background", "at least 1 pattern", self.background)


Tent = tuple[float, float, float]
"""The coefficients of the three neurons of a tent, over its slope."""
TENT: Tent = (1.0, -2.0, 1.0)
BENT: Tent = (1.0, -1.9, 1.0)


def good_network(law: Patterns, tent: Tent = TENT) -> Params:
    """The network of the lemma, in the precision that is switched on."""
    k, truth = law.k, law.truth
    mu, tents = k * truth.relevant_rate, np.arange(k + 1)
    ends = tents[:, None] - mu + np.array([-0.5, 0.0, 0.5])
    slope = 2.0
    if np.abs(ends).min() < 1 / 8:
        ends, slope = ends + 0.25, 4.0
    a = truth.labels[:, None] * slope * np.array(tent) * 4 * k
    w = np.asarray(law.direction, float) * truth.input_sd / (4 * k)
    parts = {"w": np.tile(w, (3 * (k + 1), 1)), "a": a.ravel(), "b": -ends.ravel() / (4 * k)}
    return Params(**{name: jnp.asarray(part) for name, part in parts.items()})


def points(law: Patterns, seed: int) -> Int[np.ndarray, "samples dictionary"]:
    """Hidden vectors: all codes of A if they are few, random backgrounds."""
    rng = generator(seed, f"lemma-5 k={law.k}")
    if 2**law.k <= CODES:
        codes = np.array(list(itertools.product([0, 1], repeat=law.k)))
    else:
        count = np.arange(CODES) % (law.k + 1)
        codes = (rng.random((CODES, law.k)).argsort(axis=1) < count[:, None]).astype(int)
    return np.hstack([codes, rng.integers(0, 2, (len(codes), law.dictionary - law.k))])


def statement(build: Callable[[Patterns], Params] = good_network) -> Statement[Sizes]:
    """The lemma; another `build` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        rng = generator(lab.seeds[0], "subsets")
        subsets = [
            tuple(c for c in range(sizes.k + 1) if code >> c & 1)
            for code in range(2 ** (sizes.k + 1))
        ]
        cases = [(sizes.k, P) for P in subsets]
        cases += [(k, parity_counts(k)) for k in range(1, sizes.parity_to + 1)]
        names = [f"all {len(subsets)} subsets P, k={sizes.k}"] * len(subsets)
        names += [f"parity, k to {sizes.parity_to}"] * sizes.parity_to
        found: dict[str, list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
        with jax.enable_x64(True):
            for name, (k, P) in zip(names, cases, strict=True):
                D = k + sizes.background
                law = independent(d=D, dictionary=D, k=k, p_a=rng.uniform(0.05, 0.95), positive=P)
                found.setdefault(name, []).append(_measure(build, law, lab.seeds[0]))
        return [part for name, each in found.items() for part in _parts(name, each)]

    return Statement(
        id="shi2022.lemma-5",
        title="A network of 3(k+1) neurons equals the label",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-5"],
        control=Control(
            "the tents are bent: -1.9 in the place of -2",
            lambda: statement(lambda law: good_network(law, tent=BENT)),
        ),
        seeds=1,
        place="Lemma 5, restated as lemma 8 in appendix B.1",
        references=("shi2022",),
    )


def _measure(
    build: Callable[[Patterns], Params], law: Patterns, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """g* at the points, their labels, and the four numbers that the lemma bounds."""
    params, zero = build(law), Constant(value=0.0)
    n, b = len(params.a), np.asarray(params.b)
    network = TwoLayer(
        d=law.d, width=n, w=zero, a=zero, b=zero, activation=TRUNCATED, scaling="one"
    )
    phi = points(law, seed)
    g, z = _evaluate(network, params, law.normalised(jnp.asarray(phi, float)))
    y = law.truth.labels[phi[:, : law.k].sum(axis=1)]
    sizes = [
        n / (3 * (law.k + 1)),
        np.abs(np.asarray(params.a)).max() / (32 * law.k),
        np.abs(b).min() * 32 * law.k,
        np.abs(b).max() * 2,
        np.abs(np.asarray(z)).max(),
    ]
    return np.asarray(g), y, np.array(sizes, float)


@jax.jit
def _evaluate(network: TwoLayer, params: Params, x: Array) -> tuple[Array, Array]:
    return network.forward(params, x), network.preactivations(params, x)


def _parts(name: str, each: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> list[Claim]:
    g, y = (np.concatenate([case[place] for case in each]) for place in (0, 1))
    sizes = np.array([case[2] for case in each])
    told = ("neurons / 3(k+1)", "|a*| / 32k", "32k min|b*|", "2 max|b*|", "max |w*.x + b*|")
    return [
        identity(f"g* = y, {name}", g, y, tolerance=TOLERANCE),
        *(
            bound(
                f"{label}, {name}", values, 1.0, side=">=" if "min" in label else "<=", every=True
            )
            for label, values in zip(told, sizes.T, strict=True)
        ),
    ]


STATEMENT = statement()

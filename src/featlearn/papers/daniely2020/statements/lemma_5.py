r"""Lemma 5: on the leaky half, a neuron with sum_A w = 0 gets exactly no gradient outside A.

    d, k odd, w in {-1,0,1}^d with sum_A w_j = 0, any b; on D2, exactly:
    E[u_j y s'(w.x + b)] = 0 for all j not in A,     E[y s'(w.x + b)] = 0.

Given the bits outside A the two values of the common bit give the same activation and opposite
labels. Checked with all 2^d points, whose weights are powers of 2 so that the sums are exact, and
with the closed form at any d. Daniely & Malach (2020), section 4.1 ("{1,0,1}" there is a slip).
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float, Int

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions import LeakyParity
from featlearn.experiments.lab import Lab
from featlearn.networks import RELU6
from featlearn.papers.daniely2020.neurons import draw
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Statement, identity

ENUMERATED = 15
"""Largest d for all 2^d points."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked; every seed draws other weights outside A, and biases."""

    d: tuple[int, ...] = (7, 11, 13)
    """Dimensions with all 2^d points, odd."""
    k: tuple[int, ...] = (3, 5)
    """Numbers of relevant bits."""
    large: int = 1_000_001
    """The dimension of the closed form."""
    neurons: int = 1000
    """Neurons of the closed form, a seed."""

    def __post_init__(self) -> None:
        require(all(k % 2 for k in self.k), "k", "odd numbers", self.k)
        within = max(self.k) < min(self.d) and max(self.d) <= ENUMERATED
        require(within, "d", f"from k + 1 to {ENUMERATED}", self.d, "Larger: --large.")
        require(self.large > max(self.k), "large", f"more than k = {max(self.k)}", self.large)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)


def balanced(k: int) -> Int[np.ndarray, "neurons k"]:
    """All ternary vectors of length k that sum to 0."""
    every = np.array(list(itertools.product((-1, 0, 1), repeat=k)))
    return every[every.sum(axis=1) == 0]


def unbalanced(k: int) -> Int[np.ndarray, "neurons k"]:
    """A control: one weight of 1 on A, all others 0."""
    return np.eye(k, dtype=int)


def by_enumeration(
    w: Int[np.ndarray, "neurons inputs"], b: Float[np.ndarray, " neurons"], k: int
) -> Float[np.ndarray, "neurons outside"]:
    """E[u_j y s'] for j not in A and, last, E[y s'], over all points of D2."""
    d = w.shape[1]
    with jax.enable_x64(True):
        law = LeakyParity(d=d, k=k, half="leaky", scale=1.0)
        points = law.support()
        u, y, weight = (np.asarray(each) for each in (points.x, points.y, points.weight))
        z = (u @ w.T) / np.sqrt(d) + b
        on = np.asarray(RELU6.derivative(jax.numpy.asarray(z)))
    against = np.concatenate([u[:, k:], np.ones((len(u), 1))], axis=1)
    return on.T @ (against * (y * weight)[:, None])


def statement(
    chosen: Callable[[int], Int[np.ndarray, "neurons k"]] = balanced,
) -> Statement[Sizes]:
    """The lemma; `chosen` are the weights on A of which it is claimed."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for d in sizes.d:
            for k in sizes.k:
                on_A = chosen(k)
                values = []
                for seed in lab.seeds:
                    rng = generator(seed, f"lemma-5 d={d} k={k}")
                    rest = rng.integers(-1, 2, (len(on_A), d - k))
                    b = rng.normal(size=len(on_A))
                    values.append(by_enumeration(np.hstack([on_A, rest]), b, k).ravel())
                name = f"all points, d={d}, k={k}"
                parts.append(identity(name, np.concatenate(values), 0.0, tolerance=0.0))
        for k in sizes.k:
            values = []
            for seed in lab.seeds:
                drawn = draw(sizes.large, k, sizes.neurons, seed)
                found = drawn.where(drawn.balanced).over("leaky")
                values += [found.irrelevant, found.bias]
            name = f"closed form, d={sizes.large}, k={k}"
            parts.append(identity(name, np.concatenate(values), 0.0, tolerance=0.0))
        return parts

    return Statement(
        id="daniely2020.lemma-5",
        title="On the leaky half a balanced neuron gets exactly no gradient outside A",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        hypotheses=lambda sizes: [
            Hypothesis.condition(
                "d odd", all(d % 2 for d in (*sizes.d, sizes.large)), f"d = {sizes.d}"
            )
        ],
        text=TEXTS["lemma-5"],
        control=Control("neurons that are not balanced on A", lambda: statement(unbalanced)),
        seeds=3,
        place="Lemma 5, section 4.1",
        references=("daniely2020",),
    )


STATEMENT = statement()

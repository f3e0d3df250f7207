r"""Lemma 6: what is supported on A is nearly independent of the activation's derivative.

    phi(w, b) = P[k/sqrt d < sum_J w_j x_j + b < 6 - k/sqrt d],     h : {±1}^A -> {±1} any function:
    |E_{D_A}[h s'(w.x + b)] - E_{D_A}[h] phi(w, b)| <= C k / sqrt|J|.

The constant is hidden; the proof gives (3k + 1) B / sqrt|J|, and B = 1 serves in Littlewood and
Offord's bound (an open interval of length 1/sqrt d holds one atom, of mass at most 1/sqrt|J|). The
left side is largest for h = sign(P(on | x_A) - phi), so the supremum over all 2^(2^k) functions h
is a sum over the 2^k patterns, computed exactly for every neuron. Daniely & Malach (2020), section
4.1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float, Int

from featlearn._check import require
from featlearn.distributions import LeakyParity
from featlearn.distributions.alternating_binomial import alternating_step
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.neurons import Neurons, draw
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

Limit = Callable[[int, Int[np.ndarray, " neurons"]], Float[np.ndarray, " neurons"]]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked, on every neuron."""

    d: tuple[int, ...] = (10_000, 1_000_000)
    """Input dimensions."""
    k: tuple[int, ...] = (3, 7)
    """Numbers of relevant bits."""
    neurons: int = 200
    """Neurons drawn a seed."""

    def __post_init__(self) -> None:
        require(all(k % 2 and k <= 15 for k in self.k), "k", "odd numbers up to 15", self.k)
        require(min(self.d) > max(self.k), "d", f"more than k = {max(self.k)}", self.d)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)


def from_the_proof(k: int, others: Int[np.ndarray, " neurons"]) -> Float[np.ndarray, " neurons"]:
    """(3k + 1) / sqrt|J|."""
    return (3 * k + 1) / np.sqrt(np.maximum(others, 1))


def too_fast(k: int, others: Int[np.ndarray, " neurons"]) -> Float[np.ndarray, " neurons"]:
    """A control: (3k + 1) / |J|."""
    return (3 * k + 1) / np.maximum(others, 1)


def inner_share(neurons: Neurons) -> Float[np.ndarray, " neurons"]:
    """phi(w, b), exactly, per neuron."""
    low, high = -neurons.b * np.sqrt(neurons.d), (6 - neurons.b) * np.sqrt(neurons.d)
    return _inside(neurons.others, low + neurons.k, high - neurons.k)


def worst_deviation(neurons: Neurons) -> Float[np.ndarray, " neurons"]:
    """sup over h of |E[h s'] - E[h] phi|, exactly, per neuron."""
    with jax.enable_x64(True):
        points = LeakyParity(d=neurons.k, k=neurons.k, scale=1.0).support()
        patterns, weight = np.asarray(points.x), np.asarray(points.weight)
    N, root = neurons.others, np.sqrt(neurons.d)
    low, high = -neurons.b * root, (6 - neurons.b) * root
    total = np.zeros(len(N))
    inner = inner_share(neurons)
    for u, p in zip(patterns, weight, strict=True):
        on = _inside(N, low - neurons.on_A @ u, high - neurons.on_A @ u)
        total += p * np.abs(on - inner)
    return total


def _inside(
    N: Int[np.ndarray, " neurons"],
    low: float | Float[np.ndarray, " neurons"],
    high: float | Float[np.ndarray, " neurons"],
) -> Float[np.ndarray, " neurons"]:
    """P(low < S < high) for a sum S of N fair signs."""
    ends = [np.broadcast_to(np.asarray(end, float), N.shape) for end in (low, high)]
    return alternating_step(0, N, ends[0]) - alternating_step(0, N, ends[1], strict=False)


def statement(predict: Limit = from_the_proof) -> Statement[Sizes]:
    """The lemma with the proof's constant; another `predict` is another bound."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for d in sizes.d:
            for k in sizes.k:
                drawn = [draw(d, k, sizes.neurons, seed) for seed in lab.seeds]
                limits = [predict(k, each.others) for each in drawn]
                share = [
                    float(np.max(worst_deviation(each) / limit))
                    for each, limit in zip(drawn, limits, strict=True)
                ]
                smallest = min(float(limit.min()) for limit in limits)
                parts.append(
                    bound(
                        f"largest share of the bound used, any h, d={d}, k={k}",
                        np.array(share),
                        1.0,
                        every=True,
                        instances=sizes.neurons,
                        vacuous=smallest >= 1,
                    )
                )
        return parts

    return Statement(
        id="daniely2020.lemma-6",
        title="What is supported on A is nearly independent of the activation's derivative",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-6"],
        control=Control("the rate 1/|J|", lambda: statement(too_fast)),
        seeds=3,
        place="Lemma 6, section 4.1",
        references=("daniely2020",),
    )


STATEMENT = statement()

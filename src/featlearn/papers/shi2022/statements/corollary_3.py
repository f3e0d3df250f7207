r"""Corollary 3 (30): the same for shift-invariant kernels.

For f in the space of a shift-invariant kernel with norm at most L, 3 < k <= D/16 and k odd, some A
gives hinge loss at least p_o (1 - poly(d, L)/2^k) - 1/poly(d, L). The polynomials are not given, so
there is no number to compare with. What theorem 2's proof gives directly for a kernel with K(x, x)
= 1 has one: a function of norm L has at most the correlation L sqrt(lambda_A) with the parity of A,
lambda_A the eigenvalue of that parity under D(0), and the eigenvalues sum to 1 over all parities,
so

    mean over A of the loss >= p_o (1 - L / sqrt(C(D,k))).

Measured: RBF kernel on the bits, best function of norm L in the span of the sample by a convex
solver, on random sets A, judged on fresh points.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.baselines import gram, rbf
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.floors import best_losses, draw_mixtures, on_parity, random_sets
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.results.statistics import standard_error
from featlearn.theory import Claim, Kind, Statement, every_algorithm

P_O = 0.5


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Kernel, norms and sets; every seed is another sample."""

    dictionary: int = 80
    """Number of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns, an odd number."""
    bandwidth: float = 0.0125
    """g in the kernel exp(-g |x - z|²) of the bits."""
    norms: tuple[float, ...] = (1.0, 30.0)
    """Bounds on the norm of the function (L)."""
    sets: int = 1
    """Random sets A a seed."""
    samples: int = 200
    """Points to fit on, and as many to judge on."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.dictionary, "k", "1 to dictionary", self.k)
        require(self.bandwidth > 0, "bandwidth", "a positive number", self.bandwidth)
        require(min(self.norms, default=0) > 0, "norms", "positive numbers", self.norms)
        require(self.sets >= 1, "sets", "at least 1", self.sets)
        require(self.samples >= 100, "samples", "at least 100", self.samples)


def kernel_floor(L: float, k: int, D: int) -> float:
    """p_o (1 - L / sqrt(C(D,k))); negative is empty."""
    return P_O * (1 - L / math.sqrt(math.comb(D, k)))


def statement(floor: Callable[[float, int, int], float] = kernel_floor) -> Statement[Sizes]:
    """The corollary, by its mean over A; another `floor` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        rows = np.array([_losses(sizes, seed) for seed in lab.seeds]).mean(axis=1)
        parts = []
        for place, L in enumerate(sizes.norms):
            values = rows[:, place]
            stderr = standard_error(values)
            limit = floor(L, sizes.k, sizes.dictionary)
            tried = f"the best function of norm {L:g} of an RBF kernel on {sizes.samples} points"
            part = every_algorithm(
                f"mean loss over A, L={L:g}",
                float(values.mean()),
                stderr,
                limit,
                tried,
                freedom=len(values) - 1,
                vacuous=limit <= 0,
            )
            parts.append(part)
        return parts

    return Statement(
        id="shi2022.corollary-3",
        title="No bounded function of a shift-invariant kernel learns all parities",
        kind=Kind.ALL_ALGORITHMS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=lambda sizes: on_parity(sizes.k, sizes.dictionary),
        text=TEXTS["corollary-3"],
        seeds=3,
        place="Corollary 3, restated as corollary 30 in appendix C",
        references=("shi2022", "rahimi2008"),
    )


def _losses(sizes: Sizes, seed: int) -> list[np.ndarray]:
    """Per set A, the loss of the best function at each norm."""
    rng = generator(seed, "mixtures")
    fitted, judged = (draw_mixtures(sizes.samples, sizes.dictionary, rng) for _ in range(2))
    kernel, losses = rbf(sizes.bandwidth), []
    for A in random_sets(sizes.dictionary, sizes.k, sizes.sets, rng):
        (phi, y), (other, y_other) = fitted.of(A), judged.of(A)
        values, vectors = np.linalg.eigh(gram(kernel, phi, phi))
        kept = values > 1e-10 * values[-1]
        # f = K(., x) c = psi . theta with psi = K(., x) V / sqrt(values), so that |theta| = |f|.
        turn = vectors[:, kept] / np.sqrt(values[kept])
        psi, psi_other = gram(kernel, phi, phi) @ turn, gram(kernel, other, phi) @ turn
        losses.append(best_losses(psi, psi_other, y, y_other, sizes.norms))
    return losses


STATEMENT = statement()

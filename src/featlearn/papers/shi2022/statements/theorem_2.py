r"""Theorem 2 (28): no linear model on fixed features learns all parities.

Features Psi : X -> [-1,1]^N fixed first, of the raw input; then for 3 < k <= D/16, k odd, there is
a set A for which every model of norm at most B has hinge loss at least p_o (1 - sqrt(2N) B/2^k) on
D_mix. The proof gives a floor for the mean over A, p_o (1 - B sqrt(N/C(D,k))), which is stronger.

Measured: random features s(w.x + b) of the network, N of them, clipped to [-1,1] as they are; many
random sets A; for each the best model of norm B on a sample by a convex solver, judged on fresh
points. Its mean loss over A may not lie below the floor of the mean. A claim about every model: one
can contradict it, never confirm it. Where a floor is empty (negative) it says nothing. The printed
floor, which speaks of some A, is held against the mean too: if that is not below it, some A is not.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.floors import (
    average_floor,
    best_losses,
    draw_mixtures,
    on_parity,
    printed_floor,
    random_sets,
)
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.results.statistics import standard_error
from featlearn.theory import Claim, Kind, Reading, Statement, every_algorithm

P_O = 0.5


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Features, norms and sets; every seed is another draw of the features."""

    dictionary: int = 80
    """Number of patterns (the paper's D)."""
    k: int = 5
    """Relevant patterns, an odd number."""
    features: tuple[int, ...] = (20, 100)
    """Numbers of fixed features (N)."""
    norms: tuple[float, ...] = (0.5, 4.0, 32.0)
    """Bounds on the norm of the model (B)."""
    sets: int = 3
    """Random sets A a seed."""
    samples: int = 4000
    """Points to fit on, and as many to judge on."""

    def __post_init__(self) -> None:
        require(1 <= self.k <= self.dictionary, "k", "1 to dictionary", self.k)
        require(min(self.features, default=0) >= 1, "features", "at least 1", self.features)
        require(min(self.norms, default=0) > 0, "norms", "positive numbers", self.norms)
        require(self.sets >= 1, "sets", "at least 1", self.sets)
        require(self.samples >= 100, "samples", "at least 100", self.samples)


def fixed_features(phi: np.ndarray, N: int, rng: np.random.Generator) -> Callable[..., np.ndarray]:
    """N random truncated ReLUs of the bits: in [0, 1], so bounded as the theorem asks."""
    w = rng.normal(size=(phi.shape[1], N)) / np.sqrt(phi.shape[1])
    b = rng.uniform(-1, 1, N)
    return lambda bits: np.clip((2 * bits - 1) @ w + b, 0, 1)


Floor = Callable[[float, int, float, int, int], float]


def statement(floor: Floor = average_floor) -> Statement[Sizes]:
    """The theorem, by its mean over A; another `floor` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for N in sizes.features:
            rows = np.array([_losses(sizes, N, seed) for seed in lab.seeds])
            for place, B in enumerate(sizes.norms):
                mean = rows[:, :, place].mean(axis=1)
                stderr = standard_error(mean)
                limit = floor(P_O, N, B, sizes.k, sizes.dictionary)
                tried = f"the best of norm {B:g} on {N} random features, {sizes.sets} sets A a seed"
                printed = printed_floor(P_O, N, B, sizes.k)
                floors = {"mean": (limit, Reading.PROOF), "printed": (printed, Reading.PRINTED)}
                for which, (least, reading) in floors.items():
                    name = f"mean loss over A, N={N}, B={B:g}, {which} floor"
                    claim = every_algorithm(
                        name,
                        float(mean.mean()),
                        stderr,
                        least,
                        tried,
                        freedom=len(mean) - 1,
                        vacuous=least <= 0,
                    )
                    parts.append(claim.under(reading))
        return parts

    return Statement(
        id="shi2022.theorem-2",
        title="No linear model on fixed features learns all parities",
        kind=Kind.ALL_ALGORITHMS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=lambda sizes: on_parity(sizes.k, sizes.dictionary),
        text=TEXTS["theorem-2"],
        seeds=3,
        place="Theorem 2, restated as theorem 28 in appendix C",
        references=("shi2022",),
    )


def _losses(sizes: Sizes, N: int, seed: int) -> list[np.ndarray]:
    """Per set A, the loss of the best model at each norm."""
    rng = generator(seed, "features", N)
    fitted, judged = (draw_mixtures(sizes.samples, sizes.dictionary, rng) for _ in range(2))
    psi = fixed_features(fitted.uniform, N, rng)
    losses = []
    for A in random_sets(sizes.dictionary, sizes.k, sizes.sets, rng):
        (phi, y), (other, y_other) = fitted.of(A), judged.of(A)
        losses.append(best_losses(psi(phi), psi(other), y, y_other, sizes.norms))
    return losses


STATEMENT = statement()

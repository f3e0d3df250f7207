r"""Theorem 1 (Forster 2002): an embedding that realises all parities is exponentially large.

    Psi: {±1}^d -> R^N such that for every A of size k some theta has sign(theta.Psi(x)) = y(x)
    for all x:     N = 2^Omega(k);     explicitly, for d >= 2k,     N >= 2^(k/2).

The explicit form: let A take one bit of each of k pairs and x be 1 on the second bits; then the
labels contain the 2^k by 2^k matrix of Hadamard, whose sign rank is at least 2^(k/2). A claim
about all embeddings can be contradicted, never confirmed. Tried: random features of two kinds and
all monomials of growing degree, on the whole cube, where linear programming decides for every A
whether some theta realises it; the smallest N that realises all A is compared with the floor. What
fitted models with large N reach at d = 301 is the item `daniely2020.wall`. Daniely & Malach
(2020), section 2.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float
from scipy.optimize import linprog

from featlearn._check import require
from featlearn._streams import generator, stream
from featlearn.baselines import cosine_features, features
from featlearn.distributions import every_sign
from featlearn.experiments.lab import Lab
from featlearn.networks import RELU6
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Kind, Statement, every_algorithm

Embedding = Callable[[int, int], Float[np.ndarray, "points N"]]
"""(N, seed) -> Psi of every point of the cube."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The cube and the embeddings; every seed draws others."""

    d: int = 6
    """Input dimension: all 2^d points and all sets A are tried."""
    k: int = 3
    """Number of relevant bits."""
    N: tuple[int, ...] = (2, 4, 8, 16, 24, 32, 48, 64)
    """Dimensions of the random embeddings."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1, "k", "an odd number", self.k)
        require(2 * self.k <= self.d <= 10, "d", f"from 2k = {2 * self.k} to 10", self.d)
        require(min(self.N) >= 1, "N", "at least 1", self.N)


def floor(k: int) -> float:
    """2^(k/2)."""
    return 2 ** (k / 2)


def cube(d: int) -> Float[np.ndarray, "points inputs"]:
    """All of {±1}^d."""
    with jax.enable_x64(True):
        return np.asarray(every_sign(d), dtype=float)


def embeddings(sizes: Sizes) -> dict[str, Embedding]:
    """What is tried."""
    u = cube(sizes.d)

    def neurons(N: int, seed: int) -> Float[np.ndarray, "points N"]:
        rng = generator(seed, f"theorem-1 N={N}")
        z = u @ rng.integers(-1, 2, (sizes.d, N)) / math.sqrt(sizes.d) + rng.uniform(-1, 1, N)
        with jax.enable_x64(True):
            return np.asarray(RELU6.value(jax.numpy.asarray(z)))

    def cosines(N: int, seed: int) -> Float[np.ndarray, "points N"]:
        return features(cosine_features(sizes.d, N, sd=1.0, key=stream(seed, f"cosines {N}")), u)

    return {"relu6 features": neurons, "cosines": cosines}


def realises(psi: Float[np.ndarray, "points N"], y: Float[np.ndarray, " points"]) -> bool:
    """Whether some theta has y theta.psi > 0 everywhere: the largest margin with |theta| <= 1."""
    N = psi.shape[1]
    scaled = psi / np.maximum(np.abs(psi).max(axis=0), 1e-300)
    rows = np.hstack([-y[:, None] * scaled, np.ones((len(y), 1))])
    bounds = [(-1, 1)] * N + [(None, 1)]
    found = linprog(np.eye(N + 1)[N] * -1, A_ub=rows, b_ub=np.zeros(len(y)), bounds=bounds)
    return bool(found.status == 0 and -found.fun > 1e-9)


def realises_all(psi: Float[np.ndarray, "points N"], sizes: Sizes) -> bool:
    """Whether the embedding realises the parity of every set A of size k."""
    u = cube(sizes.d)
    sets = itertools.combinations(range(sizes.d), sizes.k)
    return all(realises(psi, np.prod(u[:, A], axis=1)) for A in sets)


def monomials(sizes: Sizes, degree: int) -> Float[np.ndarray, "points N"]:
    """All products of at most `degree` bits."""
    u = cube(sizes.d)
    chosen = [A for size in range(degree + 1) for A in itertools.combinations(range(sizes.d), size)]
    return np.stack([np.prod(u[:, A], axis=1) for A in chosen], axis=1)


def statement(predict: Callable[[int], float] = floor) -> Statement[Sizes]:
    """The theorem; another `predict` is another floor."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for name, embed in embeddings(sizes).items():
            smallest = []
            for seed in lab.seeds:
                enough = (N for N in sizes.N if realises_all(embed(N, seed), sizes))
                smallest.append(next(enough, None))
            parts.append(_judged(name, smallest, predict(sizes.k)))
        degrees = ((degree, monomials(sizes, degree)) for degree in range(1, sizes.d + 1))
        enough = (psi.shape[1] for _, psi in degrees if realises_all(psi, sizes))
        parts.append(_judged("monomials up to a degree", [next(enough, None)], predict(sizes.k)))
        return parts

    return Statement(
        id="daniely2020.theorem-1",
        title="An embedding that realises all parities is exponentially large",
        kind=Kind.ALL_ALGORITHMS,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["theorem-1"],
        seeds=2,
        place="Theorem 1, section 2",
        references=("daniely2020", "forster2002"),
    )


def _judged(name: str, smallest: list[int | None], limit: float) -> Claim:
    reached = [N for N in smallest if N is not None]
    least = float(min(reached)) if reached else None
    tried = f"{name}: " + (f"{least:g} features" if reached else "no size that was tried")
    stderr = 0.0 if reached else None
    return every_algorithm(f"smallest N that realises every A, {name}", least, stderr, limit, tried)


STATEMENT = statement()
